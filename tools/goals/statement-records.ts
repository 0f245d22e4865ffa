import { randomUUID } from 'node:crypto'

import { statementsApi } from '@zhuguan/contract/features/statements/statements.api.ts'

import { shanghaiDay } from '../../server/kit/shanghai.ts'
import type { DeliveryStage } from './delivery-stage.ts'
import type { Machine } from './machine-records.ts'
import { STATEMENT } from './owner-states.ts'

/** A month long ago, in which nothing else is owed. */
const MONTH = '2025-01-01'
const DAY = shanghaiDay(new Date())

/** The statement of a merchant with one line of 100, put where the table says; each side says what is theirs to say. */
export async function statementMachine({ server, shop, sql }: DeliveryStage): Promise<Machine> {
  const { gm, merchant, supplier } = shop
  const cashier = await server.as('cashier')
  const one = async <R>(text: string, values: unknown[]) => (await sql<R>(text, values))[0]!
  const who = await one<Record<'tenant' | 'bc' | 'gm' | 'supplier', string>>(
    `SELECT g.tenant_id AS tenant, t.bc_id AS bc, g.id AS gm, s.id AS supplier
     FROM users g
     JOIN users s ON s.tenant_id = g.tenant_id AND s.user_name = 'supplier'
     JOIN companies t ON t.tenant_id = g.tenant_id AND t.bc_id = $1
     WHERE g.user_name = 'branch_gm'`,
    [shop.bc_id],
  )
  const [id, line, charge] = [randomUUID(), randomUUID(), randomUUID()]
  const of = [who.tenant, who.bc, merchant]
  await sql(
    `INSERT INTO statements (tenant_id, id, code, bc_id, receiver_id, receiver_name, bc_name, month, made_by, made_name,
       made_at)
     VALUES ($1, $4, 'DZ-GOAL', $2, $3, '逐项商家', '逐项分公司', '${MONTH}', $5, '', now())`,
    [...of, id, who.gm],
  )
  await sql(
    `INSERT INTO owed_lines (tenant_id, id, bc_id, receiver_id, kind, amount, words, at, month)
     VALUES ($1, $4, $2, $3, 'freight', 100, '逐项运费', now(), '${MONTH}')`,
    [...of, line],
  )
  await sql(
    `INSERT INTO owed_charges (tenant_id, id, code, bc_id, receiver_id, receiver_name, kind, side, amount, reason,
       month, made_by, made_name, made_at)
     VALUES ($1, $4, 'SG-GOAL', $2, $3, '逐项商家', 'fine', 'take', 5, '逐项罚款', '${MONTH}', $5, '', now())`,
    [...of, charge, who.gm],
  )
  return {
    lines: STATEMENT,
    reasons: ['drop', 'recall', 'dispute'],
    async put(situation) {
      const [state] = situation.replace(',', '').split(' ')
      const sender = situation.endsWith('who answers') ? who.supplier : who.gm
      for (const table of ['owed_payments', 'statement_objections'])
        await sql(`DELETE FROM ${table} WHERE statement_id = $1`, [id])
      await sql('UPDATE owed_lines SET statement_id = $2, month = $3 WHERE id = $1', [
        line,
        state === 'sent' || state === 'agreed' ? id : null,
        situation.endsWith('nothing in it') ? DAY.slice(0, 7).concat('-01') : MONTH,
      ])
      await sql('UPDATE owed_charges SET state = $2 WHERE id = $1', [
        charge,
        situation.endsWith('waits') ? 'waiting' : 'withdrawn',
      ])
      await sql(
        `UPDATE statements SET state = $2, round = 1, version = 7, sent_by = $3::uuid,
           sent_at = CASE WHEN $3::uuid IS NOT NULL THEN now() END
         WHERE id = $1`,
        [id, state, state === 'draft' ? null : sender],
      )
      if (situation.endsWith('and paid'))
        await sql(
          `INSERT INTO owed_payments (tenant_id, id, code, statement_id, bc_id, receiver_id, amount, method, paid_on,
             payee, made_by, made_name, at)
           VALUES ($1, gen_random_uuid(), 'FK-GOAL', $4, $2, $3, 100, 'cash', '${DAY}', '', $5, '', now())`,
          [...of, id, who.gm],
        )
    },
    ask(command, reason) {
      const seen = { id, version: 7 }
      if (command === 'agree') return supplier.ask(statementsApi.agree, { body: seen })
      if (command === 'dispute')
        return supplier.ask(statementsApi.dispute, {
          body: { ...seen, lines: [{ id: line, words: reason }] },
        })
      if (command === 'pay')
        return cashier.ask(statementsApi.pay, {
          body: { ...seen, amount: '1', method: 'cash', paidOn: DAY, payee: '', remark: '' },
        })
      return gm.ask(statementsApi[command as 'drop'], { body: { ...seen, reason } })
    },
    stands: async () =>
      (
        await one<{ at: string }>(
          `SELECT s.state || ' round ' || s.round || CASE WHEN EXISTS (
             SELECT 1 FROM owed_payments y WHERE y.statement_id = s.id) THEN ' paid' ELSE '' END AS at
           FROM statements s WHERE s.id = $1`,
          [id],
        )
      ).at,
  }
}
