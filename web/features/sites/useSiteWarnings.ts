import { useQuery } from '@tanstack/react-query'
import { warningsApi } from '@zhuguan/contract/features/warnings/warnings.api.ts'
import type { WarningRow } from '@zhuguan/contract/features/warnings/warnings.record.ts'

import { callAddressed } from '../../kit/api.ts'
import { useLive } from '../../kit/live.ts'
import { useMayOpen } from '../../parts/session.ts'

const MOST = '100'
/** The open warnings of a site, the worst first; nothing for who may not open the list. */
export function useSiteWarnings(site_id: string): readonly WarningRow[] {
  const may = useMayOpen('WarningList')
  const query = { site_id, state: 'open,handling', pageSize: MOST }
  const { data, refetch } = useQuery({
    queryKey: [warningsApi.list.path, query],
    enabled: may && site_id !== '',
    queryFn: ({ signal }) => callAddressed(warningsApi.list, query, signal),
  })
  useLive(['warning'], () => may && refetch(), { only: (e) => e.site_id === site_id })
  return data?.list ?? []
}
