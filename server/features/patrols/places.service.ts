import { PLACE_DAYS } from '@zhuguan/contract/features/patrols/patrols.record.ts'

import { dayBegins, TODAY } from '../../kit/statement.ts'
import type { Tx } from '../../kit/tx.ts'

/** Where somebody stood when a patrol began is kept so many days; how far it was from the site stays. */
export const forgetPlaces = (tx: Tx, tenant: string, most: number) =>
  tx.run(
    'patrols.forgetplaces',
    `UPDATE patrols p SET lng = NULL, lat = NULL, accuracy = NULL
     WHERE p.tenant_id = $1 AND p.id IN (SELECT o.id FROM patrols o
       WHERE o.tenant_id = $1 AND o.lng IS NOT NULL AND o.begun_at < ${dayBegins(`(${TODAY} - ${PLACE_DAYS - 1})`)}
       LIMIT ${most})`,
    [tenant],
  )
