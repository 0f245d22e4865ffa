import { useQuery } from '@tanstack/react-query'
import { violationsApi } from '@zhuguan/contract/features/violations/violations.api.ts'
import { violationType } from '@zhuguan/contract/features/violations/violations.record.ts'

import { call } from '../../kit/api.ts'
import { DayField, TimeField } from '../../kit/form/DayField.tsx'
import { CodeField, TextField } from '../../kit/form/fields.tsx'
import { type DrawerProps, FormDrawer } from '../../kit/form/FormDrawer.tsx'
import { useForm } from '../../kit/form/useForm.ts'
import { dayOf, nowSeconds } from '../../kit/time.ts'
import { SiteField, WorkerField } from '../../parts/pickFields.tsx'
import { PicturesField } from '../../parts/PictureFields.tsx'

/** Somebody writes down what they saw. */
export default function ViolationDrawer({
  worker_id,
  site_id,
  ...p
}: DrawerProps & { worker_id?: string | undefined; site_id?: string | undefined }) {
  const today = dayOf(nowSeconds())
  const form = useForm(violationsApi.add, {
    worker_id,
    site_id,
    type: null,
    day: today,
    time: '',
    pictures: [],
    remark: '',
  })
  const { site_id: site, type } = form.values
  const { data: cost } = useQuery({
    queryKey: [violationsApi.points.path, site, type],
    enabled: !!site && !!type,
    queryFn: ({ signal }) => call(violationsApi.points, { query: { site_id: site!, type: type! } }, signal),
  })
  return (
    <FormDrawer {...p} form={form} title="登记违规" done="已登记">
      {!worker_id && <WorkerField of={form} name="worker_id" />}
      {!site_id && <SiteField of={form} name="site_id" hint="工人那天所在的工地" />}
      <CodeField
        of={form}
        name="type"
        codes={violationType}
        hint={cost && type ? `扣 ${cost.points} 分` : undefined}
      />
      <div className="pair">
        <DayField of={form} name="day" to={today} />
        <TimeField of={form} name="time" />
      </div>
      <PicturesField of={form} name="pictures" caption="证据照片" hint="一张，没有用于别的记录" />
      <TextField of={form} name="remark" rows={3} />
    </FormDrawer>
  )
}
