import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { streamsApi } from '@zhuguan/contract/features/streams/streams.api.ts'
import { MOST_LOOKED_AT } from '@zhuguan/contract/features/streams/streams.record.ts'
import { hasPermission } from '@zhuguan/contract/kit/permits.ts'

import { call } from '../../kit/api.ts'
import { useLive } from '../../kit/live.ts'
import { useActor } from '../session.ts'

/** Working hours begin and end on the minute. */
const FRESH_MS = 60_000

/**
 * Why nobody looks through a camera now, so that a button that would be refused says so before: the site has ended, or
 * people live there and nobody works. Asked once for all cameras of a page, and again when a site changes.
 */
export function useNoLook(devices: readonly string[]): (device: string) => string | undefined {
  const mayLook = hasPermission(useActor(), 'device:live')
  const asked = [...new Set(devices)].toSorted().slice(0, MOST_LOOKED_AT)
  const { data, refetch } = useQuery({
    queryKey: [streamsApi.looking.path, asked.join()],
    enabled: mayLook && asked.length > 0,
    refetchInterval: FRESH_MS,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => call(streamsApi.looking, { body: { devices: asked } }, signal),
  })
  useLive(['site'], () => (mayLook && asked.length ? refetch() : undefined))
  return (device) => data?.find((d) => d.device_id === device)?.why || undefined
}
