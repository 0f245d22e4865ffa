import { useQuery } from '@tanstack/react-query'
import { receptionsApi } from '@zhuguan/contract/features/receptions/receptions.api.ts'
import { receptionPurpose } from '@zhuguan/contract/features/receptions/receptions.record.ts'

import { call } from '../kit/api.ts'
import { DayField, TimeField } from '../kit/form/DayField.tsx'
import { CodeField, TextField } from '../kit/form/fields.tsx'
import { type DrawerProps, FormDrawer } from '../kit/form/FormDrawer.tsx'
import { useForm } from '../kit/form/useForm.ts'
import { dayOf, full, nowSeconds } from '../kit/time.ts'
import { PersonField } from './pickFields.tsx'

const MOST = 200

/** A day and an hour are agreed on, or somebody stands at the door. */
export default function ReceptionDrawer({
  site_id,
  host_id,
  words = '',
  ...p
}: Omit<DrawerProps, 'onDone'> & {
  site_id: string
  host_id: string | null
  /** The home's words, where it is made of that. */
  words?: string
  onDone: (made: { id: string }) => void
}) {
  const form = useForm(receptionsApi.add, {
    site_id,
    purpose: null,
    host_id,
    day: undefined,
    time: undefined,
    remark: words.slice(0, MOST),
  })
  const { day, host_id: host, time } = form.values
  const { data: beside = [] } = useQuery({
    queryKey: [receptionsApi.beside.path, site_id, host, day, time],
    enabled: !!day && !!time,
    queryFn: ({ signal }) =>
      call(
        receptionsApi.beside,
        { query: { site_id, host_id: host ?? undefined, day: day!, time: time! } },
        signal,
      ),
  })
  return (
    <FormDrawer {...p} form={form} title="登记业主到访" done="已登记">
      <CodeField of={form} name="purpose" codes={receptionPurpose} />
      <PersonField of={form} name="host_id" site={site_id} />
      <div className="pair">
        <DayField of={form} name="day" from={dayOf(nowSeconds())} hint="业主已经在工地，日期和时间留空" />
        <TimeField of={form} name="time" />
      </div>
      {beside.length > 0 && (
        <ul role="status" className="quiet">
          {beside.map((r) => (
            <li key={r.id}>{`${full(r.at)} ${r.hostName} 已约在 ${r.siteName}`}</li>
          ))}
        </ul>
      )}
      <TextField of={form} name="remark" rows={3} />
    </FormDrawer>
  )
}
