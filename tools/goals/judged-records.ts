import { randomUUID } from 'node:crypto'

import { api } from '@zhuguan/contract/api.ts'

import type { Caller } from './client.ts'
import type { Machine } from './machine-records.ts'
import type { Stage } from './stage.ts'
import { EXAMINE, QUOTATION } from './states.ts'

/** What is judged: a quotation, submitted once, whose request is put where the table says. */
export async function judgedRecords(
  stage: Stage,
  admin: Caller,
  of: { bc: string; me: string; other: string },
): Promise<Record<string, Machine>> {
  const made = async (heard: Promise<{ data: unknown; msg: string }>) => {
    const { data, msg } = await heard
    const { id } = (data ?? {}) as { id?: string }
    if (!id) throw new Error(msg)
    return id
  }
  const customer_id = await made(
    admin.ask(api.customers.add, { body: { bc_id: of.bc, name: '逐项客户', phone: '13900001111' } }),
  )
  const line = { id: randomUUID(), attribute: 3, contractAttribute: 2, name: '逐项酒柜', unit: '套' } as const
  const content = {
    area: '100',
    validUntil: '2099-12-31',
    lines: [{ ...line, quantity: '1', price: '5200' }],
  }
  const begun = () => made(admin.ask(api.quotations.add, { body: { customer_id, content } }))
  const quotation = await begun()
  await admin.ask(api.quotations.submit, { body: { id: quotation, version: 0 } })
  const [request] = (
    await stage.owner.query<{ id: string; hash: string }>(
      'SELECT id, hash FROM examine_requests WHERE object_id = $1',
      [quotation],
    )
  ).rows
  if (!request) throw new Error('the quotation does not wait to be judged')
  const examine: Machine = {
    lines: EXAMINE,
    reasons: ['reject'],
    async put(situation) {
      const [code, whose] = situation.split(' ')
      const isJudged = code !== '0'
      await stage.owner.query(
        `UPDATE examine_requests
         SET state = $2, version = 7, submitted_by = $3::uuid, judged_by = CASE WHEN $4 THEN $3::uuid END,
           judged_at = CASE WHEN $4 THEN now() END, withdrawn_at = CASE WHEN $5 THEN now() END
         WHERE id = $1`,
        [request.id, code, whose === 'mine' ? of.me : of.other, isJudged, whose === 'withdrawn'],
      )
    },
    ask: (command, reason) =>
      admin.ask(api.examine[command as 'reject'], {
        body: { id: request.id, version: 7, hash: request.hash, reason },
      }),
    stands: async () =>
      (
        await stage.owner.query<{ at: string }>(
          'SELECT state::text AS at FROM examine_requests WHERE id = $1',
          [request.id],
        )
      ).rows[0]!.at,
  }
  let tried = quotation
  /** Each time another one, submitted where it has been; how it was judged is put there. */
  const quoted: Machine = {
    lines: QUOTATION,
    reasons: ['void'],
    async put(situation) {
      const [code, day] = situation.split(' ')
      tried = await begun()
      if (code !== '1') await admin.ask(api.quotations.submit, { body: { id: tried, version: 0 } })
      await stage.owner.query('UPDATE quotations SET status = $2, version = 7, signed = $3 WHERE id = $1', [
        tried,
        code,
        day === 'signed',
      ])
      await stage.owner.query(
        `UPDATE quotation_versions
         SET examine_state = CASE $2 WHEN '1' THEN NULL WHEN '2' THEN 0 WHEN '4' THEN 2 ELSE 1 END,
           valid_until = CASE $3 WHEN 'expired' THEN '2020-01-01'::date ELSE valid_until END
         WHERE quotation_id = $1`,
        [tried, code, day],
      )
    },
    ask(command, reason) {
      const one = { id: tried, version: 7 }
      if (command === 'edit')
        return admin.ask(api.quotations.save, { body: { ...one, customer_id, content } })
      if (command === 'contract') return admin.ask(api.contracts.add, { body: one })
      return admin.ask(api.quotations[command as 'void'], { body: { ...one, reason } })
    },
    stands: async () =>
      (
        await stage.owner.query<{ at: string }>('SELECT status::text AS at FROM quotations WHERE id = $1', [
          tried,
        ])
      ).rows[0]!.at,
  }
  return { examineActions: examine, quotationActions: quoted }
}
