import type { NoteDetail } from '@zhuguan/contract/features/dispatch/dispatch.record.ts'
import { deliveryMethod } from '@zhuguan/contract/features/orders/orders.record.ts'

import { NoteLines } from './NoteDrawer.tsx'
import { PaperLine, PrintWithLink } from './PrintWithLink.tsx'
import { useMayLink } from './useNoteActions.ts'

/** The note on paper. */
export function NotePrint({ note: n, onClose }: { note: NoteDetail; onClose: () => void }) {
  const mayLink = useMayLink()(n)
  const isPickup = n.method === deliveryMethod.code.pickup
  return (
    <PrintWithLink
      title={n.afterSale ? '送货单（售后）' : '送货单'}
      code={n.code}
      target={n.id}
      mayLink={mayLink}
      onClose={onClose}
    >
      <div className="note-paper-facts">
        <PaperLine name="发货方">{n.receiverName}</PaperLine>
        <PaperLine name="收货方">{`${n.bc_name} ${n.ws_name}`}</PaperLine>
        <PaperLine name="订单号">{n.orderCode}</PaperLine>
        <PaperLine name="交付方式">{deliveryMethod.label(n.method)}</PaperLine>
        <PaperLine name={isPickup ? '自提门店' : '收货地址'}>
          {isPickup ? n.pickupStore : n.address}
        </PaperLine>
        <PaperLine name="联系人">{`${n.contact} ${n.contactPhone}`.trim()}</PaperLine>
        <PaperLine name="预计到达">{`${n.plannedOn ?? ''} ${n.window}`.trim()}</PaperLine>
        <PaperLine name="车次 / 运单">
          {[n.tripCode, n.carrier, n.waybill].filter(Boolean).join(' ')}
        </PaperLine>
      </div>
      <NoteLines of={n} />
    </PrintWithLink>
  )
}
