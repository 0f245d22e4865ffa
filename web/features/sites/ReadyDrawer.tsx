import { ordersApi } from '@zhuguan/contract/features/orders/orders.api.ts'
import type { SiteRow } from '@zhuguan/contract/features/sites/sites.record.ts'

import { DayField } from '../../kit/form/DayField.tsx'
import { TextField } from '../../kit/form/fields.tsx'
import { type DrawerProps, FormDrawer } from '../../kit/form/FormDrawer.tsx'
import { useForm } from '../../kit/form/useForm.ts'
import { dayOf, nowSeconds } from '../../kit/time.ts'

/** When goods may come, and where they are unloaded: said on the site, read by who orders and who delivers. */
export function ReadyDrawer({ site, ...p }: DrawerProps & { site: SiteRow }) {
  const today = dayOf(nowSeconds())
  const form = useForm(ordersApi.ready, { site_id: site.id, readyOn: today, place: '' })
  return (
    <FormDrawer
      {...p}
      form={form}
      narrow
      title={`可以到货：${site.ws_name}`}
      done={`已告诉下单和送货的人：${form.values.readyOn ?? today} 起可以到货`}
    >
      <DayField of={form} name="readyOn" from={today} hint="这一天起工地能收货；再填一次，以最后一次为准" />
      <TextField of={form} name="place" example="客厅靠窗" />
    </FormDrawer>
  )
}
