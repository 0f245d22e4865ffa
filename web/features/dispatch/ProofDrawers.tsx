import { dispatchApi } from '@zhuguan/contract/features/dispatch/dispatch.api.ts'
import {
  type NoteDetail,
  type ProofFacts,
  sendBackReason,
} from '@zhuguan/contract/features/dispatch/dispatch.record.ts'
import { deliveryMethod } from '@zhuguan/contract/features/orders/orders.record.ts'

import { CodeField, ReasonField, TextField } from '../../kit/form/fields.tsx'
import { type DrawerProps, FormDrawer } from '../../kit/form/FormDrawer.tsx'
import { type Fields, useForm } from '../../kit/form/useForm.ts'
import { PictureField } from '../../parts/PictureFields.tsx'
import { isPart, isPossible, NoteParts, partsOf } from './NoteParts.tsx'

import './notes.css'

type Props = DrawerProps & { note: NoteDetail }
const isPickup = (n: NoteDetail) => n.method === deliveryMethod.code.pickup
const needs = (n: NoteDetail) => (isPickup(n) ? (['pickupCode'] as const) : [])
const begun = (n: NoteDetail) => ({
  id: n.id,
  version: n.version,
  photo: null,
  signature: null,
  place: '',
  lng: null,
  lat: null,
  pickupCode: '',
})

/** The proof that goods were handed over. */
const Proof = ({ of, note }: { of: Fields<ProofFacts>; note: NoteDetail }) => (
  <>
    {isPickup(note) && (
      <TextField of={of} name="pickupCode" inputMode="numeric" hint="取货人手里的 6 位数字，请当面核对" />
    )}
    <PictureField of={of} name="photo" caption="送达照片" hint="拍到货和门牌或现场" />
    <TextField of={of} name="place" example={isPickup(note) ? '城西门店前台' : '3 幢 1 单元门口'} />
  </>
)

/** Everything on the note is there. */
export function Deliver({ note, ...p }: Props) {
  const form = useForm(dispatchApi.deliver, begun(note), { need: needs(note) })
  return (
    <FormDrawer form={form} title={`确认送达：${note.code}`} done={`${note.code} 已送达`} {...p}>
      <p className="note-said">
        整张发货单 {note.lines} 行全部送到，等待验收。只送到一部分的，请用“部分交货”。
      </p>
      <Proof of={form} note={note} />
    </FormDrawer>
  )
}

/** A part of it is there; the rest is still under way. */
export function HandOver({ note, ...p }: Props) {
  const form = useForm(
    dispatchApi.handOver,
    { ...begun(note), lines: partsOf(note, false), reason: '' },
    { blank: { lines: ['quantity'] }, need: needs(note) },
  )
  const { lines } = form.values
  const isWhole = isPossible(note, lines) && !isPart(note, lines)
  return (
    <FormDrawer
      form={form}
      title={`部分交货：${note.code}`}
      size="min(720px, 100vw)"
      may={isPossible(note, lines) && !isWhole}
      done={({ code }) => ({ text: `交到的在 ${code} 上，等待验收` })}
      {...p}
    >
      <p className="note-said">填写这次交到的数量，没到的留空。交到的另成一张发货单，余下的还在路上。</p>
      <NoteParts of={form} note={note} label="交货数量" />
      {isWhole && <p className="note-part">全部交到了，请改用“确认送达”。</p>}
      <ReasonField of={form} name="reason" label="没交完的原因" example="电梯坏了，余下的明天再送" />
      <Proof of={form} note={note} />
    </FormDrawer>
  )
}

/** The whole note goes back to who sent it. */
export function SendBack({ note: { id, version, code, lines }, ...p }: Props) {
  const form = useForm(dispatchApi.sendBack, { id, version, back: null, reason: '' })
  return (
    <FormDrawer form={form} title={`整单退回：${code}`} done={`${code} 已退回`} danger {...p}>
      <p className="note-said">{`发货单 ${code} 的 ${lines} 行全部退回，商品回到待发货。`}</p>
      <CodeField of={form} name="back" codes={sendBackReason} />
      <ReasonField of={form} name="reason" label="说明" example="工地没人接货，司机等了两小时" />
    </FormDrawer>
  )
}
