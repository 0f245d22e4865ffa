import { contractPaper as paperKind } from '@zhuguan/contract/features/contracts/contracts.record.ts'

import { found, Refused } from '../../kit/refuse.ts'
import type { Call } from '../../kit/serve.ts'
import { sendBranchPaper } from '../companies/branch-paper.service.ts'
import { contractDetail } from './contract-detail.queries.ts'
import { billPaper, contractPaper } from './contract-paper.ts'

/** The contract, or its final bill, as the customer keeps it. What costs is read for nobody's paper. */
export async function printContract(
  call: Call,
  query: { id: string; paper: (typeof paperKind.values)[number] },
): Promise<void> {
  const c = found(await call.read((tx) => contractDetail(tx, call.user.scope, query.id, false)))
  const isBill = query.paper === paperKind.code.bill
  if (isBill && c.bill === null) throw new Refused('工地还没有完工，没有竣工结算单')
  const name = paperKind.label(query.paper)
  await sendBranchPaper(
    call,
    c,
    `${c.code}-${name}`,
    { action: `打印${name} PDF`, object: 'contract', objectId: c.id, after: { code: c.code } },
    (head, foot) => (isBill ? billPaper : contractPaper)(c, head, foot),
  )
}
