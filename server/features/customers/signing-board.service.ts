import type { signingBoardApi } from '@zhuguan/contract/features/customers/signing-board.api.ts'
import { funnelBy } from '@zhuguan/contract/features/customers/signing-board.record.ts'
import type { BodyOf, DataOf, QueryOf } from '@zhuguan/contract/kit/api.ts'

import type { Tx } from '../../database/connect.ts'
import { invalid, outside, overtaken } from '../../kit/refuse.ts'
import { int4, row, text } from '../../kit/row.ts'
import { hasStore } from '../../kit/scoped.ts'
import type { Call } from '../../kit/serve.ts'
import { addDays, shanghaiDay } from '../../kit/shanghai.ts'
import { consultantsOf } from './holding.queries.ts'
import { depositsOf, funnelOf, lostOf, moneyOf, type Span } from './signing-board.queries.ts'

/** So many days a board reads at most. */
const MOST_DAYS = 400
/** The months back and ahead for which a target may still be set. */
const MONTHS = { back: 2, ahead: 24 }

function spanOf(q: { from?: string | undefined; to?: string | undefined }, now: Date): Span {
  const today = shanghaiDay(now)
  const from = q.from ?? `${(q.to ?? today).slice(0, 8)}01`
  const to = q.to ?? today
  if (to < from) throw invalid('to', '结束日期不能早于开始日期')
  if (addDays(from, MOST_DAYS) < to) throw invalid('to', `一次最多看 ${MOST_DAYS} 天`)
  return { from, to }
}

export async function readBoard(
  tx: Tx,
  { now, user }: Call,
  { by = funnelBy.code.came, from, to, ...q }: QueryOf<(typeof signingBoardApi)['read']>,
): Promise<DataOf<(typeof signingBoardApi)['read']>> {
  const span = spanOf({ from, to }, now())
  const rows = await funnelOf(tx, user.scope, q, by, span)
  const lost = await lostOf(tx, user.scope, q, by, span)
  const deposits = await depositsOf(tx, user.scope, q)
  const { money, refunded, refunds, voided } = await moneyOf(tx, user.scope, q, span)
  return {
    at: Math.floor(now().getTime() / 1000),
    rows,
    lost,
    deposits,
    signedMoney: money,
    refunds: { n: refunds, money: refunded },
    voided,
  }
}

/** Months since the beginning of time, to count between two. */
const monthOf = (text: string) => Number(text.slice(0, 4)) * 12 + Number(text.slice(5, 7))

/** One of a month, a branch, a store of it, a consultant; the second of two hands hears that somebody was faster. */
export async function setTarget(
  tx: Tx,
  call: Call,
  body: BodyOf<(typeof signingBoardApi)['setTarget']>,
): Promise<void> {
  const { scope, tenant } = call.user
  const { bc_id, consultant_id, money, month, people, reason, store_id, version } = body
  if (!hasStore(scope, bc_id, store_id)) throw outside()
  const off = monthOf(month) - monthOf(shanghaiDay(call.now()))
  if (off < -MONTHS.back || off > MONTHS.ahead)
    throw invalid('month', `月份应在最近 ${MONTHS.back} 个月到以后 ${MONTHS.ahead} 个月之间`)
  await unlessTheirs(tx, call, body)
  const { rows } = await tx.query(
    'signing.settarget',
    row({ version: int4, was: text.null }),
    `INSERT INTO signing_targets AS g (tenant_id, id, bc_id, store_id, consultant_id, month, people, money)
     SELECT $1, $2, $3, $4, $5, $6::date, $7, $8
     WHERE $9::int IS NULL OR EXISTS (SELECT FROM signing_targets o
       WHERE o.tenant_id = $1 AND o.month = $6::date AND o.bc_id = $3 AND o.store_id IS NOT DISTINCT FROM $4
         AND o.consultant_id IS NOT DISTINCT FROM $5)
     ON CONFLICT (tenant_id, month, bc_id, store_id, consultant_id) DO UPDATE
     SET people = excluded.people, money = excluded.money, version = g.version + 1
     WHERE g.version = $9
     RETURNING g.version, NULL::text AS was`,
    [tenant, call.newId(), bc_id, store_id, consultant_id, `${month}-01`, people, money, version],
  )
  if (rows.length === 0) throw overtaken('个目标')
  await call.log(tx, {
    action: '设定签约目标',
    object: 'target',
    objectId: bc_id,
    after: { month, bc_id, store_id, consultant_id, people, money, reason },
  })
}

/** The store is the branch's, and the consultant may follow its customers. */
async function unlessTheirs(
  tx: Tx,
  call: Call,
  { bc_id, consultant_id, store_id }: BodyOf<(typeof signingBoardApi)['setTarget']>,
): Promise<void> {
  const { tenant } = call.user
  const { rows } = await tx.query(
    'signing.place',
    row({ stores: int4 }),
    `SELECT count(s.id)::int AS stores
     FROM companies c
     LEFT JOIN stores s ON s.tenant_id = $1 AND s.bc_id = c.bc_id AND s.id = $3
     WHERE c.tenant_id = $1 AND c.bc_id = $2
     GROUP BY c.bc_id`,
    [tenant, bc_id, store_id],
  )
  if (!rows[0] || (store_id !== null && rows[0].stores === 0)) throw outside()
  if (consultant_id === null) return
  const people = await consultantsOf(tx, tenant, { bc_id, store_id })
  if (!people.some((c) => c.id === consultant_id))
    throw invalid('consultant_id', '请选择能跟进这里客户的顾问')
}
