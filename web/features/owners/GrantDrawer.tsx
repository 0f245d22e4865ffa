import { deviceStatus } from '@zhuguan/contract/features/devices/devices.record.ts'
import { grantsApi } from '@zhuguan/contract/features/owners/grants.api.ts'
import type { ContactVideo, HomeVideoPage } from '@zhuguan/contract/features/owners/grants.record.ts'
import { hoursText, passesMidnight } from '@zhuguan/contract/features/owners/watch-hours.ts'

import { DayField } from '../../kit/form/DayField.tsx'
import { ManyField, SwitchField, TextField } from '../../kit/form/fields.tsx'
import { type DrawerProps, FormDrawer } from '../../kit/form/FormDrawer.tsx'
import { useForm } from '../../kit/form/useForm.ts'
import { dayOf, nowSeconds } from '../../kit/time.ts'

const A_MONTH_S = 30 * 86_400

/** The cameras, days and hours in which somebody of the home may look. */
export default function GrantDrawer({
  of,
  home,
  ...p
}: DrawerProps & { of: ContactVideo; home: HomeVideoPage }) {
  const { grant } = of
  const today = dayOf(nowSeconds())
  const hours = grant ?? home.hours
  const form = useForm(grantsApi.grant, {
    contact_id: of.contact_id,
    cameras: grant ? grant.cameras.filter((c) => c.here).map((c) => c.id) : home.cameras.map((c) => c.id),
    fromDay: grant?.fromDay ?? today,
    toDay: grant?.toDay ?? dayOf(nowSeconds() + A_MONTH_S),
    from: hours.from,
    to: hours.to,
    nextDay: passesMidnight(hours),
  })
  const options = home.cameras.map((c) => ({
    value: c.id,
    label: `${c.sn}（${deviceStatus.label(c.status)}）`,
  }))
  return (
    <FormDrawer {...p} form={form} title={`${grant ? '更改' : ''}授权看现场：${of.name}`} done="已授权">
      <p className="quiet lead">
        只能看这个家的实时画面，不能看录像；业主视频时段是 {hoursText(home.hours)}，授权只能更短。
        {grant && '更改以后以新的为准，本人的页面上会看到。'}
      </p>
      <ManyField of={form} name="cameras" options={options} />
      <div className="pair">
        <DayField of={form} name="fromDay" />
        <DayField of={form} name="toDay" />
      </div>
      <div className="pair">
        <TextField of={form} name="from" example="08:00" />
        <TextField of={form} name="to" example="20:00" />
      </div>
      <SwitchField
        of={form}
        name="nextDay"
        words={['到次日', '当天结束']}
        hint="22:00 到次日 02:00 算在前一天"
      />
    </FormDrawer>
  )
}
