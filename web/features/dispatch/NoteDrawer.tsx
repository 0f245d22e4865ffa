import { useQuery } from '@tanstack/react-query'
import { dispatchApi } from '@zhuguan/contract/features/dispatch/dispatch.api.ts'
import {
  logisticsType,
  type NoteDetail,
  noteKind,
  type NoteRow,
} from '@zhuguan/contract/features/dispatch/dispatch.record.ts'
import { deliveryMethod } from '@zhuguan/contract/features/orders/orders.record.ts'
import { checkState } from '@zhuguan/contract/features/pieces/pieces.record.ts'
import { Drawer } from 'antd'

import { call } from '../../kit/api.ts'
import { Fact, Facts } from '../../kit/Facts.tsx'
import { Failed } from '../../kit/list/ListPage.tsx'
import { useLive } from '../../kit/live.ts'
import { Picture } from '../../kit/Picture.tsx'
import { type RowAction, RowActions } from '../../kit/RowActions.tsx'
import { full, short } from '../../kit/time.ts'
import { OrderLink } from '../../parts/documentLinks.tsx'
import { LegProgress } from './legStates.tsx'
import { Nodes } from './Nodes.tsx'
import { NoteState } from './noteStates.tsx'

import '../../kit/plainTable.css'
import './logistics.css'
import './notes.css'

/** All of one note: what it carries and how, its way, and what proves that it is there. */
export default function NoteDrawer({
  id,
  actionsOf,
  onDone,
  onClose,
}: {
  id: string
  actionsOf: (note: NoteRow) => RowAction[]
  onDone: () => void
  onClose: () => void
}) {
  const {
    data: note,
    error,
    refetch,
  } = useQuery({
    queryKey: [dispatchApi.details.path, id],
    queryFn: ({ signal }) => call(dispatchApi.details, { query: { id } }, signal),
  })
  useLive(['dispatch'], () => refetch(), { only: (e) => e.id === id })
  return (
    <Drawer
      open
      title={note ? `发货单 ${note.code}` : '发货单'}
      size="min(720px, 100vw)"
      onClose={onClose}
      footer={note && <RowActions bar actions={actionsOf(note)} onDone={onDone} shown={4} />}
    >
      {error && <Failed error={error} again={() => void refetch()} />}
      {note && (
        <>
          <NoteFacts of={note} />
          <NoteLines of={note} />
          <Proofs of={note} />
          <Tracks of={note} />
        </>
      )}
    </Drawer>
  )
}

function NoteFacts({ of: n }: { of: NoteDetail }) {
  const { pickup, trip } = deliveryMethod.code
  const isPickup = n.method === pickup
  return (
    <Facts>
      <Fact name="状态">
        <NoteState of={n} />
      </Fact>
      <Fact name="订单">
        <OrderLink id={n.order_id} code={n.orderCode} />
      </Fact>
      <Fact name="类型">{noteKind.label(n.kind) + (n.afterSale ? '（售后）' : '')}</Fact>
      <Fact name="工地">{n.ws_name}</Fact>
      <Fact name="商家">{n.receiverName}</Fact>
      <Fact name="交付方式">{deliveryMethod.label(n.method)}</Fact>
      <Fact name="预计到达">{[n.plannedOn, n.window].filter(Boolean).join(' ')}</Fact>
      {n.method === trip && <Fact name="车次">{n.tripCode && `${n.tripCode} 第 ${n.stop ?? '--'} 站`}</Fact>}
      {isPickup ? <Fact name="自提门店">{n.pickupStore}</Fact> : <Fact name="地址">{n.address}</Fact>}
      {isPickup && <Fact name="最晚自提">{n.pickupUntil}</Fact>}
      {n.pickupCode && (
        <Fact name="取货码">
          <b className="note-code">{n.pickupCode}</b>
        </Fact>
      )}
      <Fact name="联系人">{[n.contact, n.contactPhone].filter(Boolean).join(' ')}</Fact>
      {(n.carrier || n.waybill) && (
        <Fact name="承运">{[n.carrier, n.waybill].filter(Boolean).join(' ')}</Fact>
      )}
      <Fact name="制单">{`${n.madeBy} ${short(n.madeAt)}`}</Fact>
      {n.shippedAt !== null && <Fact name="发货">{`${n.shippedBy} ${short(n.shippedAt)}`}</Fact>}
      {n.deliveredAt !== null && (
        <Fact name="送达">{[n.deliveredBy, short(n.deliveredAt), n.deliveredPlace].join(' ')}</Fact>
      )}
      {n.sheetCode && (
        <Fact name="验收单">
          {n.sheetCode} {n.checkState !== null && checkState.label(n.checkState)}
        </Fact>
      )}
      {n.parentCode && <Fact name="由此拆出">{n.parentCode}</Fact>}
      {n.reason && (
        <Fact name="原因" whole>
          {n.reason}
        </Fact>
      )}
    </Facts>
  )
}

export const NoteLines = ({ of: n }: { of: NoteDetail }) => (
  <table className="plain-table note-lines">
    <thead>
      <tr>
        <th>编码</th>
        <th>商品</th>
        <th className="right">数量</th>
        <th>单位</th>
      </tr>
    </thead>
    <tbody>
      {n.lineList.map((l) => (
        <tr key={l.line_id}>
          <td className="note-nowrap">{l.code}</td>
          <td>
            {l.name} <small>{l.detail}</small>
          </td>
          <td className="right">{l.quantity}</td>
          <td>{l.unit}</td>
        </tr>
      ))}
    </tbody>
  </table>
)

function Proofs({ of: n }: { of: NoteDetail }) {
  if (!n.photo && !n.signature && !n.damage) return null
  const at = `${n.code} ${full(n.deliveredAt)}`
  return (
    <section className="note-part-of">
      <h3>送达凭证</h3>
      <div className="note-proofs" data-gallery>
        {n.photo && <Picture picture={n.photo} caption={`送达照片 ${at}`} width={240} height={180} />}
        {n.signature && <Picture picture={n.signature} caption={`签名 ${at}`} width={240} height={180} />}
        {n.damagePhoto && <Picture picture={n.damagePhoto} caption={`损坏 ${at}`} width={240} height={180} />}
      </div>
      {n.damage && <p className="note-part">送货人说有损坏：{n.damage}</p>}
    </section>
  )
}

const Tracks = ({ of: n }: { of: NoteDetail }) =>
  n.tracks.toReversed().map((t) => (
    <section key={t.id} className="leg-track">
      <h3 className="leg-title">
        {logisticsType.label(t.type)} {t.code} <LegProgress of={{ ...t, late: false }} />
      </h3>
      <Nodes of={t.nodes} />
    </section>
  ))
