import { dispatchApi } from '@zhuguan/contract/features/dispatch/dispatch.api.ts'
import type { NoteDetail, ShipFacts } from '@zhuguan/contract/features/dispatch/dispatch.record.ts'
import { deliveryMethod } from '@zhuguan/contract/features/orders/orders.record.ts'
import { latestDay } from '@zhuguan/contract/kit/latest-day.ts'
import { useState } from 'react'

import { DayField } from '../../kit/form/DayField.tsx'
import { ChoiceField, TextField } from '../../kit/form/fields.tsx'
import { type DrawerProps, FormDrawer } from '../../kit/form/FormDrawer.tsx'
import { useForm } from '../../kit/form/useForm.ts'
import { dayOf, nowSeconds } from '../../kit/time.ts'
import { isPart, isPossible, NoteParts, partsOf } from './NoteParts.tsx'
import { TripField } from './TripField.tsx'

import './notes.css'

const { home, pickup, trip } = deliveryMethod.code
/** The further questions of each method; the server refuses without them. */
const NEEDS: Record<number, readonly (keyof ShipFacts)[]> = {
  [home]: ['address', 'contact', 'window'],
  [trip]: ['trip_id'],
  [pickup]: ['pickupStore'],
}

/** The goods that leave now, their way, and their arrival. */
export function ShipDrawer({ note, ...p }: DrawerProps & { note: NoteDetail }) {
  const today = dayOf(nowSeconds())
  const [method, setMethod] = useState<number>(note.method)
  const form = useForm(
    dispatchApi.ship,
    {
      id: note.id,
      version: note.version,
      lines: partsOf(note, true),
      method: note.method,
      plannedOn: note.plannedOn && note.plannedOn > today ? note.plannedOn : today,
      address: note.address,
      contact: note.contact,
      contactPhone: note.contactPhone,
      window: note.window,
      trip_id: note.trip_id,
      pickupStore: note.pickupStore || note.receiverName,
      pickupUntil: note.pickupUntil,
      carrier: note.carrier,
      waybill: note.waybill,
    },
    { blank: { lines: ['quantity'] }, need: NEEDS[method] },
  )
  const { lines, method: chosen } = form.values
  // The form asks for other fields once another method is chosen.
  if (chosen && chosen !== method) setMethod(chosen)
  return (
    <FormDrawer
      form={form}
      title={`发货：${note.code}`}
      ok="发货"
      size="min(720px, 100vw)"
      may={isPossible(note, lines)}
      done={({ rest }) => ({
        text: rest ? `${note.code} 已发货，余下的在 ${rest.code}` : `${note.code} 已发货`,
      })}
      {...p}
    >
      <p className="note-said">
        {note.ws_name}，订单 {note.orderCode}。这次不发的改小数量或清空，余下的自动开一张新的发货单。
      </p>
      <NoteParts of={form} note={note} label="发货数量" />
      {isPart(note, lines) && <p className="note-part">只发一部分，余下的留在另一张发货单上。</p>}
      <ChoiceField of={form} name="method" codes={deliveryMethod} />
      {method === trip && (
        <TripField
          of={form}
          receiver={note.receiver_id}
          day={form.values.plannedOn || today}
          onPick={(t) => form.set({ plannedOn: t.day })}
        />
      )}
      {method === pickup ? (
        <div className="pair">
          <TextField of={form} name="pickupStore" />
          <DayField of={form} name="pickupUntil" from={today} hint="不填的话按公司设置的天数" />
        </div>
      ) : (
        <>
          <TextField of={form} name="address" />
          <div className="pair">
            <TextField
              of={form}
              name="contact"
              {...(method === trip && { hint: '和电话都不填的话用工地项目经理的' })}
            />
            <TextField of={form} name="contactPhone" inputMode="tel" />
          </div>
        </>
      )}
      <div className="pair">
        <DayField of={form} name="plannedOn" from={today} to={latestDay(today)} />
        {method === pickup ? <span /> : <TextField of={form} name="window" example="上午 9 点到 12 点" />}
      </div>
      {method === home && (
        <div className="pair">
          <TextField of={form} name="carrier" example="德邦快递" hint="自己送的不用填" />
          <TextField of={form} name="waybill" />
        </div>
      )}
    </FormDrawer>
  )
}
