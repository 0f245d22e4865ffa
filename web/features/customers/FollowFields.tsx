import { useQuery } from '@tanstack/react-query'
import { followUpsApi } from '@zhuguan/contract/features/customers/follow-ups.api.ts'
import { followKind, type FollowRow } from '@zhuguan/contract/features/customers/follow-ups.record.ts'
import { Input, Radio, Switch } from 'antd'

import { call } from '../../kit/api.ts'
import { MomentPicker } from '../../kit/form/MomentField.tsx'
import { dayOf, dayStart, nowSeconds } from '../../kit/time.ts'

const DAY = 86_400
const MORNING = 10 * 3_600
export interface Next {
  kind: FollowRow['kind']
  at: number
  content: string
}
/** In the morning, three days from now: what is proposed may be changed. */
export const proposed = (kind: FollowRow['kind']): Next => ({
  kind,
  at: dayStart(dayOf(nowSeconds() + 3 * DAY)) + MORNING,
  content: '',
})

/** The other appointments at that hour, and whether nobody works that day: shown, not refused. */
export function Clashes({
  customer_id,
  at,
  id,
}: {
  customer_id: string
  at: number | null | undefined
  id?: string
}) {
  const { data } = useQuery({
    queryKey: [followUpsApi.clashes.path, customer_id, at, id],
    enabled: !!at,
    queryFn: ({ signal }) => call(followUpsApi.clashes, { query: { customer_id, at: at!, id } }, signal),
  })
  if (!data?.notes.length) return null
  return (
    <ul role="status" className="quiet">
      {data.notes.map((note) => (
        <li key={note}>{note}</li>
      ))}
    </ul>
  )
}

/** The next one, planned with the same hand; off where there is none. */
export function NextFields({
  value,
  put,
  customer_id,
}: {
  value: Next | null | undefined
  put: (next: Next | null) => void
  customer_id: string
}) {
  return (
    <>
      <Switch
        aria-label="计划下次跟进"
        checked={!!value}
        checkedChildren="计划下次"
        unCheckedChildren="没有下次"
        onChange={(on) => put(on ? proposed('phone') : null)}
      />
      {value && (
        <div className="customer-next">
          <Radio.Group
            aria-label="下次方式"
            className="choices"
            value={value.kind}
            options={[...followKind.options]}
            onChange={(e) => put({ ...value, kind: e.target.value as Next['kind'] })}
          />
          <MomentPicker
            aria-label="下次时间"
            value={value.at}
            onChange={(at) => put({ ...value, at: at ?? value.at })}
          />
          <Input
            aria-label="下次内容"
            maxLength={500}
            placeholder="下次做什么，可以不写"
            value={value.content}
            onChange={(e) => put({ ...value, content: e.target.value })}
          />
          <Clashes customer_id={customer_id} at={value.at} />
        </div>
      )}
    </>
  )
}
