import { useQueryClient } from '@tanstack/react-query'
import { ordersApi } from '@zhuguan/contract/features/orders/orders.api.ts'

const { details, list, plan, received } = ordersApi
const PATHS: readonly unknown[] = [details, list, plan, received].map((endpoint) => endpoint.path)
/** After a command the pages of orders read anew; kept ones when they are seen again: hidden they hear nothing. */
export function useOrdersAnew(): () => void {
  const client = useQueryClient()
  return () => void client.invalidateQueries({ predicate: ({ queryKey }) => PATHS.includes(queryKey[0]) })
}
