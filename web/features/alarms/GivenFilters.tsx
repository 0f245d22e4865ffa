import type { alarmsApi } from '@zhuguan/contract/features/alarms/alarms.api.ts'

import { GivenFilter } from '../../kit/list/filters.tsx'
import type { List } from '../../kit/list/useList.ts'

const dayOf = (day: string) => day.slice(5)
const hours = (kept: string) =>
  kept
    .split(',')
    .map((hour) => `${hour} 点`)
    .join('、')

/** The filters with which figures open the list. */
export const GivenFilters = ({ list }: { list: List<typeof alarmsApi.list> }) => (
  <>
    <GivenFilter list={list} field="device_id" label="摄像头" value={() => '指定的一台'} />
    <GivenFilter list={list} field="hour" label="时段" value={hours} />
    <GivenFilter
      list={list}
      field="assigned"
      label="责任人"
      value={(kept) => (kept === 'true' ? '已有' : '还没有')}
    />
    <GivenFilter list={list} field="closedOn" label="办结日期" value={dayOf} />
    <GivenFilter list={list} field="closedFrom" label="办结从" value={dayOf} />
    <GivenFilter list={list} field="closedTo" label="办结到" value={dayOf} />
  </>
)
