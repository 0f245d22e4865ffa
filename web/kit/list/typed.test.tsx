import { alarmsApi } from '@zhuguan/contract/features/alarms/alarms.api.ts'
import type { AlarmRow } from '@zhuguan/contract/features/alarms/alarms.record.ts'
import { alarmActions } from '@zhuguan/contract/features/corrections/corrections.actions.ts'
import { statisticsApi } from '@zhuguan/contract/features/statistics/statistics.api.ts'
import { code, columnsOf as declared, drawn, text, time } from '@zhuguan/contract/kit/columns.ts'
import type { Actor } from '@zhuguan/contract/kit/permits.ts'
import { expect, test } from 'vitest'

import { SiteFilter } from '../../parts/places.tsx'
import { actionsOf } from '../actionsOf.ts'
import { callAddressed } from '../api.ts'
import { columnsOf } from './columnsOf.tsx'
import { CodeFilter, DayRangeFilter, KeywordFilter } from './filters.tsx'
import { type ColumnOf, ListPage } from './ListPage.tsx'
import { useFilters } from './useFilters.ts'
import type { List } from './useList.ts'

type Alarms = typeof alarmsApi.list
const alarms = (list: List<Alarms>) => [
  <CodeFilter list={list} field="correctionStatus" label="整改状态" options={[]} />,
  // @ts-expect-error the list knows no such filter
  <CodeFilter list={list} field="status" label="状态" options={[]} />,
  <DayRangeFilter list={list} from="from" to="to" label="时间范围" />,
  // @ts-expect-error neither end may be misspelt
  <DayRangeFilter list={list} from="form" to="to" label="时间范围" />,
  <SiteFilter list={list} />,
  // @ts-expect-error alarms are not searched by a keyword
  <KeywordFilter list={list} placeholder="关键字" />,
  list.filter(['type', 'smoking']),
  // @ts-expect-error no filter of this name
  list.filter(['kind', 'smoking']),
  list.rows[0]?.siteName,
  // @ts-expect-error no row has it
  list.rows[0]?.ws_name,
  <ListPage name="报警" list={list} columns={columns} filters={null} empty="" />,
  // @ts-expect-error columns of another list's rows
  <ListPage name="报警" list={list} columns={sheet} filters={null} empty="" />,
]
const columns: ColumnOf<Alarms>[] = [
  { key: 'at', title: '时间', sort: 'at', render: (a) => a.at },
  // @ts-expect-error the server does not sort by it
  { key: 'site', title: '工地', sort: 'siteName', render: (a) => a.siteName },
  // @ts-expect-error no row has it
  { key: 'name', title: '名称', render: (a) => a.ws_name },
]
const sheet: ColumnOf<typeof statisticsApi.dailySheet>[] = [
  { key: 'day', title: '日期', sort: 'day', render: (r) => r.day },
]
const table = declared<Alarms>()({
  site: text('工地', 'siteName'),
  picture: drawn('抓拍'),
  at: time('时间', 'at', { sort: 'at' }),
})
const made = () => [
  columnsOf<Alarms>()(table, { picture: (a) => a.picture }),
  // @ts-expect-error what is only drawn must be drawn
  columnsOf<Alarms>()(table, {}),
  // @ts-expect-error there is no such column
  columnsOf<Alarms>()(table, { picture: (a) => a.picture, name: (a) => a.id }),
  // @ts-expect-error no row has it
  declared<Alarms>()({ name: text('名称', 'ws_name') }),
  // @ts-expect-error a text is no moment
  declared<Alarms>()({ site: time('工地', 'siteName') }),
  // @ts-expect-error the server does not sort by it
  declared<Alarms>()({ site: text('工地', 'siteName', { sort: 'siteName' }) }),
  // @ts-expect-error pictures are no codes
  declared<Alarms>()({ seen: code('连拍', 'lowTrust', { label: String, options: [] }) }),
]
const buttons = (alarm: AlarmRow, actor: Actor) => {
  const run = () => Promise.resolve()
  const open = () => {}
  const rest = {
    start: { run },
    submit: { open },
    pass: { run },
    back: { run },
    dispute: { run },
    reopen: { run },
  }
  return [
    actionsOf(alarmActions, alarm, actor, { ...rest, assign: { open }, cancel: { open } }),
    actionsOf(alarmActions, alarm, actor, { ...rest, assign: { open }, cancel: null }),
    // @ts-expect-error to assign asks for a person: it needs its drawer
    actionsOf(alarmActions, alarm, actor, { ...rest, assign: { run }, cancel: { open } }),
    // @ts-expect-error no action is forgotten
    actionsOf(alarmActions, alarm, actor, { ...rest, assign: { open } }),
  ]
}
const Figures = () => {
  const place = useFilters<typeof statisticsApi.attend | typeof statisticsApi.attendGroups>()
  // @ts-expect-error neither call takes it
  void place.address.filters.colour
  return place.address.filters.grain
}
const asked = () => [
  callAddressed(alarmsApi.list, { type: 'smoking,noclothes', pageNo: 2 }),
  // @ts-expect-error the call takes no such name
  callAddressed(alarmsApi.list, { kind: 'smoking' }),
]

test('what the compiler refused above is all there is to see: the parts exist under these names', () => {
  for (const part of [alarms, buttons, columns, made, sheet, Figures, asked, ListPage, CodeFilter])
    expect(part).toBeDefined()
})
