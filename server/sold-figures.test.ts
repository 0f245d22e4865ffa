import { contractsApi } from '@zhuguan/contract/features/contracts/contracts.api.ts'
import { receiptsApi } from '@zhuguan/contract/features/contracts/receipts.api.ts'
import { dispatchApi } from '@zhuguan/contract/features/dispatch/dispatch.api.ts'
import { logisticsApi } from '@zhuguan/contract/features/dispatch/logistics.api.ts'
import { examineApi } from '@zhuguan/contract/features/examine/examine.api.ts'
import { goodsApi } from '@zhuguan/contract/features/goods/goods.api.ts'
import { homeApi } from '@zhuguan/contract/features/home/home.api.ts'
import { ordersApi } from '@zhuguan/contract/features/orders/orders.api.ts'
import { countsApi } from '@zhuguan/contract/features/pieces/counts.api.ts'
import { quotationsApi } from '@zhuguan/contract/features/quotations/quotations.api.ts'
import { sharesApi } from '@zhuguan/contract/features/shares/shares.api.ts'
import { statementsApi } from '@zhuguan/contract/features/statements/statements.api.ts'
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
  await dealDemo(server.logins, { files, secretKey: server.secretKey, now: server.now() })
  // As autovacuum does a minute after so much was written.
  await server.sql('ANALYZE')
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
}, 600_000)
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
  const back = c.state === 'void' ? paid : most(paid - (c.end === null ? total : cents(c.end)), 0n)
  return { total, paid, due: fallen(false), owed, overdue, back }
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
    [{ owing: true }, (c) => open(c) && figuresOf(c).owed > 0n],
    [{ back: true }, (c) => figuresOf(c).back > 0n],
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
        const { total, paid, owed, overdue, back } = figuresOf(c)
        expect(row, label).toMatchObject({
          total: money(total),
          paid: money(paid),
          owed: money(owed),
          overdue: money(overdue),
          back: money(back),
          area: c.area,
          changes: c.changes.length,
        })
      }
    }
  }
}, 600_000)

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
}, 600_000)

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
}, 600_000)

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
const CLOSED: Record<string, readonly string[]> = {
  cashier: ['quotation', 'goods', 'grade'],
  quoter: ['goods', 'grade'],
}
test('the queue: amounts, times and rounds of its rows, every filter’s total, and the card 待审核', async () => {
  const all = await asked()
  const now = server.now().getTime() / 1000
  const late = (x: Asked) => x.state === 0 && x.due < now
  expect(all.filter(late).length).toBeGreaterThan(0)
  const filters: [object, (x: Asked) => boolean][] = [
    [{}, () => true],
    ...['quotation', 'change', 'refund', 'void', 'goods', 'charge', 'grade'].map(
      (kind): [object, (x: Asked) => boolean] => [{ kind }, (x) => x.kind === kind],
    ),
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
}, 600_000)
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
    const worth = (c: Signed) => (c.end === null ? figuresOf(c).total : cents(c.end))
    const amount = mine.reduce((all, c) => all + worth(c), 0n)
    const over = mine.filter((c) => c.end !== null).length
    const words = over > 0 ? '，终止的按结算金额' : ''
    expect(card.value, name).toBe(mine.length)
    expect(card.aside.replaceAll(',', ''), name).toBe(`合同额 ${money(amount)} 元${words}`)
    const list = await person.call(contractsApi.list, behind(card.link))
    expect(list.totalCount, name).toBe(card.value)
    expect(money(sum(list.list.map((c) => c.endValue ?? c.total))), name).toBe(money(amount))
    const gone = all.filter((c) => reaches(c) && c.state === 'void' && c.signed && c.void! >= first)
    expect(
      card.parts.map((p) => p.value),
      name,
    ).toEqual([over, gone.length])
    expect((await person.call(contractsApi.list, behind(card.parts[1]!.link))).totalCount).toBe(gone.length)
  }
})

test('what is due, taken and owed back: rows, totals and cards, beside the documents', async () => {
  const all = await contracts()
  const papers = await server.sql<{
    contract: string
    method: string
    day: string
    cash: string
    taken: boolean
  }>(
    `SELECT contract_id AS contract, method, paid_on::text AS day, amount::text AS cash, true AS taken
     FROM contract_receipts WHERE refund_id IS NULL
     UNION ALL
     SELECT contract_id, method, paid_on::text, (amount - kept)::text, false
     FROM contract_refunds WHERE status = 2 AND to_id IS NULL`,
  )
  expect(papers.some((p) => !p.taken)).toBe(true)
  const [from, to] = [addDays(today, -60), today]
  for (const name of ['hq_ops', 'branch_gm', 'branch_gm2', 'cashier', 'other']) {
    const { person, reaches } = who.get(name)!
    const mine = all.filter((c) => reaches(c))
    const { list } = await person.call(receiptsApi.due, { query: { unpaid: true, pageSize: 100 } })
    for (const c of mine) {
      // A day that was only planned and has gone by is looked after, and not owed yet.
      const rows = list.filter(
        (r) => r.contract_id === c.id && !r.planned && (r.when === 'before' || r.when === 'today'),
      )
      const counts = c.progress === 3 && (c.state === 'live' || c.state === 'ending')
      expect(money(sum(rows.map((r) => r.open))), c.code).toBe(money(counts ? figuresOf(c).owed : 0n))
    }
    const { figures } = await person.call(homeApi.cards)
    const card = (of: string) => figures.find((f) => f.card === of)!
    const soon = Object.fromEntries(new URLSearchParams(card('due').link.split('?')[1]))
    delete soon['view']
    const due = await person.call(receiptsApi.due, { query: { ...soon, pageSize: 100 } })
    expect(card('due').value, name).toBe(due.totalCount)
    expect(card('due').aside.replaceAll(',', '')).toBe(`未收 ${money(sum(due.list.map((r) => r.open)))} 元`)
    const owed = mine.filter((c) => figuresOf(c).back > 0n)
    expect(card('back').value, name).toBe(owed.length)
    const back = owed.reduce((n, c) => n + figuresOf(c).back, 0n)
    expect(card('back').aside.replaceAll(',', ''), name).toBe(`应退 ${money(back)} 元`)
    const within = papers.filter((p) => p.day >= from && p.day <= to && mine.some((c) => c.id === p.contract))
    const net = (list: typeof papers) => sum(list.map((p) => (p.taken ? p.cash : `-${p.cash}`)))
    const totals = await person.call(receiptsApi.totals, { query: { from, to } })
    expect(totals, name).toMatchObject({ net: money(net(within)), count: within.length })
    for (const m of totals.methods)
      expect(m.net, `${name} ${m.method}`).toBe(money(net(within.filter((p) => p.method === m.method))))
    expect(card('taken').value, name).toBe(within.filter((p) => p.day === today).length)
  }
}, 600_000)

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
  // In every branch something was sent to customers, and looked at.
  for (const name of ['branch_gm', 'branch_gm2', 'other']) {
    const sent = await (await server.as(name)).call(sharesApi.list, { query: { pageSize: 100 } })
    expect(sent.totalCount, name).toBeGreaterThan(1)
    expect(
      sent.list.some((l) => l.openings > 0),
      name,
    ).toBe(true)
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
    const [after] = await server.sql(
      `SELECT (SELECT array_agg(DISTINCT g.result ORDER BY g.result) FROM goods_changes g
           WHERE g.tenant_id = t.id AND g.late) AS complaints,
         EXISTS (SELECT 1 FROM goods_changes g WHERE g.tenant_id = t.id AND g.scrap) AS scrapped,
         EXISTS (SELECT 1 FROM logistics g WHERE g.tenant_id = t.id AND g.disputed <> '' AND g.damage > 0) AS decided,
         (SELECT array_agg(DISTINCT s.state ORDER BY s.state) FROM statements s WHERE s.tenant_id = t.id) AS statements,
         EXISTS (SELECT 1 FROM owed_payments y WHERE y.tenant_id = t.id) AS paid
       FROM tenants t WHERE t.name = $1`,
      [tenant],
    )
    expect(after, tenant).toEqual({
      complaints: [3, 4, 5],
      scrapped: true,
      decided: true,
      statements: ['agreed', 'disputed', 'sent'],
      paid: true,
    })
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
    expect(await values('goods_changes', 'result'), tenant).toEqual([3, 4, 5])
  }
})

/** The person who reads the pages of goods. */
const MOVERS = ['hq_ops', 'branch_gm', 'branch_gm2', 'order_clerk', 'acceptor', 'supplier', 'other'] as const
interface Parted {
  tenant: string
  bc: string
  receiver: string
}
interface Mover {
  name: (typeof MOVERS)[number]
  person: Person
  buys: (of: Omit<Parted, 'receiver'>) => boolean
  receives: (of: Parted) => boolean
}
const movers = async (): Promise<Mover[]> =>
  Promise.all(
    MOVERS.map(async (name) => {
      const [me] = await server.sql<{ tenant: string; bc: string; stores: string[] }>(
        `SELECT u.tenant_id AS tenant, u.bc_id AS bc,
           ARRAY(SELECT s.store_id::text FROM user_stores s WHERE s.user_id = u.id) AS stores
         FROM users u WHERE u.user_name = $1`,
        [name],
      )
      const all = name === 'hq_ops' || name === 'other'
      const trades = name === 'supplier'
      return {
        name,
        person: await server.as(name),
        buys: (of) => of.tenant === me!.tenant && (all || (!trades && of.bc === me!.bc)),
        receives: (of) =>
          of.tenant === me!.tenant &&
          (all || (trades ? me!.stores.includes(of.receiver) : of.receiver === me!.bc)),
      }
    }),
  )
type Filter<T> = [query: object, belongs: (one: T, of: Mover) => boolean]
const each = <T>(name: string, values: readonly (number | string)[], of: (one: T) => unknown): Filter<T>[] =>
  values.map((v) => [{ [name]: String(v) }, (one) => of(one) === v])
/** Every filter of a list, as each who has it: as many as there are, those that there are, and each row's figures. */
async function walk<T extends Parted & { id: string }, R extends { id: string; code: string }>(
  list: (person: Person, query: object) => Promise<{ totalCount: number; list: R[] }>,
  all: readonly T[],
  filters: readonly Filter<T>[],
  { people, figures }: { people: readonly Mover[]; figures: (one: T, of: Mover) => object },
): Promise<void> {
  for (const mover of people)
    for (const [query, belongs] of filters) {
      const label = `${mover.name} ${JSON.stringify(query)}`
      const mine = all.filter((one) => (mover.buys(one) || mover.receives(one)) && belongs(one, mover))
      const said = await list(mover.person, { ...query, pageSize: 100 })
      expect(said.totalCount, label).toBe(mine.length)
      for (const row of said.list) {
        const one = mine.find((m) => m.id === row.id)
        if (!one) throw new Error(`${label}: ${row.code} is not one of them`)
        expect(row, `${label} ${row.code}`).toMatchObject(figures(one, mover))
      }
    }
}
const shanghai = (column: string) => `(${column} AT TIME ZONE 'Asia/Shanghai')::date::text`

interface Ordered extends Parted {
  id: string
  site: string
  manager: string | null
  batch: string
  method: number
  expected: string
  answer: number
  ended: string
  made: string
  due: number
  lines: number
  placedLines: number
  accepted: number
  amount: string
  placedAmount: string
  states: number[]
}
const ordered = () =>
  server.sql<Ordered>(
    `SELECT o.tenant_id AS tenant, o.bc_id AS bc, o.receiver_id AS receiver, o.id, o.site_id AS site,
       w.manager_id AS manager, o.batch, o.method, o.expected_on::text AS expected, o.receive_state AS answer, o.ended,
       ${shanghai('o.made_at')} AS made, floor(extract(epoch FROM o.due_at))::float8 AS due,
       (SELECT count(*)::int FROM order_lines l WHERE l.order_id = o.id) AS "placedLines",
       (SELECT count(DISTINCT p.line_id)::int FROM pieces p WHERE p.order_id = o.id AND p.place <> 'held') AS lines,
       (SELECT count(*)::int FROM order_lines l WHERE l.order_id = o.id AND EXISTS (
          SELECT 1 FROM pieces p WHERE p.line_id = l.id AND p.order_state = 6) AND NOT EXISTS (
          SELECT 1 FROM pieces p WHERE p.line_id = l.id AND p.order_state <> 6)) AS accepted,
       (SELECT round(coalesce(sum(round(l.quantity * l.price, 2)), 0), 2) FROM order_lines l
        WHERE l.order_id = o.id)::text AS "placedAmount",
       (SELECT round(coalesce(sum(round(k.quantity * l.price, 2)), 0), 2)
        FROM (SELECT p.line_id, sum(p.quantity) AS quantity
          FROM pieces p WHERE p.order_id = o.id AND p.place NOT IN ('held', 'back') AND p.counts GROUP BY 1) k
        JOIN order_lines l ON l.id = k.line_id)::text AS amount,
       ARRAY(SELECT DISTINCT p.order_state FROM pieces p WHERE p.order_id = o.id AND p.order_state IS NOT NULL)
         AS states
     FROM orders o LEFT JOIN sites w ON w.id = o.site_id`,
  )
/** Of two or more states the one that the header shows, as docs/states.md orders them. */
const HEADER = [7, 5, 4, 3, 2, 6, 1]
const headOf = ({ states }: Ordered) => HEADER.find((s) => states.includes(s)) ?? null
const lateOrder = (o: Ordered) =>
  (o.ended === '' && o.answer === 0 && o.due < server.now().getTime() / 1000) ||
  (o.expected < today && o.states.some((s) => s === 2 || s === 3 || s === 4))

test('orders: every figure of every row, and every filter’s total, as each of both parties', async () => {
  const all = await ordered()
  const people = await movers()
  const one = all.find((o) => o.manager)!
  const batched = all.find((o) => o.batch !== '')
  const filters: Filter<Ordered>[] = [
    [{}, () => true],
    // What was recalled or released is over, not refused.
    ...each<Ordered>('receiveState', [0, 1, 2], (o) => (o.answer === 1 && o.ended !== '' ? null : o.answer)),
    ...each<Ordered>('orderState', [1, 2, 3, 4, 5, 6, 7], headOf),
    ...[1, 2, 3, 4, 5, 6, 7].map((n): Filter<Ordered> => [{ pieceState: n }, (o) => o.states.includes(n)]),
    [{ late: true }, lateOrder],
    [{ late: false }, (o) => !lateOrder(o)],
    [{ bc_id: one.bc }, (o) => o.bc === one.bc],
    [{ site_id: one.site }, (o) => o.site === one.site],
    [{ receiver_id: one.receiver }, (o) => o.receiver === one.receiver],
    // Who leads the site is nothing to a receiver.
    [{ manager_id: one.manager! }, (o, { buys }) => buys(o) && o.manager === one.manager],
    [{ expectedTo: addDays(today, -1) }, (o) => o.expected < today],
    [{ madeFrom: addDays(today, -20), madeTo: today }, (o) => o.made >= addDays(today, -20)],
    ...(batched
      ? [[{ batch: batched.batch }, (o: Ordered) => o.batch === batched.batch] satisfies Filter<Ordered>]
      : []),
  ]
  expect(all.filter(lateOrder).length).toBeGreaterThan(0)
  const figures = (o: Ordered, mover: Mover) => ({
    orderState: headOf(o),
    lines: o.lines,
    placedLines: o.placedLines,
    linesAccepted: o.accepted,
    late: lateOrder(o),
    expectedOn: o.expected,
    amount: mover.name === 'acceptor' ? null : o.amount,
    placedAmount: mover.name === 'acceptor' ? null : o.placedAmount,
  })
  await walk((p, query) => p.call(ordersApi.list, { query }), all, filters, { people, figures })
}, 600_000)

interface Line extends Parted {
  order: string
  id: string
  changed: boolean
  shipped: string
  arrived: string
  accepted: string
}
test('an order: its lines are what its notes carried and its sheets found', async () => {
  const lines = await server.sql<Line>(
    `SELECT o.tenant_id AS tenant, o.bc_id AS bc, o.receiver_id AS receiver, o.id AS order, l.id,
       EXISTS (SELECT 1 FROM goods_changes g WHERE g.order_id = o.id)
         OR EXISTS (SELECT 1 FROM dispatches d WHERE d.order_id = o.id AND d.state = 5) AS changed,
       trim_scale(coalesce((SELECT sum(c.quantity) FROM carried c JOIN dispatches d ON d.id = c.note_id
         WHERE c.line_id = l.id AND d.state IN (2, 3, 4)), 0))::text AS shipped,
       trim_scale(coalesce((SELECT sum(c.quantity) FROM carried c JOIN dispatches d ON d.id = c.note_id
         WHERE c.line_id = l.id AND d.state IN (3, 4)), 0))::text AS arrived,
       trim_scale(coalesce((SELECT sum(j.quantity) FROM judgements j WHERE j.line_id = l.id AND j.result = 2), 0))::text
         AS accepted
     FROM orders o JOIN order_lines l ON l.order_id = o.id`,
  )
  for (const mover of (await movers()).filter(({ name }) => name === 'branch_gm' || name === 'supplier')) {
    const mine = lines.filter((l) => mover.buys(l) || mover.receives(l))
    const plain = mine.filter((l) => !l.changed)
    expect(plain.filter((l) => l.accepted !== '0').length).toBeGreaterThan(0)
    for (const [id, own] of Map.groupBy(plain, (l) => l.order)) {
      const said = await mover.person.call(ordersApi.details, { query: { id } })
      expect(said.lineList.length, said.code).toBe(said.placedLines)
      for (const { id: line, shipped, arrived, accepted } of own)
        expect(
          said.lineList.find((l) => l.id === line),
          said.code,
        ).toMatchObject({ shipped, arrived, accepted })
      expect(money(sum(said.lineList.map((l) => l.amount!))), said.code).toBe(said.amount)
    }
  }
}, 600_000)

interface Noted extends Parted {
  id: string
  order: string
  state: number
  kind: number
  method: number
  planned: string | null
  made: string
  carried: number
  checks: number | null
}
test('notes and sheets: lines, lateness and what is checked, and every filter’s total', async () => {
  const all = await server.sql<Noted>(
    `SELECT d.tenant_id AS tenant, d.bc_id AS bc, d.receiver_id AS receiver, d.id, d.order_id AS order, d.state, d.kind,
       d.method, d.planned_on::text AS planned, ${shanghai('d.made_at')} AS made, k.lines AS carried,
       CASE WHEN d.state IN (3, 4) THEN k.checks END AS checks
     FROM dispatches d CROSS JOIN LATERAL (
       SELECT count(DISTINCT c.line_id)::int AS lines, CASE
         WHEN bool_and(coalesce(p.result, 0) IN (0, 1)) THEN 0
         WHEN bool_or(coalesce(p.result, 0) IN (0, 1, 3, 4) OR p.result = 5 AND p.place <> 'back') THEN 1 ELSE 2 END
         AS checks
       FROM carried c JOIN pieces p ON p.id = c.piece_id WHERE c.note_id = d.id) k`,
  )
  const people = await movers()
  const late = (d: Noted) => (d.state === 0 || d.state === 2) && d.planned !== null && d.planned < today
  const one = all.find((d) => d.state === 4)!
  const places: Filter<Noted>[] = [
    [{}, () => true],
    [{ bc_id: one.bc }, (d) => d.bc === one.bc],
    [{ receiver_id: one.receiver }, (d) => d.receiver === one.receiver],
    [{ order_id: one.order }, (d) => d.order === one.order],
  ]
  expect(all.filter(late).length).toBeGreaterThan(0)
  await walk(
    (p, query) => p.call(dispatchApi.list, { query }),
    all,
    [
      ...places,
      ...each<Noted>('state', [0, 1, 2, 3, 4, 5], (d) => d.state),
      ...each<Noted>('kind', [1, 2, 3], (d) => d.kind),
      ...each<Noted>('method', [1, 2, 3], (d) => d.method),
      [{ late: true }, late],
      [{ late: false }, (d) => !late(d)],
      [{ from: addDays(today, -20), to: today }, (d) => d.made >= addDays(today, -20)],
    ],
    {
      people,
      figures: (d) => ({ state: d.state, late: late(d), ...(d.state > 1 ? { lines: d.carried } : {}) }),
    },
  )
  const arrived = all.filter((d) => d.checks !== null)
  await walk(
    (p, query) => p.call(goodsApi.sheets, { query }),
    arrived,
    [...places, ...each<Noted>('checkState', [0, 1, 2], (d) => d.checks)],
    {
      people: people.filter(({ name }) => name !== 'supplier'),
      figures: (d) => ({ lines: d.carried, checkState: d.checks }),
    },
  )
}, 600_000)

interface Changed extends Parted {
  id: string
  result: number | null
  examine: number
  state: string
  reason: string
  quantity: string
  progress: number | null
  overdue: boolean
}
interface Leg extends Parted {
  id: string
  type: number
  progress: number
  status: number
  expected: string | null
}
test('changes of goods and the ways of goods: quantity, progress and lateness, and every filter’s total', async () => {
  const people = await movers()
  const changes = await server.sql<Changed>(
    `SELECT g.tenant_id AS tenant, g.bc_id AS bc, g.receiver_id AS receiver, g.id, g.result, g.examine_state AS examine,
       g.state, g.reason_code AS reason, trim_scale(g.quantity)::text AS quantity,
       (SELECT min(v.progress) FROM logistics v WHERE v.change_id = g.id) AS progress,
       g.state = 'open' AND g.answer = '' AND g.examine_state = 0 AND g.answer_due < :now AS overdue
     FROM goods_changes g`,
  )
  const codes = (of: (c: Changed) => string) => [...new Set(changes.map(of))]
  await walk(
    (p, query) => p.call(goodsApi.list, { query }),
    changes,
    [
      [{}, () => true],
      ...each<Changed>('result', [3, 4, 5], (c) => c.result),
      ...each<Changed>('examineState', [0, 1, 2], (c) => c.examine),
      ...each<Changed>('state', ['open', 'closed', 'unsolved', 'withdrawn', 'rejected'], (c) => c.state),
      ...each<Changed>(
        'reasonCode',
        codes((c) => c.reason),
        (c) => c.reason,
      ),
      [{ overdue: true }, (c) => c.overdue],
      [{ overdue: false }, (c) => !c.overdue],
    ],
    { people, figures: ({ quantity, progress, state }) => ({ quantity, progress, state }) },
  )
  const legs = await server.sql<Leg>(
    `SELECT g.tenant_id AS tenant, g.bc_id AS bc, g.receiver_id AS receiver, g.id, g.type, g.progress, g.status,
       g.expected_on::text AS expected
     FROM logistics g`,
  )
  // Neither there nor written off: 2 is there, of the states 2 and up are over.
  const late = (g: Leg) => g.progress < 2 && g.status < 2 && g.expected !== null && g.expected < today
  await walk(
    (p, query) => p.call(logisticsApi.list, { query }),
    legs,
    [
      [{}, () => true],
      ...each<Leg>('type', [0, 1, 2, 3, 4, 5], (g) => g.type),
      ...each<Leg>('progress', [0, 1, 2], (g) => g.progress),
      ...each<Leg>('status', [0, 1, 2, 3], (g) => g.status),
      [{ late: true }, late],
      [{ late: false }, (g) => !late(g)],
    ],
    { people, figures: (g) => ({ type: g.type, progress: g.progress, late: late(g) }) },
  )
}, 600_000)

interface Planned {
  tenant: string
  bc: string
  id: string
  site: string
  stage: string | null
  quantity: string
  held: string
  suggested: string | null
}
test('what is to be ordered: quantities, days and every filter’s total', async () => {
  const all = await server.sql<Planned>(
    `SELECT i.tenant_id AS tenant, p.bc_id AS bc, i.id, p.site_id AS site, i.stage,
       trim_scale(coalesce(sum(p.quantity) FILTER (WHERE p.place = 'open'), 0))::text AS quantity,
       trim_scale(coalesce(sum(p.quantity) FILTER (WHERE p.place = 'held'), 0))::text AS held,
       (SELECT t.planned_start - coalesce(d.lead_days, a.lead_days, b.lead_days, c.lead_days, 0)::int
        FROM site_stages t WHERE t.site_id = p.site_id AND t.stage = i.stage)::text AS suggested
     FROM pieces p JOIN contract_items i ON i.id = p.item_id
     LEFT JOIN products d ON d.id = i.product_id
     LEFT JOIN product_categories a ON a.id = d.category_id
     LEFT JOIN product_categories b ON b.id = a.parent_id
     LEFT JOIN product_categories c ON c.id = b.parent_id
     WHERE p.place IN ('open', 'held')
     GROUP BY i.tenant_id, p.bc_id, i.id, p.site_id, i.stage, d.lead_days, a.lead_days, b.lead_days, c.lead_days`,
  )
  const late = (i: Planned) => i.suggested !== null && i.suggested < today
  const one = all.find((i) => i.stage)!
  const filters: [object, (i: Planned) => boolean][] = [
    [{}, () => true],
    [{ late: true }, late],
    [{ late: false }, (i) => !late(i)],
    [{ site_id: one.site }, (i) => i.site === one.site],
    [{ stage: one.stage! }, (i) => i.stage === one.stage],
    [{ bc_id: one.bc }, (i) => i.bc === one.bc],
  ]
  for (const { name, person, buys } of await movers()) {
    if (name === 'supplier' || name === 'acceptor') continue
    for (const [query, belongs] of filters) {
      const mine = all.filter((i) => buys(i) && belongs(i))
      const label = `${name} ${JSON.stringify(query)}`
      const said = await person.call(ordersApi.plan, { query: { ...query, pageSize: 100 } })
      expect(said.totalCount, label).toBe(mine.length)
      for (const row of said.list) {
        const i = mine.find((m) => m.id === row.id)!
        const { quantity, held, suggested: suggestedOn } = i
        expect(row, `${label} ${row.name}`).toMatchObject({ quantity, held, suggestedOn, late: late(i) })
      }
    }
  }
}, 600_000)

interface Moved extends Parted {
  sign: number
  month: string
  amount: string
}
/** Price in millionths times quantity in thousandths, as cents, half away from zero. */
const billed = (price: bigint, quantity: bigint): bigint => (price * quantity + 5_000_000n) / 10_000_000n
/** What begins and ceases to be owed, of every ordered line in the order of its events: its sum is rounded once. */
async function everOwed(): Promise<Moved[]> {
  const events = await server.sql<Parted & { line: string; month: string; quantity: string; price: string }>(
    `SELECT o.tenant_id AS tenant, o.bc_id AS bc, o.receiver_id AS receiver, e.line_id AS line,
       to_char(e.at AT TIME ZONE 'Asia/Shanghai', 'YYYY-MM') AS month, (e.quantity * 1000)::bigint::text AS quantity,
       (l.price * 1000000)::bigint::text AS price
     FROM (SELECT j.line_id, j.quantity, j.at, j.id FROM judgements j WHERE j.result = 2
       UNION ALL
       SELECT g.line_id, -g.quantity, r.judged_at, g.id
       FROM goods_changes g
       JOIN examine_requests r ON r.kind = 'goods' AND r.object_id = g.id AND r.state = 1
       WHERE g.late AND NOT g.surplus) e
     JOIN order_lines l ON l.id = e.line_id JOIN orders o ON o.id = l.order_id
     ORDER BY e.at, e.id`,
  )
  const stands = new Map<string, bigint>()
  return events.map(({ line, price, quantity, ...of }) => {
    const was = stands.get(line) ?? 0n
    const is = was + BigInt(quantity)
    stands.set(line, is)
    const amount = billed(BigInt(price), is) - billed(BigInt(price), was)
    return {
      ...of,
      sign: quantity.startsWith('-') ? -1 : 1,
      amount: money(amount < 0n ? -amount : amount),
    }
  })
}
/** Of lines by hand that were approved, and of goods that came back damaged: what is owed beside the goods. */
const besideGoods = () =>
  server.sql<Moved>(
    `SELECT c.tenant_id AS tenant, c.bc_id AS bc, c.receiver_id AS receiver, to_char(c.month, 'YYYY-MM') AS month,
       1 AS sign, (CASE c.side WHEN 'take' THEN -c.amount ELSE c.amount END)::text AS amount
     FROM owed_charges c
     JOIN examine_requests r ON r.kind = 'charge' AND r.object_id = c.id AND r.state = 1
     UNION ALL
     SELECT g.tenant_id, g.bc_id, g.receiver_id, to_char(e.at AT TIME ZONE 'Asia/Shanghai', 'YYYY-MM'), 1,
       e.amount::text
     FROM logistics g
     LEFT JOIN examine_requests r ON r.kind = 'grade' AND r.object_id = g.id
     CROSS JOIN LATERAL (
       SELECT n.at, substring(n.title FROM '请赔付 ([0-9.]+) 元')::numeric(20, 2) AS amount
       FROM logistics_nodes n WHERE n.logistics_id = g.id AND n.title LIKE '退货验货：%') asked
     CROSS JOIN LATERAL (
       SELECT asked.at, asked.amount
       UNION ALL SELECT r.submitted_at, -asked.amount
       UNION ALL SELECT r.judged_at, g.damage) e
     WHERE asked.amount > 0 AND e.at IS NOT NULL`,
  )
test('statements: what was accepted and went back, to the cent, and the same as the companies’ rows', async () => {
  const all = await everOwed()
  const beside = await besideGoods()
  expect(beside.length).toBeGreaterThan(3)
  const orders = await ordered()
  const months = [...new Set(all.map((m) => m.month))]
  expect(months.length).toBeGreaterThan(1)
  for (const { name, person, buys, receives } of await movers()) {
    if (name === 'acceptor') continue
    // What one's own side owes, or is owed where it only receives: never both in one sum.
    const reached = <T extends Parted>(list: readonly T[]) =>
      list.filter(name === 'supplier' ? receives : buys)
    for (const month of months) {
      const first = `${month}-01`
      const last = addDays(`${addDays(first, 31).slice(0, 7)}-01`, -1)
      const query = { from: first, to: last, pageSize: 100 }
      const rows = name === 'supplier' ? [] : (await person.call(ordersApi.units, { query })).list
      for (const [receiver, mine] of Map.groupBy(
        reached(all.filter((m) => m.month === month)),
        (m) => m.receiver,
      )) {
        const of = (sign: number) => sum(mine.filter((m) => m.sign === sign).map((m) => m.amount))
        const byHand = sum(
          reached(beside.filter((b) => b.month === month && b.receiver === receiver)).map((b) => b.amount),
        )
        const figures = {
          acceptedAmount: money(of(1)),
          returnedAmount: money(of(-1)),
          handAmount: money(byHand),
          due: money(of(1) - of(-1) + byHand),
        }
        const said = await person.call(statementsApi.preview, { query: { receiver_id: receiver, month } })
        expect(said, `${name} ${month}`).toMatchObject(figures)
        expect(money(sum(said.lines.map((l) => l.amount))), `${name} ${month}`).toBe(figures.due)
        if (name !== 'supplier')
          expect(
            rows.find((r) => r.id === receiver),
            `${name} ${month}`,
          ).toMatchObject(figures)
      }
    }
    if (name === 'supplier') continue
    const { list } = await person.call(ordersApi.units, { query: { pageSize: 100 } })
    const mine = Map.groupBy(reached(orders), (o) => o.receiver)
    expect(list.map((r) => r.id).sort(), name).toEqual([...mine.keys()].sort())
    for (const [receiver, own] of mine)
      expect(
        list.find((r) => r.id === receiver),
        name,
      ).toMatchObject({
        orders: own.length,
        waiting: own.filter((o) => o.answer === 0 && o.ended === '').length,
        rejected: own.filter((o) => o.answer === 1 && o.ended === '').length,
        accepted: own.filter((o) => o.answer === 2).length,
        ended: own.filter((o) => o.answer !== 2 && o.ended !== '').length,
        late: own.filter(lateOrder).length,
      })
  }
}, 600_000)

test('the board: goods by state of branch and manager, times, lateness, returns, what holds a site up', async () => {
  const pieces = await server.sql<{
    tenant: string
    bc: string
    manager: string | null
    state: number
    late: boolean
  }>(
    `SELECT p.tenant_id AS tenant, p.bc_id AS bc, w.manager_id AS manager, p.order_state AS state,
       p.order_state IN (2, 3, 4) AND o.expected_on < :today AS late
     FROM pieces p JOIN sites w ON w.id = p.site_id LEFT JOIN orders o ON o.id = p.order_id
     WHERE p.order_state IS NOT NULL`,
  )
  // An answer is judged by the hours in which the branch works: from opening to closing of days that are none off.
  const opening = await server.sql<{ tenant: string; bc: string | null; key: string; value: unknown }>(
    `SELECT tenant_id AS tenant, bc_id AS bc, key, value FROM settings
     WHERE key IN ('workStart', 'workEnd', 'restDays')`,
  )
  const dated = await server.sql<{ tenant: string; bc: string | null; day: string; rest: boolean }>(
    'SELECT tenant_id AS tenant, bc_id AS bc, day::text AS day, rest FROM calendar_days',
  )
  type Where = { tenant: string; bc: string }
  const ownOf = <T extends { tenant: string; bc: string | null }>(list: readonly T[], at: Where) =>
    list.find((one) => one.tenant === at.tenant && one.bc === at.bc) ??
    list.find((one) => one.tenant === at.tenant && one.bc === null)
  const secondOf = (text: unknown, otherwise: string) => {
    const [hours, minutes] = String(text ?? otherwise)
      .split(':')
      .map(Number)
    return (hours! * 60 + minutes!) * 60
  }
  const LOCAL_S = 8 * 3_600
  const DAY_S = 86_400
  const workedHours = (at: Where, from: number, to: number): number => {
    const set = (key: string) =>
      ownOf(
        opening.filter((s) => s.key === key),
        at,
      )?.value
    const opens = secondOf(set('workStart'), '00:00')
    const shuts = secondOf(set('workEnd'), '23:59')
    const closes = shuts === DAY_S - 60 ? DAY_S : shuts
    const off = (set('restDays') ?? []) as number[]
    let seconds = 0
    for (let d = Math.floor((from + LOCAL_S) / DAY_S); d <= Math.floor((to + LOCAL_S) / DAY_S); d += 1) {
      const date = new Date(d * DAY_S * 1_000)
      const own = ownOf(
        dated.filter((c) => c.day === date.toISOString().slice(0, 10)),
        at,
      )
      if (own ? own.rest : off.includes(date.getUTCDay())) continue
      const midnight = d * DAY_S - LOCAL_S
      seconds += Math.max(0, Math.min(to, midnight + closes) - Math.max(from, midnight + opens))
    }
    return seconds / 3_600
  }
  const answers = await server.sql<{ tenant: string; bc: string; from: number; to: number }>(
    `SELECT tenant_id AS tenant, bc_id AS bc, extract(epoch FROM answered_at)::float8 AS to,
       extract(epoch FROM coalesce((
         SELECT max(v.at) FROM order_revisions v WHERE v.order_id = orders.id), made_at))::float8 AS from
     FROM orders WHERE answered_at > :now - interval '30 days'`,
  )
  const times = await server.sql<{ tenant: string; bc: string; step: string; hours: number }>(
    `SELECT * FROM (
       SELECT tenant_id AS tenant, bc_id AS bc, 'ship' AS step, shipped_at AS done, shipped_at - made_at AS took
       FROM dispatches
       UNION ALL SELECT tenant_id, bc_id, 'carry', delivered_at, delivered_at - shipped_at FROM dispatches
       UNION ALL SELECT tenant_id, bc_id, 'check', checked_at, checked_at - delivered_at FROM dispatches) x
     CROSS JOIN LATERAL (SELECT extract(epoch FROM x.took)::float8 / 3600 AS hours) h
     WHERE x.done > :now - interval '30 days'`,
  )
  for (const a of answers) times.push({ ...a, step: 'answer', hours: workedHours(a, a.from, a.to) })
  const found = await server.sql<{
    tenant: string
    bc: string
    arrived: number
    late: number
    sheets: number
    brought: number
    back: number
  }>(
    `SELECT c.tenant_id AS tenant, c.bc_id AS bc,
         (SELECT count(*)::int FROM dispatches d WHERE d.bc_id = c.bc_id AND d.delivered_at > :now - interval '30 days'
           AND d.kind = 1) AS arrived,
         (SELECT count(DISTINCT d.id)::int FROM dispatches d JOIN carried k ON k.note_id = d.id
           JOIN order_lines l ON l.id = k.line_id JOIN orders o ON o.id = l.order_id
           WHERE d.bc_id = c.bc_id AND d.delivered_at > :now - interval '30 days' AND d.kind = 1
           AND ${shanghai('d.delivered_at')} > coalesce(l.promised_on, o.expected_on)::text
           AND NOT coalesce(${shanghai('d.delivered_at')} <= d.moved_on::text, false)) AS late,
         (SELECT count(*)::int FROM dispatches d WHERE d.bc_id = c.bc_id AND d.kind = 1 AND d.state = 4
           AND d.checked_at > :now - interval '30 days') AS sheets,
         (SELECT coalesce(sum(k.quantity * l.price * 1000000000), 0)::bigint::float8 FROM dispatches d
           JOIN carried k ON k.note_id = d.id JOIN order_lines l ON l.id = k.line_id WHERE d.bc_id = c.bc_id
           AND d.kind = 1 AND d.state = 4 AND d.checked_at > :now - interval '30 days') AS brought,
         (SELECT coalesce(sum(g.quantity * l.price * 1000000000), 0)::bigint::float8 FROM dispatches d
           JOIN goods_changes g ON g.note_id = d.id JOIN order_lines l ON l.id = g.line_id WHERE d.bc_id = c.bc_id
           AND d.kind = 1 AND d.state = 4 AND d.checked_at > :now - interval '30 days' AND g.result = 5
           AND g.state IN ('open', 'closed')) AS back
       FROM companies c`,
  )
  /** Between the two that stand on both sides of it, as much nearer as it lies to one. */
  const quantile = (hours: readonly number[], q: number) => {
    const sorted = hours.toSorted((a, b) => a - b)
    const at = (sorted.length - 1) * q
    const [low, high] = [sorted[Math.floor(at)]!, sorted[Math.ceil(at)]!]
    return low + (high - low) * (at - Math.floor(at))
  }
  const count = (own: typeof pieces) => ({
    states: Object.fromEntries(
      [1, 2, 3, 4, 5, 6, 7].map((s) => [s, own.filter((p) => p.state === s).length]),
    ),
    late: own.filter((p) => p.late).length,
  })
  for (const { name, person, buys } of await movers()) {
    if (name === 'supplier') continue
    const mine = pieces.filter(buys)
    const branches = await person.call(countsApi.dcountbc, { query: {} })
    for (const { bc_id, ...said } of branches.list)
      expect(said, name).toMatchObject(count(mine.filter((p) => p.bc === bc_id)))
    expect(branches.list.length, name).toBe(new Set(mine.map((p) => p.bc)).size)
    const managers = await person.call(countsApi.dcountwboss, { query: {} })
    for (const { manager_id, ...said } of managers.list)
      expect(said, name).toMatchObject(count(mine.filter((p) => p.manager === manager_id)))
    expect(managers.list.length, name).toBe(new Set(mine.map((p) => p.manager)).size)
    const board = await person.call(countsApi.board, { query: {} })
    for (const { step, count: n, p50, p90 } of board.steps) {
      const hours = times.filter((t) => buys(t) && t.step === step).map((t) => t.hours)
      expect(n, `${name} ${step}`).toBe(hours.length)
      if (!hours.length) continue
      // Merchants are not all of one speed.
      expect(p90, `${name} ${step}`).toBeGreaterThan(p50!)
      expect(p50, `${name} ${step}`).toBeCloseTo(quantile(hours, 0.5), 3)
      expect(p90, `${name} ${step}`).toBeCloseTo(quantile(hours, 0.9), 3)
    }
    const total = (key: 'arrived' | 'back' | 'brought' | 'late' | 'sheets') =>
      found.filter(buys).reduce((n, of) => n + of[key], 0)
    expect(board, name).toMatchObject({
      arrived: total('arrived'),
      arrivedLate: total('late'),
      sheets: total('sheets'),
    })
    if (total('brought')) expect(board.returnedPart, name).toBeCloseTo(total('back') / total('brought'), 6)
    else expect(board.returnedPart, name).toBeNull()
    for (const { site_id, state } of board.blocks) {
      const list = await person.call(ordersApi.list, {
        query: { site_id, pieceState: String(state), pageSize: 1 },
      })
      // Of what nobody has ordered there is no order.
      if (state !== 1) expect(list.totalCount, name).toBeGreaterThan(0)
    }
  }
}, 600_000)
