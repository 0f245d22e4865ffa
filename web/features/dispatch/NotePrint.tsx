import type { NoteDetail } from '@zhuguan/contract/features/dispatch/dispatch.record.ts'
import { linksApi } from '@zhuguan/contract/features/links/links.api.ts'
import { linkKind, previewOf } from '@zhuguan/contract/features/links/links.record.ts'
import { deliveryMethod } from '@zhuguan/contract/features/orders/orders.record.ts'
import { Button, Modal, QRCode } from 'antd'
import { type ReactNode, useEffect, useState } from 'react'
import { createPortal } from 'react-dom'

import { call } from '../../kit/api.ts'
import { message } from '../../kit/notices.ts'
import { full, nowSeconds } from '../../kit/time.ts'
import { NoteLines } from './NoteDrawer.tsx'
import { useMayLink } from './useNoteActions.ts'

import '../../kit/plainTable.css'
import './notes.css'

interface Given {
  url: string
  expiresAt: number
}
/** The note on paper. The secret of a link is told only when it is made, so a code to scan means a new link. */
export function NotePrint({ note, onClose }: { note: NoteDetail; onClose: () => void }) {
  const mayLink = useMayLink()(note)
  const [paper, setPaper] = useState<{ link: Given | null } | null>(mayLink ? null : { link: null })
  const [busy, setBusy] = useState(false)
  async function withLink() {
    setBusy(true)
    try {
      const body = { kind: linkKind.code.driver, target_id: note.id, person: '送货单上的二维码' }
      const { expiresAt, token } = await call(linksApi.create, { body })
      setPaper({ link: { url: location.origin + previewOf(token), expiresAt } })
    } catch (error) {
      message.error((error as Error).message)
    } finally {
      setBusy(false)
    }
  }
  if (paper) return <Paper of={note} link={paper.link} onDone={onClose} />
  return (
    <Modal
      open
      title={`打印送货单 ${note.code}`}
      onCancel={onClose}
      footer={
        <>
          <Button onClick={() => setPaper({ link: null })}>只打印</Button>
          <Button type="primary" loading={busy} onClick={() => void withLink()}>
            新建链接并打印
          </Button>
        </>
      }
    >
      <p>要不要在送货单上印司机的二维码？司机扫码就能报到哪了、交货拍照，不用登录。</p>
      <p className="quiet">
        印二维码会新建一条 3 天有效的司机链接，谁拿到纸谁就能用；可以在“司机链接”里收回。
      </p>
    </Modal>
  )
}

const Line = ({ name, children }: { name: string; children: ReactNode }) => (
  <p>
    <span>{name}</span>
    <b>{children || '　'}</b>
  </p>
)
function Paper({ of: n, link, onDone }: { of: NoteDetail; link: Given | null; onDone: () => void }) {
  useEffect(() => {
    addEventListener('afterprint', onDone)
    print()
    return () => removeEventListener('afterprint', onDone)
  }, [])
  const isPickup = n.method === deliveryMethod.code.pickup
  return createPortal(
    <article className="note-paper">
      <header>
        <div>
          <h1>送货单</h1>
          <p>{n.code}</p>
        </div>
        {link && (
          <figure>
            <QRCode value={link.url} type="svg" size={120} bordered={false} color="#000" bgColor="#fff" />
            <figcaption>司机扫码交货，{full(link.expiresAt).slice(0, 16)} 前有效</figcaption>
          </figure>
        )}
      </header>
      <div className="note-paper-facts">
        <Line name="发货方">{n.receiverName}</Line>
        <Line name="收货方">{`${n.bc_name} ${n.ws_name}`}</Line>
        <Line name="订单号">{n.orderCode}</Line>
        <Line name="交付方式">{deliveryMethod.label(n.method)}</Line>
        <Line name={isPickup ? '自提门店' : '收货地址'}>{isPickup ? n.pickupStore : n.address}</Line>
        <Line name="联系人">{`${n.contact} ${n.contactPhone}`.trim()}</Line>
        <Line name="预计到达">{`${n.plannedOn ?? ''} ${n.window}`.trim()}</Line>
        <Line name="车次 / 运单">{[n.tripCode, n.carrier, n.waybill].filter(Boolean).join(' ')}</Line>
      </div>
      <NoteLines of={n} />
      <div className="note-paper-signs">
        <span>送货人：</span>
        <span>收货人：</span>
        <span>收货日期：</span>
      </div>
      <footer>{full(nowSeconds())} 打印。数量不符或有破损，请在签字前写明。</footer>
    </article>,
    document.body,
  )
}
