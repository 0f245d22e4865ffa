import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { alarmType } from '@zhuguan/contract/features/alarms/alarms.record.ts'
import type { statisticsApi } from '@zhuguan/contract/features/statistics/statistics.api.ts'
import { trustsApi } from '@zhuguan/contract/features/trusts/trusts.api.ts'
import { ENOUGH_VERDICTS } from '@zhuguan/contract/features/trusts/trusts.record.ts'
import type { AddressOf } from '@zhuguan/contract/kit/api.ts'

import { callAddressed } from '../../kit/api.ts'
import { ChartCard } from '../../kit/chart/ChartCard.tsx'
import { RankList } from '../../kit/chart/RankList.tsx'
import { hrefOf, LinkTo } from '../../kit/LinkTo.tsx'
import { FIGURES_MS, useLive } from '../../kit/live.ts'

const SHOWN = '10'
/** How often cameras are wrong, as the account of their trust has it: there is no second reckoning. */
export function FalseShares({
  within,
  active,
}: {
  within: Pick<AddressOf<typeof statisticsApi.alarms>, 'bc_id' | 'type'>
  active: boolean
}) {
  const query = { ...within, sort: '-share', pageSize: SHOWN }
  const pairs = useQuery({
    queryKey: [trustsApi.list.path, query],
    enabled: active,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => callAddressed(trustsApi.list, query, signal),
  })
  useLive(['trust'], () => pairs.refetch(), { every: FIGURES_MS })
  const rows = (pairs.data?.list ?? []).filter((t) => t.share !== null)
  return (
    <ChartCard
      title="摄像头误报率"
      note={`不分日期，满 ${ENOUGH_VERDICTS} 条判定才算`}
      of={pairs}
      empty={pairs.data && rows.length === 0 && `样本不足：还没有判定满 ${ENOUGH_VERDICTS} 条的摄像头。`}
      tools={
        <LinkTo page="AlarmTrust" className="button">
          AI 信任账
        </LinkTo>
      }
    >
      <RankList
        label="摄像头误报率"
        unit="%"
        items={rows.map((t) => ({
          name: `${t.deviceSn} ${alarmType.label(t.type)}`,
          value: Math.round(t.share! * 1000) / 10,
          note: `${t.wrong}/${t.n} · ${t.siteName}`,
        }))}
        onPick={(p) => {
          const { device_id, type } = rows[p.index]!
          location.hash = hrefOf('AlarmTrust', { device_id, type })
        }}
      />
    </ChartCard>
  )
}
