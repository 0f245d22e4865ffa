import { useQueryClient } from '@tanstack/react-query'
import { dispatchApi } from '@zhuguan/contract/features/dispatch/dispatch.api.ts'
import { logisticsApi } from '@zhuguan/contract/features/dispatch/logistics.api.ts'
import { tripsApi } from '@zhuguan/contract/features/dispatch/trips.api.ts'
import { ordersApi } from '@zhuguan/contract/features/orders/orders.api.ts'

const PATHS: readonly unknown[] = [
  dispatchApi.list,
  dispatchApi.details,
  logisticsApi.list,
  ordersApi.details,
  ordersApi.list,
  ordersApi.received,
  tripsApi.arrivals,
].map((endpoint) => endpoint.path)
/** After a command on a note: whatever shows it reads anew; kept pages when they are seen again. */
export function useNotesAnew(): () => void {
  const client = useQueryClient()
  return () => void client.invalidateQueries({ predicate: ({ queryKey }) => PATHS.includes(queryKey[0]) })
}
