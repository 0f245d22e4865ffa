import { linkTo } from '@zhuguan/contract/links.ts'
import type { TURNS } from '@zhuguan/contract/turns.ts'

import type { Tx } from '../../database/connect.ts'
import type { Call } from '../../kit/serve.ts'
import { passTurn } from '../notifications/turns.service.ts'

interface Finished {
  id: string
  code: string
  bc_id: string
  site_id: string | null
}
/** The person whose turn it is to write the final bill of a finished home. */
export const passBill = (
  tx: Tx,
  call: Call,
  c: Finished,
  change: keyof typeof TURNS.finalBill.on,
  title = '',
): Promise<string[]> =>
  passTurn(tx, 'finalBill', change, {
    tenant: call.user.tenant,
    place: { bc_id: c.bc_id, site_id: c.site_id },
    actor: call.user.id,
    title,
    link: linkTo('ContractDetail', { id: c.id }),
    cause: { kind: 'finalBill', id: c.id },
  })
