import { useQuery } from '@tanstack/react-query'
import type { SettingKey } from '@zhuguan/contract/features/settings/settings.record.ts'
import { THRESHOLD_OF } from '@zhuguan/contract/features/settings/warning-settings.ts'
import { warningsApi } from '@zhuguan/contract/features/warnings/warnings.api.ts'
import { type WarningRule, warningRule } from '@zhuguan/contract/features/warnings/warnings.record.ts'

import { call } from '../../kit/api.ts'

/** The finds of a threshold that is not saved yet; nothing for other settings. */
export function wouldWarn(p: { key: SettingKey; value: unknown; bcId: string }) {
  const rule = warningRule.values.find((r) => THRESHOLD_OF[r] === p.key)
  return rule && typeof p.value === 'number' ? (
    <WouldWarn rule={rule} threshold={p.value} bcId={p.bcId} />
  ) : undefined
}
function WouldWarn({ rule, threshold, bcId }: { rule: WarningRule; threshold: number; bcId: string }) {
  const query = { rule, threshold, bc_id: bcId || undefined }
  const { data, error } = useQuery({
    queryKey: [warningsApi.foresee.path, query],
    queryFn: ({ signal }) => call(warningsApi.foresee, { query }, signal),
    placeholderData: (before) => before,
  })
  if (error) return <>{error.message}</>
  return <span aria-busy={!data}>{data ? `保存以后，现在会有 ${data.n} 条` : '正在数…'}</span>
}
