import { useQuery } from '@tanstack/react-query'
import { alarmsApi } from '@zhuguan/contract/features/alarms/alarms.api.ts'
import { homeAlarmColumns } from '@zhuguan/contract/features/alarms/alarms.columns.ts'
import { alarmType, correctionStatus } from '@zhuguan/contract/features/alarms/alarms.record.ts'
import { sitesApi } from '@zhuguan/contract/features/sites/sites.api.ts'

import { call } from '../../kit/api.ts'
import { LinkTo } from '../../kit/LinkTo.tsx'
import { columnsOf } from '../../kit/list/columnsOf.tsx'
import { CodeFilter, DayRangeFilter } from '../../kit/list/filters.tsx'
import { ListPage } from '../../kit/list/ListPage.tsx'
import { useList } from '../../kit/list/useList.ts'
import { useLiveRows } from '../../kit/list/useLiveRows.ts'
import { NoSubject } from '../../kit/NoSubject.tsx'
import { Picture } from '../../kit/Picture.tsx'
import { full } from '../../kit/time.ts'
import { StatusOf } from '../../parts/correcting.tsx'
import { useMayOpen } from '../../parts/session.ts'
import { nameOf } from './nameOf.ts'

const columns = columnsOf<typeof alarmsApi.list>()(homeAlarmColumns, {
  picture: (a) => (
    <Picture picture={a.picture} caption={`${a.deviceSn} ${full(a.at)}`} width={54} height={30} />
  ),
  type: nameOf,
  status: (a) => <StatusOf of={a} />,
})

/** The alarms of the cameras of one home, and what became of them. */
export default function OwnerWarnrecordPage() {
  const list = useList(alarmsApi.list, { about: 'site_id' })
  const { site_id } = list.address.filters
  const mayOpen = useMayOpen('AlarmEvent')
  const { data: site } = useQuery({
    queryKey: [sitesApi.pick.path, site_id],
    enabled: !!site_id,
    queryFn: ({ signal }) => call(sitesApi.pick, { query: { id: site_id! } }, signal),
  })
  useLiveRows(list, ['alarm'], (e) => e.id)
  if (!site_id) return <NoSubject what="工地" from="业主列表" />
  return (
    <ListPage
      name="报警"
      list={list}
      columns={columns}
      empty="这个工地没有报警。"
      order={['未办结的在前', '未办结的按截止时间从早到晚在前，已办结的在后']}
      filters={
        <>
          <b className="about">{site?.[0]?.ws_name}</b>
          <CodeFilter list={list} field="type" label="类型" options={alarmType.options} />
          <CodeFilter
            list={list}
            field="correctionStatus"
            label="整改状态"
            options={correctionStatus.options}
          />
          <DayRangeFilter list={list} from="from" to="to" label="时间范围" />
        </>
      }
      actions={
        mayOpen && (
          <LinkTo className="button" page="AlarmEvent" query={{ site_id }}>
            去报警事件管理处理
          </LinkTo>
        )
      }
    />
  )
}
