import { Modal } from 'antd'
import type { ReactNode } from 'react'

import { LinkTo } from '../../kit/LinkTo.tsx'

import './orders.css'

const Told = ({ title, onClose, children }: { title: string; onClose: () => void; children: ReactNode }) => (
  <Modal
    open
    title={title}
    onCancel={onClose}
    onOk={onClose}
    okText="知道了"
    cancelButtonProps={{ style: { display: 'none' } }}
  >
    {children}
  </Modal>
)
/** The orders that were made, each to be opened. */
export const Placed = ({
  orders,
  onClose,
}: {
  orders: readonly { id: string; code: string }[]
  onClose: () => void
}) => (
  <Told title={`已下单 ${orders.length} 张`} onClose={onClose}>
    <ul className="order-told">
      {orders.map((o) => (
        <li key={o.id}>
          <LinkTo page="OrderDetail" query={{ id: o.id }}>
            {o.code}
          </LinkTo>
        </li>
      ))}
    </ul>
    <p className="quiet">接单方会收到通知；在接单之前可以撤回。</p>
  </Told>
)
/** The orders that could not be accepted with the others, and why. */
export const Skipped = ({
  orders,
  onClose,
}: {
  orders: readonly { code: string; why: string }[]
  onClose: () => void
}) => (
  <Told title={`${orders.length} 张没有接单`} onClose={onClose}>
    <ul className="order-told">
      {orders.map((o) => (
        <li key={o.code}>
          <b>{o.code}</b> <span className="quiet">{o.why}</span>
        </li>
      ))}
    </ul>
  </Told>
)
