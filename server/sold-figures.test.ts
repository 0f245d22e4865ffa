import { contractsApi } from '@zhuguan/contract/features/contracts/contracts.api.ts'
import { examineApi } from '@zhuguan/contract/features/examine/examine.api.ts'
import { homeApi } from '@zhuguan/contract/features/home/home.api.ts'
import { quotationsApi } from '@zhuguan/contract/features/quotations/quotations.api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { dealDemo } from './app/demo-deals.ts'
import { openFileStore } from './features/files/file-store.ts'
import { addDays, shanghaiDay } from './kit/shanghai.ts'
import { lawsBroken } from './testing/delivering.ts'
import { type Person, startTestServer, type TestServer } from './testing/start.ts'

/**
 * Every figure of the pages of what is sold, over the demo's hundred days: beside what the documents under it add up to
 * in statements and sums of this file, as each person who reads it, and beside the list that it opens.
 */
let server: TestServer
let today: string
const who = new Map<string, { person: Person; reaches: (of: Placed) => boolean }>()
interface Placed {
  tenant: string
  bc: string
  store: string | null
}
const PEOPLE = ['hq_ops', 'branch_gm', 'branch_gm2', 'cashier', 'examiner', 'quoter', 'quoter2', 'other']

beforeAll(async () => {
  server = await startTestServer()
  const files = openFileStore(server.dataDir)
  await dealDemo(server.logins, { files, secretKey: server.secretKey, now: server.now(), delivered: 8 })
  today = shanghaiDay(server.now())
  for (const name of PEOPLE) {
    const [me] = await server.sql<{ tenant: string; bc: string; stores: string[] }>(
      `SELECT u.tenant_id AS tenant, u.bc_id AS bc,
         ARRAY(SELECT s.store_id::text FROM user_stores s WHERE s.user_id = u.id) AS stores
       FROM users u WHERE u.user_name = $1`,
      [name],
    )
    const within = (of: Placed) => {
      if (name === 'hq_ops' || name === 'other') return true
      return name.startsWith('quoter') ? me!.stores.includes(of.store!) : of.bc === me!.bc
    }
    const reaches = (of: Placed) => of.tenant === me!.tenant && within(of)
    who.set(name, { person: await server.as(name), reaches })
  }
}, 180_000)
afterAll(() => server.stop())

const cents = (text: string): bigint => {
  const [whole, part = ''] = text.split('.') as [string, string?]
  return BigInt(whole + part.padEnd(2, '0'))
}
const money = (n: bigint): string => {
  const digits = (n < 0n ? -n : n).toString().padStart(3, '0')
  return `${n < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}
const sum = (amounts: readonly string[]): bigint => amounts.reduce((all, one) => all + cents(one), 0n)
const most = (a: bigint, b: bigint) => (a > b ? a : b)

interface Instalment {
  amount: string
  change: string | null
  due: string | null
  stage: string | null
  started: string | null
}
interface Signed extends Placed {
  id: string
  code: string
  state: string
  progress: number
  signed: string | null
  void: string | null
  customer: string
  site: string | null
  area: string
  tax: string
  base: string
  changes: string[]
  receipts: string[]
  refunds: string[]
  instalments: Instalment[]
  end: string | null
  endedOn: string | null
  devices: number
  items: number
}
/** Contracts as their documents stand; nothing that is kept of them is read. */
const contracts = () =>
  server.sql<Signed>(
    `SELECT c.tenant_id AS tenant, c.bc_id AS bc, c.store_id AS store, c.id, c.code, c.state,
       c.signing_progress AS progress, c.signed_on::text AS signed, c.voided_on::text AS void,
       c.customer_id AS customer, c.site_id AS site, trim_scale(v.area)::text AS area, v.tax_percent::text AS tax,
       v.total::text AS base,
       ARRAY(SELECT (SELECT sum(l.amount) FROM contract_change_lines l WHERE l.change_id = h.id)::text
         FROM contract_changes h WHERE h.contract_id = c.id AND h.status = 3) AS changes,
       ARRAY(SELECT r.amount::text FROM contract_receipts r WHERE r.contract_id = c.id) AS receipts,
       ARRAY(SELECT f.amount::text FROM contract_refunds f WHERE f.contract_id = c.id AND f.status = 2) AS refunds,
       (SELECT json_agg(json_build_object('amount', i.amount::text, 'change', i.change_id, 'due', i.due_on,
          'stage', i.stage, 'started', g.actual_start)) FROM contract_instalments i
        LEFT JOIN site_stages g ON g.site_id = c.site_id AND g.stage = i.stage WHERE i.contract_id = c.id)
         AS instalments,
       c.end_value::text AS end, (c.end_at AT TIME ZONE 'Asia/Shanghai')::date::text AS "endedOn",
       (SELECT count(*)::int FROM retrievals t WHERE t.site_id = c.site_id AND t.closed_at IS NULL) AS devices,
       (SELECT count(*)::int FROM contract_items i WHERE i.contract_id = c.id) AS items
     FROM contracts c
     JOIN LATERAL (SELECT * FROM quotation_versions w WHERE w.quotation_id = c.quotation_id AND w.examine_state = 1
       ORDER BY w.id = c.signed_version DESC, w.number DESC LIMIT 1) v ON true`,
  )
const PAY_DAYS = 7
const dueDay = (c: Signed, i: Instalment) => {
  if (i.change) return i.due
  return i.stage ? i.started : c.signed
}
/** What fell due, and what of it did so more days ago than a payment may take; a reduction counts at once. */
function figuresOf(c: Signed) {
  const total = cents(c.base) + sum(c.changes)
  const paid = sum(c.receipts) - sum(c.refunds)
  const fallen = (late: boolean): bigint => {
    const old = (day: string) => !late || addDays(day, PAY_DAYS) < today
    if (c.state === 'void') return 0n
    if (c.state === 'ended') return late ? 0n : cents(c.end!)
    if (c.state === 'ending') return old(c.endedOn!) ? cents(c.end!) : 0n
    const due = c.instalments.filter((i) => {
      const day = dueDay(c, i)
      return day !== null && (old(day) || i.amount.startsWith('-'))
    })
    return sum(due.map((i) => i.amount))
  }
  const owed = c.state === 'void' ? 0n : most(fallen(false) - paid, 0n)
  const overdue = most(fallen(true) - paid, 0n)
  return { total, paid, due: fallen(false), owed, overdue }
}

test('contracts: every amount of every row, and every filter’s total, as each who has the list', async () => {
  const all = await contracts()
  expect(new Set(all.map((c) => c.state)).size).toBeGreaterThan(2)
  expect(all.filter((c) => figuresOf(c).overdue > 0n).length).toBeGreaterThan(0)
  expect(all.filter((c) => c.changes.length > 0).length).toBeGreaterThan(2)
  const open = (c: Signed) => c.state === 'live' || c.state === 'ending'
  const first = `${today.slice(0, 7)}-01`
  const one = all.find((c) => c.site)!
  const STATES = 'live,void,ending,ended'
  const filters: [object, (c: Signed) => boolean][] = [
    [{}, open],
    [{ state: STATES }, () => true],
    ...['live', 'void', 'ending', 'ended'].map((state): [object, (c: Signed) => boolean] => [
      { state },
      (c) => c.state === state,
    ]),
    ...[1, 2, 3].map((n): [object, (c: Signed) => boolean] => [
      { signingProgress: String(n) },
      (c) => open(c) && c.progress === n,
    ]),
    [{ overdue: true }, (c) => open(c) && figuresOf(c).overdue > 0n],
    [{ overdue: false, state: STATES }, (c) => figuresOf(c).overdue === 0n],
    [{ signedFrom: first, signedTo: today, state: STATES }, (c) => !!c.signed && c.signed >= first],
    [{ voidedFrom: addDays(today, -400), voidedTo: today, state: STATES }, (c) => !!c.signed && !!c.void],
    [{ site_id: one.site! }, (c) => c.site === one.site],
    [{ customer_id: one.customer }, (c) => c.customer === one.customer],
    [{ bc_id: one.bc }, (c) => open(c) && c.bc === one.bc],
  ]
  for (const [name, { person, reaches }] of who) {
    for (const [query, belongs] of filters) {
      const said = await person.call(contractsApi.list, { query: { ...query, pageSize: 100 } })
      const mine = all.filter((c) => reaches(c) && belongs(c))
      const label = `${name} ${JSON.stringify(query)}`
      expect(said.totalCount, label).toBe(mine.length)
      expect(said.list.map((r) => r.code).sort(), label).toEqual(mine.map((c) => c.code).sort())
      for (const row of said.list) {
        const c = mine.find((m) => m.id === row.id)!
        const { total, paid, owed, overdue } = figuresOf(c)
        expect(row, label).toMatchObject({
          total: money(total),
          paid: money(paid),
          owed: money(owed),
          overdue: money(overdue),
          area: c.area,
          changes: c.changes.length,
        })
      }
    }
  }
}, 120_000)

test('a contract: its figures are what the documents on its page add up to, and of its row', async () => {
  const all = await contracts()
  const { person, reaches } = who.get('branch_gm')!
  for (const c of all.filter(reaches)) {
    const d = await person.call(contractsApi.details, { query: { id: c.id } })
    const { total, paid, due, owed, overdue } = figuresOf(c)
    // A tax is in the total: of 103 with 3 % it is 3, the half rounded up.
    const rate = cents(c.tax)
    const tax = (2n * total * rate + 10_000n + rate) / (2n * (10_000n + rate))
    expect(d, c.code).toMatchObject({
      total: money(total),
      paid: money(paid),
      due: money(due),
      owed: money(owed),
      overdue: money(overdue),
      tax: money(tax),
      payDays: PAY_DAYS,
      changes: c.changes.length,
    })
    const of = (list: readonly { amount: string }[]) => sum(list.map((l) => l.amount))
    expect(of(d.receipts) - of(d.refunds.filter((f) => f.status === 2)), c.code).toBe(paid)
    expect(of(d.instalments), c.code).toBe(total)
    expect(d.items.length).toBe(c.items)
    for (const h of d.changeList) expect(of(h.lines), h.code).toBe(cents(h.amount))
    expect(of(d.changeList.filter((h) => h.status === 3)), c.code).toBe(sum(c.changes))
    if (d.bridge) expect(cents(d.bridge.total), c.code).toBe(cents(c.base))
    // Money covers what fell due first, and never more than there is of it.
    const covered = d.instalments.filter((i) => !i.amount.startsWith('-')).map((i) => i.covered)
    expect(sum(covered) <= paid - of(d.instalments.filter((i) => i.amount.startsWith('-')))).toBe(true)
    if (d.settlement)
      expect(d.settlement, c.code).toMatchObject({
        value: c.end,
        balance: money(cents(c.end!) - paid),
        devices: c.devices,
      })
  }
}, 120_000)

interface Quoted extends Placed {
  id: string
  code: string
  status: number
  quoter: string
  package: string | null
  total: string
  margin: string | null
  area: string
  number: number
  changed: string
  expired: boolean
}
test('quotations: total and margin are what their lines come to, and every filter’s total', async () => {
  const all = await server.sql<Quoted>(
    `SELECT q.tenant_id AS tenant, q.bc_id AS bc, q.store_id AS store, q.id, q.code, q.status, q.quoter_id AS quoter,
       v.package_id AS package, x.total::text AS total, v.number, trim_scale(v.area)::text AS area,
       CASE WHEN x.total > 0 AND x.uncosted = 0
         THEN round((1 - x.cost / (x.total / (1 + v.tax_percent / 100))) * 100, 2)::text END AS margin,
       (q.changed_at AT TIME ZONE 'Asia/Shanghai')::date::text AS changed,
       q.status IN (1, 2, 3) AND v.valid_until < :today AS expired
     FROM quotations q
     JOIN LATERAL (SELECT * FROM quotation_versions w WHERE w.quotation_id = q.id ORDER BY w.number DESC LIMIT 1) v
       ON true
     LEFT JOIN packages p ON p.id = v.package_id
     CROSS JOIN LATERAL (
       SELECT coalesce(round(p.per_square * greatest(v.area, p.least_area), 2), 0)
           + coalesce(sum(CASE l.attribute
               WHEN 3 THEN round(l.priced * l.price, 2)
               WHEN 4 THEN -round(l.priced * l.removal_price, 2)
               WHEN 2 THEN l.amount END) FILTER (WHERE l.counts), 0)
           - (SELECT coalesce(sum(d.amount), 0) FROM quotation_discounts d WHERE d.version_id = v.id) AS total,
         coalesce(sum(round(l.ordered * l.cost, 2)) FILTER (WHERE l.counts AND l.attribute <> 4), 0) AS cost,
         count(*) FILTER (WHERE l.counts AND l.attribute <> 4 AND l.cost IS NULL) AS uncosted
       FROM quotation_lines l WHERE l.version_id = v.id) x`,
  )
  const some = all.find((q) => q.package)!
  const from = addDays(today, -20)
  const filters: [object, (q: Quoted) => boolean][] = [
    [{}, () => true],
    ...[1, 2, 3, 4, 5, 6].map((n): [object, (q: Quoted) => boolean] => [
      { status: String(n) },
      (q) => q.status === n,
    ]),
    [{ bc_id: some.bc }, (q) => q.bc === some.bc],
    [{ quoter_id: some.quoter }, (q) => q.quoter === some.quoter],
    [{ package_id: some.package! }, (q) => q.package === some.package],
    [{ from, to: today }, (q) => q.changed >= from],
  ]
  for (const name of ['hq_ops', 'branch_gm', 'examiner', 'quoter', 'quoter2', 'other']) {
    const { person, reaches } = who.get(name)!
    for (const [query, belongs] of filters) {
      const label = `${name} ${JSON.stringify(query)}`
      const mine = all.filter((q) => reaches(q) && belongs(q))
      for (let pageNo = 1; pageNo === 1 || (pageNo - 1) * 100 < mine.length; pageNo += 1) {
        const said = await person.call(quotationsApi.list, { query: { ...query, pageSize: 100, pageNo } })
        expect(said.totalCount, label).toBe(mine.length)
        for (const row of said.list) {
          const { total, area, number, expired, margin } = mine.find((q) => q.id === row.id)!
          expect(row, `${label} ${row.code}`).toMatchObject({ total, area, number, expired })
          if (name === 'quoter' || name === 'quoter2') expect(row.margin).toBeNull()
          else expect(row.margin, `${label} ${row.code}`).toBe(margin)
        }
      }
    }
  }
}, 120_000)

interface Asked extends Placed {
  id: string
  kind: string
  state: number
  amount: string
  round: number
  by: string
  submitted: number
  judged: number | null
  due: number
}
const asked = () =>
  server.sql<Asked>(
    `SELECT x.tenant_id AS tenant, x.bc_id AS bc, x.store_id AS store, x.id, x.kind, x.state, u.user_name AS by,
       CASE x.kind
         WHEN 'quotation' THEN (SELECT v.total FROM quotation_versions v WHERE v.id = x.version_id)
         WHEN 'change' THEN (SELECT sum(l.amount) FROM contract_change_lines l WHERE l.change_id = x.object_id)
         WHEN 'refund' THEN (SELECT f.amount - f.kept FROM contract_refunds f WHERE f.id = x.object_id)
         ELSE x.amount END::text AS amount,
       (SELECT count(*)::int FROM examine_requests o WHERE o.object_id = x.object_id AND o.kind = x.kind
         AND o.submitted_at <= x.submitted_at) AS round,
       floor(extract(epoch FROM x.submitted_at))::float8 AS submitted,
       floor(extract(epoch FROM x.judged_at))::float8 AS judged, floor(extract(epoch FROM x.due_at))::float8 AS due
     FROM examine_requests x JOIN users u ON u.id = x.submitted_by
     WHERE x.withdrawn_at IS NULL`,
  )

/** A cashier has no page of quotations, and neither they nor who quotes one of changes of goods. */
const CLOSED: Record<string, readonly string[]> = { cashier: ['quotation', 'goods'], quoter: ['goods'] }
test('the queue: amounts, times and rounds of its rows, every filter’s total, and the card 待审核', async () => {
  const all = await asked()
  const now = server.now().getTime() / 1000
  const late = (x: Asked) => x.state === 0 && x.due < now
  expect(all.filter(late).length).toBeGreaterThan(0)
  const filters: [object, (x: Asked) => boolean][] = [
    [{}, () => true],
    ...['quotation', 'change', 'refund', 'void', 'goods'].map((kind): [object, (x: Asked) => boolean] => [
      { kind },
      (x) => x.kind === kind,
    ]),
    ...[0, 1, 2].map((n): [object, (x: Asked) => boolean] => [
      { examineState: String(n) },
      (x) => x.state === n,
    ]),
    [{ overdue: true }, late],
    [{ overdue: false }, (x) => !late(x)],
    [{ bc_id: all[0]!.bc }, (x) => x.bc === all[0]!.bc],
  ]
  for (const [name, { person, reaches }] of who) {
    const judges = name.startsWith('examiner') || name === 'other'
    const wanted = judges
      ? [
          ...filters,
          [{ todo: true }, (x: Asked) => x.state === 0 && x.by !== name] as (typeof filters)[number],
        ]
      : filters
    for (const [query, belongs] of wanted) {
      const label = `${name} ${JSON.stringify(query)}`
      const mine = all.filter(
        (x) => reaches(x) && belongs(x) && !CLOSED[name.replace('2', '')]?.includes(x.kind),
      )
      const said = await person.call(examineApi.list, { query: { ...query, pageSize: 100 } })
      expect(said.totalCount, label).toBe(mine.length)
      for (const row of said.list) {
        const x = mine.find((m) => m.id === row.id)!
        expect({ ...row, amount: row.amount && money(cents(row.amount)) }, label).toMatchObject({
          amount: x.amount,
          round: x.round,
          submittedAt: x.submitted,
          judgedAt: x.judged,
          dueAt: x.due,
        })
      }
    }
    if (name !== 'examiner') continue
    const card = (await person.call(homeApi.cards)).figures.find((f) => f.card === 'examine')
    const mine = all.filter((x) => reaches(x) && x.state === 0 && x.by !== name)
    expect(card!.value).toBe(mine.length)
    const [part] = card!.parts
    expect(part!.value).toBe(mine.filter(late).length)
    expect((await person.call(examineApi.list, behind(card!.link))).totalCount).toBe(card!.value)
    expect((await person.call(examineApi.list, behind(part!.link))).totalCount).toBe(part!.value)
  }
}, 120_000)
/** What the list is asked for that a link opens. */
const behind = (link: string) => ({
  query: { ...Object.fromEntries(new URLSearchParams(link.split('?')[1])), pageSize: 100 },
})

test('the card 本月签约: its count and amount are those of the list that it opens', async () => {
  const all = await contracts()
  const first = `${today.slice(0, 7)}-01`
  for (const name of ['hq_ops', 'branch_gm', 'branch_gm2', 'cashier', 'quoter', 'other']) {
    const { person, reaches } = who.get(name)!
    const card = (await person.call(homeApi.cards)).figures.find((f) => f.card === 'signed')
    if (!card) continue
    const mine = all.filter((c) => reaches(c) && c.signed && c.signed >= first && c.state !== 'void')
    const amount = mine.reduce((all, c) => all + figuresOf(c).total, 0n)
    expect(card.value, name).toBe(mine.length)
    expect(card.aside.replaceAll(',', ''), name).toBe(`合同额 ${money(amount)} 元`)
    const list = await person.call(contractsApi.list, behind(card.link))
    expect(list.totalCount, name).toBe(card.value)
    expect(money(sum(list.list.map((c) => c.total))), name).toBe(money(amount))
    const gone = all.filter((c) => reaches(c) && c.state === 'void' && c.signed && c.void! >= first)
    expect(
      card.parts.map((p) => p.value),
      name,
    ).toEqual([gone.length])
    expect((await person.call(contractsApi.list, behind(card.parts[0]!.link))).totalCount).toBe(gone.length)
  }
})

test('the demo’s staff have quoted and signed for a hundred days, in every branch and every state', async () => {
  const states = await server.sql<{ tenant: string; status: number; n: number }>(
    `SELECT t.name AS tenant, q.status, count(*)::int AS n
     FROM quotations q JOIN tenants t ON t.id = q.tenant_id GROUP BY 1, 2 ORDER BY 1, 2`,
  )
  for (const tenant of ['筑家装饰集团', '安居美家集团'])
    expect(new Set(states.filter((s) => s.tenant === tenant).map((s) => s.status))).toEqual(
      new Set([1, 2, 3, 4, 5, 6]),
    )
  const gm = await server.as('branch_gm')
  const list = await gm.call(quotationsApi.list, { query: { pageSize: 100 } })
  expect(list.totalCount).toBeGreaterThan(70)
  expect(list.list.some((q) => q.expired)).toBe(true)
  const contracts = await server.sql<{ tenant: string; kinds: string[]; two: number }>(
    `SELECT t.name AS tenant, array_agg(DISTINCT k.state || k.signing_progress ORDER BY k.state || k.signing_progress)
       AS kinds, (SELECT count(*)::int FROM (SELECT FROM contracts o WHERE o.tenant_id = t.id
         GROUP BY o.customer_id HAVING count(*) > 1) x) AS two
     FROM contracts k JOIN tenants t ON t.id = k.tenant_id GROUP BY t.id, t.name ORDER BY 1`,
  )
  for (const { kinds, two } of contracts) {
    expect(kinds).toEqual(expect.arrayContaining(['live1', 'live2', 'live3']))
    expect(two).toBeGreaterThan(0)
  }
  // Every site that is under way or has not begun has been signed for.
  const [outside] = await server.sql<{ n: number }>(
    `SELECT count(*)::int AS n FROM sites w WHERE w.status IN (1, 2) AND NOT EXISTS (
       SELECT 1 FROM contracts k WHERE k.site_id = w.id AND k.signing_progress = 3)`,
  )
  expect(outside!.n).toBe(0)
  const [wrong] = await server.sql<{ n: number }>(
    `SELECT count(*)::int AS n FROM quotation_versions v
     WHERE v.total <> v.package + v.removed + v.adjusted + v.added + v.discount
       OR v.added <> (SELECT coalesce(sum(round(l.priced * l.price, 2)), 0) FROM quotation_lines l
         WHERE l.version_id = v.id AND l.counts AND l.attribute = 3)`,
  )
  expect(wrong!.n).toBe(0)
})

test('what the demo sold is ordered, shipped, accepted and sent back in every state, and both laws hold', async () => {
  expect(await lawsBroken(server)).toEqual([])
  for (const tenant of ['筑家装饰集团', '安居美家集团']) {
    const of = (table: string, column: string) =>
      server.sql<{ v: number }>(
        `SELECT DISTINCT x.${column} AS v FROM ${table} x JOIN tenants t ON t.id = x.tenant_id
         WHERE t.name = $1 AND x.${column} IS NOT NULL ORDER BY 1`,
        [tenant],
      )
    const values = async (table: string, column: string) => (await of(table, column)).map((r) => r.v)
    expect(await values('pieces', 'order_state'), tenant).toEqual([1, 2, 3, 4, 5, 6, 7])
    expect(await values('orders', 'receive_state'), tenant).toEqual([0, 1, 2])
    expect(await values('dispatches', 'state'), tenant).toEqual([0, 2, 3, 4])
    expect(await values('goods_changes', 'result'), tenant).toEqual([4, 5])
  }
})
