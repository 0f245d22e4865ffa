import { tripsApi } from '@zhuguan/contract/features/dispatch/trips.api.ts'
import type { ArrivalRow } from '@zhuguan/contract/features/dispatch/trips.record.ts'

import { DayField } from '../../kit/form/DayField.tsx'
import { ReasonField } from '../../kit/form/fields.tsx'
import { type DrawerProps, FormDrawer } from '../../kit/form/FormDrawer.tsx'
import { useForm } from '../../kit/form/useForm.ts'
import { dayOf, nowSeconds } from '../../kit/time.ts'

import './notes.css'

/** Goods come on another day; the other side is told why. */
export default function ReplanDrawer({ of, to, ...p }: DrawerProps & { of: ArrivalRow; to: string }) {
  const today = dayOf(nowSeconds())
  const { id, version } = of
  const form = useForm(tripsApi.replan, { id, version, plannedOn: to, reason: '' })
  return (
    <FormDrawer
      form={form}
      title={`改到货日期：${of.code}`}
      narrow
      may={form.values.plannedOn !== of.plannedOn}
      done={`${of.code} 已改到 ${form.values.plannedOn} 到货`}
      {...p}
    >
      <p className="note-said">
        {of.ws_name}，{of.names}。原定 {of.plannedOn} 到货；改了以后对方会收到通知。
      </p>
      <DayField of={form} name="plannedOn" from={today} />
      <ReasonField of={form} name="reason" example="业主改到周末在家收货" />
    </FormDrawer>
  )
}
