import { contractActions } from '@zhuguan/contract/features/contracts/contracts.actions.ts'
import type { contractsApi } from '@zhuguan/contract/features/contracts/contracts.api.ts'
import {
  contractFileKind,
  FIRST_PLAN,
  type InstalmentFacts,
  MOST_FILES,
} from '@zhuguan/contract/features/contracts/contracts.record.ts'
import { siteStage } from '@zhuguan/contract/features/sites/sites.record.ts'
import type { BodyOf } from '@zhuguan/contract/kit/api.ts'
import { instalmentsOf, isWhole } from '@zhuguan/contract/kit/money.ts'

import type { Tx } from '../../database/connect.ts'
import { actorAt } from '../../kit/reach.ts'
import { found, invalid, refuse, unlessSeen } from '../../kit/refuse.ts'
import { int4, row, text } from '../../kit/row.ts'
import type { Call } from '../../kit/serve.ts'
import { addDays } from '../../kit/shanghai.ts'
import { claimPaper } from '../files/files.service.ts'
import { tell } from '../live/live.service.ts'
import { nextNumberIn, type NumberedKind } from '../numbers/numbers.service.ts'
import { lockContract, type LockedContract, touch } from './contracts.queries.ts'
import { contractFrom } from './quoted.ts'

interface Paper {
  key: string
  name: string
}
type Command = Parameters<typeof contractActions.refusal>[0]
/** Locks a contract of which this version was seen, and refuses what cannot be done to it now. */
export async function lockSeen(
  tx: Tx,
  call: Call,
  body: { id: string; version: number },
  action: Command | ((c: LockedContract) => Command),
  papers: readonly Paper[] = [],
): Promise<LockedContract> {
  const c = found(await lockContract(tx, call.user.scope, body.id))
  unlessSeen(c, body.version, '份合同')
  // What is not the caller's is not there, whatever the contract says.
  for (const { key } of papers) await claimPaper(tx, call, key, c.bc_id)
  const asked = typeof action === 'string' ? action : action(c)
  refuse(contractActions.refusal(asked, c, actorAt(call.user, c)))
  return c
}
/** Whoever shows the contract hears of it; what happened on its site stands on the timeline, without amounts. */
export const tellContract = (
  tx: Tx,
  call: Call,
  c: Pick<LockedContract, 'id' | 'bc_id' | 'site_id'>,
  title?: string,
): void =>
  tell(tx, call, {
    topic: 'contract',
    bc: c.bc_id,
    site: c.site_id,
    id: c.id,
    ...(title && c.site_id ? { line: { kind: 'contract', title } } : {}),
  })
/** The next number of a kind in the contract's branch. */
export const numberOf = (tx: Tx, call: Call, kind: NumberedKind, bc: string): Promise<string> =>
  nextNumberIn(tx, { tenant: call.user.tenant, kind, bc })

/** The plan of a contract anew: shares of what was signed; approved changes stay beside it. */
export async function writePlan(
  tx: Tx,
  call: Call,
  c: { id: string; base: string },
  plan: readonly InstalmentFacts[],
): Promise<void> {
  const { tenant } = call.user
  const amounts = instalmentsOf(
    c.base,
    plan.map((p) => p.percent),
  )
  await tx.run(
    'contracts.unplan',
    'DELETE FROM contract_instalments i WHERE i.tenant_id = $1 AND i.contract_id = $2 AND i.change_id IS NULL',
    [tenant, c.id],
  )
  const rows = plan.map((p, i) => ({ ...p, id: call.newId(), sort: i + 1, amount: amounts[i] }))
  await tx.run(
    'contracts.planned',
    `INSERT INTO contract_instalments (tenant_id, id, contract_id, sort, name, stage, percent, amount)
     SELECT $1, x.id, $2, x.sort, x.name, x.stage, x.percent, x.amount
     FROM json_to_recordset($3::json) AS x(id uuid, sort int, name text, stage text, percent numeric, amount numeric)`,
    [tenant, c.id, JSON.stringify(rows)],
  )
}
/** The shares as they stand. */
export async function planOf(tx: Tx, tenant: string, id: string): Promise<InstalmentFacts[]> {
  const { rows } = await tx.query(
    'contracts.plan',
    row({ name: text, stage: text.null, percent: text }),
    `SELECT i.name, i.stage, trim_scale(i.percent)::text AS percent
     FROM contract_instalments i
     WHERE i.tenant_id = $1 AND i.contract_id = $2 AND i.percent IS NOT NULL
     ORDER BY i.sort`,
    [tenant, id],
  )
  return rows as InstalmentFacts[]
}

/** A contract of a quotation's newest approved version, and its first plan. */
export async function addContract(
  tx: Tx,
  call: Call,
  quotation: BodyOf<(typeof contractsApi)['add']>,
): Promise<{ id: string; code: string }> {
  const { id: me, tenant } = call.user
  const id = call.newId()
  const of = await contractFrom(tx, call, { ...quotation, contract_id: id })
  const code = await numberOf(tx, call, 'contract', of.bc_id)
  await tx.run(
    'contracts.add',
    `INSERT INTO contracts (tenant_id, id, code, bc_id, store_id, customer_id, quotation_id, package_name, area,
       tax_percent, base, made_by, made_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, :now)`,
    [
      tenant,
      id,
      code,
      of.bc_id,
      of.store_id,
      of.customer_id,
      quotation.id,
      of.packageName,
      of.area,
      of.taxPercent,
      of.bridge.total,
      me,
    ],
  )
  await writePlan(tx, call, { id, base: of.bridge.total }, FIRST_PLAN)
  await call.log(tx, {
    action: '生成合同',
    object: 'contract',
    objectId: id,
    after: { code, quotation: of.code, number: of.number, total: of.bridge.total, bc_id: of.bc_id },
  })
  tellContract(tx, call, { id, bc_id: of.bc_id, site_id: null })
  return { id, code }
}

/** What is due when it is signed comes first, then the stages as they are built. */
function refuseBackwards(plan: readonly InstalmentFacts[]): void {
  const order = plan.map((p) => (p.stage === null ? -1 : siteStage.values.indexOf(p.stage)))
  const i = order.findIndex((place, n) => n > 0 && place < order[n - 1]!)
  if (i < 0) return
  const [before, after] = [plan[i - 1]!, plan[i]!]
  const due = ({ stage }: InstalmentFacts) =>
    stage === null ? '签约时' : `“${siteStage.label(stage)}”开始时`
  throw invalid(
    'plan',
    `第 ${i + 1} 期“${after.name}”${due(after)}到期，早于上一期“${before.name}”（${due(before)}），请按先后排列`,
  )
}
export async function planContract(
  tx: Tx,
  call: Call,
  body: BodyOf<(typeof contractsApi)['plan']>,
): Promise<void> {
  const c = await lockSeen(tx, call, body, 'plan')
  if (!isWhole(body.plan.map((p) => p.percent))) throw invalid('plan', '各期比例加起来应为 100%')
  const stages = body.plan.flatMap((p) => p.stage ?? [])
  if (new Set(stages).size < stages.length) throw invalid('plan', '同一个阶段只能有一期')
  refuseBackwards(body.plan)
  const before = await planOf(tx, call.user.tenant, c.id)
  await writePlan(tx, call, c, body.plan)
  await touch(tx, call.user.tenant, c.id)
  await call.log(tx, {
    action: '付款计划',
    object: 'contract',
    objectId: c.id,
    before: { plan: before },
    after: { code: c.code, plan: body.plan },
  })
  tellContract(tx, call, c)
}

/** Files that the caller has uploaded are the contract's from now on; none of them is taken away again. */
export async function keepFiles(
  tx: Tx,
  call: Call,
  c: Pick<LockedContract, 'id' | 'bc_id'>,
  kind: (typeof contractFileKind.values)[number],
  files: readonly Paper[],
): Promise<void> {
  const { nickname, tenant } = call.user
  const { rows } = await tx.query(
    'contracts.files',
    row({ count: int4 }),
    'SELECT count(*)::int AS count FROM contract_files f WHERE f.tenant_id = $1 AND f.contract_id = $2',
    [tenant, c.id],
  )
  if (rows[0]!.count + files.length > MOST_FILES) throw invalid('files', `一份合同最多 ${MOST_FILES} 个附件`)
  for (const f of files) {
    await tx.run(
      'contracts.file',
      `INSERT INTO contract_files (tenant_id, id, contract_id, key, name, kind, user_name, at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, :now)`,
      [tenant, call.newId(), c.id, f.key, f.name, kind, nickname],
    )
  }
}
export async function attachFile(
  tx: Tx,
  call: Call,
  body: BodyOf<(typeof contractsApi)['attach']>,
): Promise<void> {
  const c = await lockSeen(tx, call, body, 'attach', [body.file])
  await keepFiles(tx, call, c, body.kind, [body.file])
  await touch(tx, call.user.tenant, c.id)
  await call.log(tx, {
    action: '添加附件',
    object: 'contract',
    objectId: c.id,
    after: { code: c.code, file: body.file.name },
  })
  tellContract(tx, call, c)
}

/** Paper comes before the record, but not by more than this. */
const DAYS_BEFORE = 60
/** The first day on which something of a contract can have happened. */
export const earliestOf = (c: Pick<LockedContract, 'made_at'>): string =>
  addDays(c.made_at.slice(0, 10), -DAYS_BEFORE)
