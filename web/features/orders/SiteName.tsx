import type { OrderRow } from '@zhuguan/contract/features/orders/orders.record.ts'

import { LinkTo } from '../../kit/LinkTo.tsx'
import { NOTHING } from '../../kit/list/columnsOf.tsx'
import { useMayReach } from '../../parts/session.ts'

type Placed = Pick<OrderRow, 'site_id' | 'ws_name' | 'community'>
/** The site, for whoever may open it; the receiver knows its community. */
export function SiteName({ of: o }: { of: Placed }) {
  const may = useMayReach('SiteInfo')
  const name = o.ws_name || o.community || NOTHING
  if (!may || !o.site_id) return name
  return (
    <LinkTo page="SiteInfo" query={{ id: o.site_id }} onClick={(e) => e.stopPropagation()}>
      {name}
    </LinkTo>
  )
}
