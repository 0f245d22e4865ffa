import { type ContractRow, contractState } from '@zhuguan/contract/features/contracts/contracts.record.ts'
import {
  COUNTER,
  DUE_SOON,
  type DueRow,
  type FlowRow,
} from '@zhuguan/contract/features/contracts/receipts.record.ts'

import type { Scope, Tx } from '../../database/connect.ts'
import { int4, json, row, text } from '../../kit/row.ts'
import { scopedStores } from '../../kit/scoped.ts'
import { orderOf, type PageOf, type Where } from '../../kit/statement.ts'
import { BACK, contractPage, DUE, matching, WAITS } from './contracts.queries.ts'
import { duePage, flowPage } from './receipts.queries.ts'

/** Contracts `c` in reach by their number, customer or site. */
export const contractsBy = (scope: Scope, keyword: string | undefined): Where => matching(scope, keyword)

/** The due amount of a contract `c`, for statements of others whose tenant is the value $1. */
export const CONTRACT_DUE = DUE

export { dueNow, flowsOn } from './receipts.queries.ts'
/** The debts to customers, of contracts in reach. */
export async function backNow(tx: Tx, scope: Scope) {
  const where = scopedStores(scope, 'c').plain(`${BACK} > 0`)
  const { rows } = await tx.query(
    'contracts.backnow',
    row({ n: int4, back: text, void: int4, asked: int4 }),
    `SELECT count(*)::int AS n, coalesce(sum(${BACK}), 0.00)::text AS back,
       (count(*) FILTER (WHERE c.state = '${contractState.code.void}'))::int AS void,
       (count(*) FILTER (WHERE ${WAITS}))::int AS asked
     FROM contracts c
     WHERE ${where.text}`,
    where.values,
  )
  return rows[0]!
}
/** The first rows of a list, beside others of the same transaction. */
async function firstOf<T>(name: string, tx: Tx, p: PageOf): Promise<T[]> {
  const { rows } = await tx.query(
    name,
    row({ list: json<T[]>() }),
    `SELECT coalesce((SELECT json_agg(r) FROM (SELECT ${p.columns} FROM ${p.base} ${p.joins}
         WHERE ${p.where.text} ORDER BY ${orderOf(p).join(', ')} LIMIT ${p.pageSize}) r), '[]') AS list`,
    p.where.values,
  )
  return rows[0]!.list
}
export const firstDue = (tx: Tx, scope: Scope, most: number) =>
  firstOf<DueRow>(
    'contracts.firstdue',
    tx,
    duePage(scope, { pageNo: 1, pageSize: most, unpaid: true, when: [...DUE_SOON], sort: undefined }),
  )
export const firstFlows = (tx: Tx, scope: Scope, day: string, most: number) =>
  firstOf<FlowRow>(
    'contracts.firstflows',
    tx,
    flowPage(scope, {
      pageNo: 1,
      pageSize: most,
      from: day,
      to: day,
      state: ['booked'],
      kind: [...COUNTER],
      sort: undefined,
    }),
  )
export const firstBack = (tx: Tx, scope: Scope, most: number) =>
  firstOf<ContractRow>(
    'contracts.firstback',
    tx,
    contractPage(scope, { pageNo: 1, pageSize: most, back: true, sort: ['-back'] }),
  )
