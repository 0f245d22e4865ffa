import { randomUUID } from 'node:crypto'

import { api } from '@zhuguan/contract/api.ts'
import { filesApi } from '@zhuguan/contract/features/files/files.api.ts'

import { shanghaiDay } from '../../server/kit/shanghai.ts'
import type { Caller } from './client.ts'
import type { Machine } from './machine-records.ts'
import type { Stage } from './stage.ts'
import { CHANGE, CONTRACT, REFUND } from './states.ts'

/** Money and signatures of long ago are refused. */
const DAY = shanghaiDay(new Date())
const PAID = '100'
const STATES = ['void', 'ending', 'ended', 'finishing', 'settled']
const MORE = { attribute: 3 as const, unit: '项', quantity: '1', price: '10' }
const GOODS = [{ ...MORE, name: '逐项柜', kind: 'main' as 'main' | 'work' }]
/** A finished home takes work, and no more goods. */
const WORK = [{ ...MORE, name: '逐项安装', kind: 'work' as const }]
/** What is signed: one line of 1,000. */
const TOTAL = '1000'

/** A contract of its own quotation and site, put where the tables say; what hangs on it is made anew each time. */
export async function contractRecords(
  stage: Stage,
  url: string,
  admin: Caller,
): Promise<Record<string, Machine>> {
  const one = async (text: string, values: unknown[] = []) => (await stage.owner.query(text, values)).rows[0]
  const write = async (text: string, values: unknown[]) => void (await stage.owner.query(text, values))
  const { tenant, bc, me, other } = await one(
    `SELECT u.tenant_id AS tenant, u.id AS me, c.bc_id AS bc,
       (SELECT o.id FROM users o WHERE o.user_name = 'cashier') AS other
     FROM users u JOIN companies c ON c.tenant_id = u.tenant_id AND c.code = 'HZ' WHERE u.user_name = 'admin'`,
  )
  const id = randomUUID()
  const [customer, quotation, version, site, change] = Array.from({ length: 5 }, () => randomUUID())
  await write(
    `INSERT INTO customers (tenant_id, id, bc_id, name, phone, held_at, changed_at, created_at)
     VALUES ($1, $2, $3, '逐项客户', '13700009999', now(), now(), now())`,
    [tenant, customer, bc],
  )
  await write(
    `INSERT INTO quotations (tenant_id, id, code, bc_id, customer_id, status, quoter_id, contract_id, created_at,
       changed_at, changed_by)
     VALUES ($1, $2, 'BJ-GOAL', $3, $4, 5, $5, $6, now(), now(), '')`,
    [tenant, quotation, bc, customer, me, id],
  )
  await write(
    `INSERT INTO quotation_versions (tenant_id, id, quotation_id, number, area, tax_percent, valid_until, package,
       removed, adjusted, added, discount, total, tax, cost, uncosted, examine_state)
     VALUES ($1, $2, $3, 1, 100, 3, '2099-01-01', 0, 0, 0, ${TOTAL}, 0, ${TOTAL}, 0, 0, 0, 1)`,
    [tenant, version, quotation],
  )
  await write(
    `INSERT INTO sites (tenant_id, id, code, ws_name, bc_id, address, status)
     VALUES ($1, $2, 'GD-GOAL-HT', '逐项合同工地', $3, '某路', 2)`,
    [tenant, site, bc],
  )
  await write(
    `INSERT INTO contracts (tenant_id, id, code, bc_id, customer_id, quotation_id, package_name, area, tax_percent,
       base, made_by, made_at)
     VALUES ($1, $2, 'HT-GOAL', $3, $4, $5, '', 100, 3, ${TOTAL}, $6, now())`,
    [tenant, id, bc, customer, quotation, me],
  )
  const paper = async () => {
    const answer = await fetch(url + filesApi.paper.path, {
      method: 'POST',
      headers: { ...admin.headers, 'content-type': 'application/octet-stream' },
      body: `%PDF-1.4\n% ${randomUUID()}`,
    })
    return { key: ((await answer.json()) as { data: { key: string } }).data.key, name: '签字页' }
  }
  const seen = { id, version: 7 }
  const money = { amount: '1', method: 'cash' as const }

  async function empty(): Promise<void> {
    for (const table of [
      'contract_files',
      'contract_items',
      'contract_instalments',
      'contract_receipts',
      'contract_refunds',
    ])
      await write(`DELETE FROM ${table} WHERE contract_id = $1`, [id])
    await write(
      `DELETE FROM contract_change_lines
       WHERE change_id IN (SELECT h.id FROM contract_changes h WHERE h.contract_id = $1)`,
      [id],
    )
    await write('DELETE FROM contract_changes WHERE contract_id = $1', [id])
    await write(
      `DELETE FROM examine_requests WHERE number IN ('HT-GOAL', 'BG-GOAL') OR number LIKE 'TK%'`,
      [],
    )
  }
  /** Signed or not, with some money paid. */
  async function stand(
    progress: number,
    state = 'live',
    asked = false,
    end: string | null = null,
  ): Promise<void> {
    await empty()
    await write('UPDATE quotations SET status = 5 WHERE id = $1', [quotation])
    await write('UPDATE sites SET status = 2, contract = $2 WHERE id = $1', [
      site,
      progress === 3 ? 'HT-GOAL' : '',
    ])
    await write(
      `UPDATE contracts SET signing_progress = $2::int, state = $3, voided_on = NULL, void_asked = $4,
         end_value = $5::numeric,
         end_at = CASE WHEN $5::text IS NULL THEN NULL ELSE now() END,
         paid = CASE $2::int WHEN 1 THEN 0 ELSE ${PAID} END,
         signed_on = CASE $2::int WHEN 3 THEN '${DAY}'::date END,
         signed_version = CASE $2::int WHEN 3 THEN $6::uuid END,
         site_id = CASE $2::int WHEN 3 THEN $7::uuid END, changed = 0, changes = 0, billed_at = NULL,
         bill_signed_on = NULL, warranty = 0, warranty_on = NULL, version = 7
       WHERE id = $1`,
      [id, progress, state, asked, end, version, site],
    )
    if (progress > 1)
      await write(
        `INSERT INTO contract_receipts (tenant_id, id, contract_id, code, kind, amount, method, paid_on, payer,
           user_id, user_name, at)
         VALUES ($1, gen_random_uuid(), $2, 'SK-' || gen_random_uuid(), 'deposit', ${PAID}, 'cash', '${DAY}', '', $3,
           '',           now())`,
        [tenant, id, other],
      )
  }
  async function refund(status: number, by: string): Promise<void> {
    await write(
      `INSERT INTO contract_refunds (tenant_id, id, contract_id, code, kind, amount, method, payee, reason, status,
         user_id, user_name, at, version)
       VALUES ($1, gen_random_uuid(), $2, 'TK-' || gen_random_uuid(), 'refund', 1, 'cash', '', '', $3, $4, '',
         now(), 7)`,
      [tenant, id, status, by],
    )
  }
  /** Its home is finished: billed or not, signed by both, paid or not, with money held back. */
  async function finish(words: string[]): Promise<void> {
    await write('UPDATE sites SET status = 4 WHERE id = $1', [site])
    const isSigned = words.includes('signed') || words.includes('settled')
    await write(
      `UPDATE contracts
       SET billed_at = CASE WHEN $2 THEN now() END, bill_signed_on = CASE WHEN $3 THEN '${DAY}'::date END,
         paid = CASE WHEN $4 THEN total WHEN $5 THEN total - ${PAID} ELSE paid END,
         warranty = CASE WHEN $5 THEN ${PAID} ELSE 0 END, warranty_on = CASE WHEN $5 THEN '2099-01-01'::date END
       WHERE id = $1`,
      [
        id,
        isSigned || words.includes('billed'),
        isSigned,
        words.at(-1) === 'even' || words.at(-1) === 'settled',
        words.at(-1) === 'warranty',
      ],
    )
  }
  const ENDS: Record<string, string> = { ending: '500', 'ending even': PAID, 'ending over': '0', ended: PAID }
  let more: typeof GOODS = GOODS
  const contract: Machine = {
    lines: CONTRACT,
    reasons: ['void', 'terminate', 'refund', 'giveBack'],
    async put(situation) {
      const [progress, ...rest] = situation.split(' ')
      const word = rest.join(' ')
      const state = STATES.find((s) => s === rest[0]) ?? 'live'
      await stand(Number(progress), state, false, ENDS[word] ?? null)
      if (word === 'refunding') await refund(1, me)
      if (word === 'building') await write('UPDATE sites SET status = 1 WHERE id = $1', [site])
      more = state === 'finishing' ? WORK : GOODS
      if (state === 'finishing' || state === 'settled') await finish(rest)
      if (word === 'finished') await write('UPDATE sites SET status = 4 WHERE id = $1', [site])
      if (word !== 'asked') return
      await admin.ask(api.contracts.void, { body: { ...seen, reason: '误签了' } })
      await write('UPDATE contracts SET version = 7 WHERE id = $1', [id])
    },
    async ask(command, reason) {
      const to = { payee: '逐项客户', reason }
      if (command === 'deposit' || command === 'pay')
        return admin.ask(api.contracts.pay, { body: { ...seen, ...money, paidOn: DAY, payer: '逐项客户' } })
      if (command === 'giveBack')
        return admin.ask(api.contracts.refund, { body: { ...seen, ...money, ...to, amount: PAID } })
      if (command === 'refund') return admin.ask(api.contracts.refund, { body: { ...seen, ...money, ...to } })
      if (command === 'sign') {
        const said = { signer: '逐项客户', signedOn: DAY, ws_name: '逐项工地', address: '某路 1 号' }
        return admin.ask(api.contracts.sign, { body: { ...seen, ...said, files: [await paper()] } })
      }
      if (command === 'change')
        return admin.ask(api.changes.add, { body: { contract_id: id, reason: '加一项', lines: [...more] } })
      if (command === 'plan')
        return admin.ask(api.contracts.plan, {
          body: { ...seen, plan: [{ name: '全款', stage: null, percent: '100' }] },
        })
      if (command === 'attach')
        return admin.ask(api.contracts.attach, { body: { ...seen, kind: 'other', file: await paper() } })
      if (command === 'terminate')
        return admin.ask(api.contracts.terminate, { body: { ...seen, reason, value: '500' } })
      if (command === 'bill') return admin.ask(api.contracts.bill, { body: seen })
      if (command === 'signBill') {
        const said = { signer: '逐项客户', ours: '逐项经理', signedOn: DAY }
        return admin.ask(api.contracts.signBill, { body: { ...seen, ...said, files: [await paper()] } })
      }
      if (command === 'void') return admin.ask(api.contracts.void, { body: { ...seen, reason } })
      return admin.ask(api.contracts[command as 'keep'], { body: seen })
    },
    async stands() {
      const c = await one(
        `SELECT c.signing_progress, c.state, c.void_asked, c.billed_at, c.bill_signed_on, EXISTS (
           SELECT 1 FROM contract_refunds r
           WHERE r.contract_id = c.id AND r.status = 1) AS refunding
         FROM contracts c WHERE c.id = $1`,
        [id],
      )
      return [
        c.signing_progress,
        c.state === 'live' ? '' : c.state,
        c.void_asked ? 'asked' : '',
        c.refunding ? 'refunding' : '',
        c.billed_at ? 'billed' : '',
        c.bill_signed_on ? 'signed' : '',
      ]
        .filter(Boolean)
        .join(' ')
    },
  }
  const ofChange = { id: change!, version: 7 }
  const changeOf: Machine = {
    lines: CHANGE,
    reasons: ['drop'],
    async put(situation) {
      await stand(3)
      await write(
        `INSERT INTO contract_changes (tenant_id, id, contract_id, code, reason, amount, user_id, user_name, at,
           version)
         VALUES ($1, $2, $3, 'BG-GOAL', '加一项', 10, $4, '', now(), 7)`,
        [tenant, change, id, me],
      )
      await write(
        `INSERT INTO contract_change_lines (tenant_id, id, change_id, sort, attribute, contract_attribute, name, unit,
           kind, quantity, waste, priced, ordered, price, amount)
         VALUES ($1, gen_random_uuid(), $2, 1, 3, 2, '逐项柜', '项', 'main', 1, 0, 1, 1, 10, 10)`,
        [tenant, change],
      )
      if (situation.startsWith('2')) await admin.ask(api.changes.submit, { body: ofChange })
      await write('UPDATE contract_changes SET status = $2, version = 7, user_id = $3 WHERE id = $1', [
        change,
        situation[0],
        situation.endsWith('theirs') ? other : me,
      ])
    },
    ask(command, reason) {
      if (command === 'edit')
        return admin.ask(api.changes.edit, { body: { ...ofChange, reason: '加一项', lines: [...GOODS] } })
      if (command === 'drop') return admin.ask(api.changes.drop, { body: { ...ofChange, reason } })
      return admin.ask(api.changes[command as 'submit'], { body: ofChange })
    },
    stands: async () =>
      (await one('SELECT status::text AS at FROM contract_changes WHERE id = $1', [change])).at,
  }
  const refundOf: Machine = {
    lines: REFUND,
    reasons: [],
    async put(situation) {
      await stand(3)
      await admin.ask(api.contracts.refund, {
        body: { ...seen, ...money, payee: '逐项客户', reason: '退一元' },
      })
      await write(
        `UPDATE contract_refunds SET status = $2::smallint, version = 7, user_id = $3,
           paid_on = CASE WHEN $2::smallint = 2 THEN current_date END
         WHERE contract_id = $1`,
        [id, situation[0], situation.endsWith('theirs') ? other : me],
      )
    },
    async ask() {
      const refunded = await one('SELECT id FROM contract_refunds WHERE contract_id = $1', [id])
      return admin.ask(api.contracts.withdrawRefund, { body: { id: refunded.id, version: 7 } })
    },
    stands: async () =>
      (await one('SELECT status::text AS at FROM contract_refunds WHERE contract_id = $1', [id])).at,
  }
  return { contractActions: contract, changeActions: changeOf, refundActions: refundOf }
}
