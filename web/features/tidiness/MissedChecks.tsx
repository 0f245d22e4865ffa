import { useQuery } from '@tanstack/react-query'
import { tidinessApi } from '@zhuguan/contract/features/tidiness/tidiness.api.ts'
import { type MissedCheck, SCHEDULE_GRACE } from '@zhuguan/contract/features/tidiness/tidiness.record.ts'
import { Drawer } from 'antd'
import { useState } from 'react'

import { callAddressed } from '../../kit/api.ts'
import { LinkTo } from '../../kit/LinkTo.tsx'
import { NOTHING } from '../../kit/list/columnsOf.tsx'
import type { List } from '../../kit/list/useList.ts'
import { FIGURES_MS, useLive } from '../../kit/live.ts'
import { usePage } from '../../kit/page.tsx'
import { full, short } from '../../kit/time.ts'

/** The sites that nobody looked at today though their branch has set a time for it; nothing where all was seen. */
export function MissedChecks({ list }: { list: List<typeof tidinessApi.list> }) {
  const page = usePage()
  const { bc_id } = list.address.filters
  const { data, refetch } = useQuery({
    queryKey: [tidinessApi.missed.path, bc_id],
    enabled: page.active,
    // A time may have passed while nothing was told.
    refetchInterval: FIGURES_MS,
    queryFn: ({ signal }) => callAddressed(tidinessApi.missed, { bc_id }, signal),
  })
  useLive(['tidiness'], () => refetch(), { every: FIGURES_MS })
  const [time, setTime] = useState<string | null>(null)
  if (!data || data.length === 0) return null
  const times = [...new Set(data.map((m) => m.time))].sort()
  const of = (t: string) => data.filter((m) => m.time === t)
  return (
    <p className="missed-checks" role="status">
      {times.map((t) => (
        <button key={t} className="text-button worse" onClick={() => setTime(t)}>
          今天 {t} 应检未检 {of(t).length} 个工地
        </button>
      ))}
      {time && <Sites time={time} sites={of(time)} onClose={() => setTime(null)} />}
    </p>
  )
}

function Sites({
  time,
  sites,
  onClose,
}: {
  time: string
  sites: readonly MissedCheck[]
  onClose: () => void
}) {
  const { oneBranch } = usePage()
  return (
    <Drawer open title={`今天 ${time} 应检未检`} size="min(560px, 100vw)" onClose={onClose}>
      <p className="quiet">
        在建、有摄像头，{time} 前后 {SCHEDULE_GRACE} 分钟内没有整洁度检查的工地。应检时间在自助设置里定。
      </p>
      <table className="grid">
        <thead>
          <tr>
            <th>工地</th>
            <th>摄像头</th>
            <th>上次检查</th>
          </tr>
        </thead>
        <tbody>
          {sites.map((s) => (
            <tr key={s.site_id}>
              <td>
                <LinkTo page="SiteInfo" query={{ id: s.site_id }}>
                  {s.siteName}
                </LinkTo>
                {!oneBranch && <small> {s.bc_name}</small>}
              </td>
              <td className={s.online === 0 ? 'worse' : undefined}>
                {s.online === s.cameras ? `${s.cameras} 台在线` : `${s.cameras} 台，在线 ${s.online} 台`}
              </td>
              <td title={s.lastAt === null ? undefined : full(s.lastAt)}>
                {s.lastAt === null ? NOTHING : short(s.lastAt)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Drawer>
  )
}
