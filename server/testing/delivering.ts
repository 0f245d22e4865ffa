import { randomUUID } from 'node:crypto'

import { contractsApi } from '@zhuguan/contract/features/contracts/contracts.api.ts'
import { dispatchApi } from '@zhuguan/contract/features/dispatch/dispatch.api.ts'
import { examineApi } from '@zhuguan/contract/features/examine/examine.api.ts'
import { goodsApi } from '@zhuguan/contract/features/goods/goods.api.ts'
import { ordersApi } from '@zhuguan/contract/features/orders/orders.api.ts'
import { productCategoriesApi, productsApi } from '@zhuguan/contract/features/products/products.api.ts'
import { quotationsApi } from '@zhuguan/contract/features/quotations/quotations.api.ts'

import { addDays, shanghaiDay } from '../kit/shanghai.ts'
import type { Person } from './person.ts'
import { uploadPhoto } from './photo.ts'
import { openShop, type Shown } from './selling.ts'

interface Good {
  name: string
  quantity: string
  price?: string
  cost?: string
  pack?: string
  /** The branch itself instead of the merchant. */
  byBranch?: boolean
  /** Another store instead of the merchant. */
  receiver?: string
}

/** A shop that sells goods, with who orders, receives, ships and accepts them in the first branch. */
export async function openDelivery(server: Shown) {
  const shop = await openShop(server)
  const [clerk, supplier, acceptor, gm2, clerk2, other] = await Promise.all(
    ['order_clerk', 'supplier', 'acceptor', 'branch_gm2', 'order_clerk2', 'other'].map((name) =>
      server.as(name).catch(() => undefined),
    ),
  )
  const [merchant] = await server.sql<{ id: string }>(
    `SELECT t.store_id AS id FROM user_stores t JOIN users u ON u.id = t.user_id WHERE u.user_name = 'supplier'`,
  )
  const category = await shop.admin.call(productCategoriesApi.add, {
    body: { name: `到货 ${randomUUID().slice(0, 8)}` },
  })
  /** A story may move the clock past midnight. */
  const today = () => shanghaiDay(server.now())
  async function product({
    name,
    price = '50',
    cost = '30',
    pack,
    byBranch,
    receiver,
  }: Good): Promise<string> {
    const { id } = await shop.admin.call(productsApi.add, {
      body: {
        name,
        kind: 'main',
        category_id: category.id,
        unit: '片',
        stage: 'tiling',
        receiver_id: receiver ?? (byBranch ? shop.bc_id : merchant!.id),
        ...(pack ? { pack } : {}),
      },
    })
    const set = { id, version: 0, bc_id: null, from: today(), price, cost, reason: '定价' }
    await shop.admin.call(productsApi.price, { body: set })
    return id
  }
  /** A signed contract of these goods: its site, and its items by name. */
  async function sold(...goods: Good[]) {
    const lines = []
    for (const good of goods)
      lines.push({
        id: randomUUID(),
        room_id: null,
        attribute: 3 as const,
        contractAttribute: 1 as const,
        product_id: await product(good),
        quantity: good.quantity,
        price: good.price ?? '50',
      })
    const id = await shop.draft(shop.quoter, { lines })
    const r = await shop.submit(id)
    const { version, hash } = r
    await shop.examiner.call(examineApi.pass, {
      body: { id: r.id, version, hash, reason: '看过了' },
    })
    const quotation = await shop.quoter.call(quotationsApi.details, { query: { id } })
    const contract = await shop.gm.call(contractsApi.add, { body: { id, version: quotation.version } })
    const address = `3 幢 ${randomUUID().slice(0, 4)}`
    const { site_id } = await shop.gm.call(contractsApi.sign, {
      body: {
        id: contract.id,
        version: 0,
        signer: '王女士',
        signedOn: today(),
        ws_name: `江南里 ${address}`,
        address,
        files: [{ key: await uploadPhoto(server.url, shop.gm), name: '签字页.jpg' }],
      },
    })
    const { items } = await shop.gm.call(contractsApi.details, { query: { id: contract.id } })
    return {
      contract: contract.id,
      site: site_id,
      items: Object.fromEntries(items.map((i) => [i.name, i.id])),
    }
  }
  const expectedOn = addDays(shop.today, 10)
  /** Orders quantities of items; answers the orders in the order of their receivers. */
  const place = (lines: { item_id: string; quantity: string }[], who = clerk!) =>
    who.call(ordersApi.place, { body: { lines, method: 1, expectedOn } })
  const seen = (id: string, who = clerk!) => who.call(ordersApi.details, { query: { id } })
  /** The receiver accepts everything, for the day on which it is expected. */
  async function accept(id: string, who = supplier!) {
    const o = await seen(id, who)
    await who.call(ordersApi.accept, {
      body: {
        id,
        version: o.version,
        lines: o.lineList.map((l) => ({ line_id: l.id, promisedOn: expectedOn })),
      },
    })
    return seen(id)
  }
  const note = (id: string, who = clerk!) => who.call(dispatchApi.details, { query: { id } })
  const proof = async (who: Person) => ({ photo: await uploadPhoto(server.url, who), place: '3 幢楼下' })
  /** The supplier ships these quantities of a note's lines; without any, all of it. */
  async function ship(id: string, parts: Record<string, string> = {}) {
    const n = await note(id, supplier)
    const lines = n.lineList
      .map((l) => ({
        line_id: l.line_id,
        quantity: Object.keys(parts).length ? (parts[l.name] ?? '0') : l.quantity,
      }))
      .filter((l) => l.quantity !== '0')
    return supplier!.ask(dispatchApi.ship, {
      body: {
        id,
        version: n.version,
        lines,
        method: 1,
        plannedOn: expectedOn,
        address: '3 幢 1201',
        contact: '方经理',
        window: '上午',
      },
    })
  }
  const deliver = async (id: string, who = acceptor!) =>
    who.ask(dispatchApi.deliver, { body: { id, version: (await note(id)).version, ...(await proof(who)) } })
  /** Ordered, accepted, shipped and there. */
  async function arrived(...goods: Good[]) {
    const of = await sold(...goods)
    const lines = goods.map((g) => ({ item_id: of.items[g.name]!, quantity: g.quantity }))
    const order = (await place(lines)).orders[0]!.id
    const o = await accept(order)
    const first = o.notes[0]!.id
    await ship(first)
    await deliver(first)
    return { ...of, order, note: first }
  }
  const sheet = (id: string, who = acceptor!) => who.call(goodsApi.sheet, { query: { id } })
  interface Found {
    name: string
    quantity: string
    result: 2 | 3 | 4 | 5
    outcome?: 'again' | 'reduce' | 'borne'
    scrap?: boolean
  }
  /** The acceptor judges; what is not fine is photographed. */
  async function judge(id: string, found: Found[], who = acceptor!) {
    const s = await sheet(id, who)
    const findings = []
    for (const { name, ...f } of found)
      findings.push({
        line_id: s.lineList.find((l) => l.name === name)!.line_id,
        ...(f.result === 2
          ? {}
          : { photos: [await uploadPhoto(server.url, who)], reasonCode: 'broken' as const }),
        ...(f.result === 5 ? { outcome: 'again' as const, outcomeReason: '说定' } : {}),
        ...f,
      })
    return who.ask(goodsApi.judge, { body: { id, version: s.version, findings } })
  }
  const change = (id: string, who = clerk!) => who.call(goodsApi.details, { query: { id } })
  /** The supplier agrees, the examiner passes or refuses. */
  async function examine(id: string, word: 'pass' | 'reject' = 'pass') {
    const g = await change(id)
    if (g.answer === '')
      await supplier!.call(goodsApi.answer, { body: { id, version: g.version, answer: 'agree' } })
    const r = (await shop.examiner.call(examineApi.list, { query: { object_id: id } })).list[0]!
    const body = { id: r.id, version: r.version, hash: r.hash, reason: '看过了' }
    return word === 'pass'
      ? shop.examiner.ask(examineApi.pass, { body })
      : shop.examiner.ask(examineApi.reject, { body })
  }
  /** What goes back of a change is taken along, arrives and is graded. */
  async function takeBack(id: string, grade: 'good' | 'damaged' = 'good', amount = '0') {
    const leg = async () => (await change(id)).steps.find((k) => k.type === 4 || k.type === 5)!
    for (let i = 0; i < 2; i += 1) {
      const { id: of, version } = await leg()
      await supplier!.call(goodsApi.collect, { body: { id: of, version } })
    }
    const { id: of, version } = await leg()
    return supplier!.ask(goodsApi.grade, { body: { id: of, version, grade, reason: '看过了', amount } })
  }
  /** The note of a change that waits to be shipped. */
  const instead = async (order: string, id: string) => {
    const codes = new Set((await change(id)).steps.map((k) => k.noteCode))
    const { notes } = await seen(order)
    return notes.findLast((n) => n.kind !== 1 && n.state === 0 && !codes.has(n.code))!.id
  }
  return {
    ...shop,
    arrived,
    change,
    deliver,
    examine,
    instead,
    judge,
    note,
    proof,
    sheet,
    ship,
    takeBack,
    clerk: clerk!,
    supplier: supplier!,
    acceptor: acceptor!,
    category: category.id,
    gm2: gm2!,
    clerk2,
    other: other!,
    expectedOn,
    merchant: merchant!.id,
    accept,
    place,
    seen,
    sold,
  }
}
export type Delivery = Awaited<ReturnType<typeof openDelivery>>

/**
 * The three laws of docs/states.md: two of every item, one of what every ordered line is billed; and every computed
 * state, by SQL that knows nothing of the product's code; of one site, if it is named.
 * @returns what does not hold, in words
 */
export async function lawsBroken(server: Pick<Shown, 'sql'>, site: string | null = null): Promise<string[]> {
  const broken = await server.sql<{ what: string }>(
    `WITH of AS (
      SELECT i.*
      FROM contract_items i
      JOIN contracts c ON c.tenant_id = i.tenant_id AND c.id = i.contract_id AND c.signing_progress = 3
      WHERE i.kind IN ('main', 'auxiliary') AND ($1::uuid IS NULL OR c.site_id = $1)
    ), law1 AS (
      SELECT 'law 1: ' || i.name || ' orders ' || i.ordered_left || ', pieces are ' || coalesce(sum(p.quantity),
      0) AS what
      FROM of i
      LEFT JOIN pieces p ON p.tenant_id = i.tenant_id AND p.item_id = i.id AND p.counts
      GROUP BY i.id, i.name, i.ordered_left
      HAVING i.ordered_left <> coalesce(sum(p.quantity), 0)
    ), law2 AS (
      SELECT 'law 2: ' || i.name || ' went out ' || m.n || ', stands ' || s.n AS what
      FROM of i
      CROSS JOIN LATERAL (SELECT coalesce(sum(CASE v.kind WHEN 'shipped' THEN v.quantity ELSE -v.quantity END), 0) AS n
        FROM goods_moves v WHERE v.tenant_id = i.tenant_id AND v.item_id = i.id) m
      CROSS JOIN LATERAL (SELECT coalesce(sum(p.quantity * (p.faulty + CASE
          WHEN p.result IN (0, 1, 2) THEN 1 WHEN p.result IN (3, 4) AND p.replaced = 'way' THEN 1 ELSE 0 END)), 0) AS n
        FROM pieces p WHERE p.tenant_id = i.tenant_id AND p.item_id = i.id) s
      WHERE m.n <> s.n
    ), law3 AS (
      SELECT 'law 3: ' || l.name || ' is billed ' || coalesce(w.quantity, 0) || ' for ' || coalesce(w.amount, 0)
        || ', stands accepted ' || coalesce(p.quantity, 0) AS what
      FROM order_lines l
      JOIN orders o ON o.tenant_id = l.tenant_id AND o.id = l.order_id AND ($1::uuid IS NULL OR o.site_id = $1)
      LEFT JOIN (SELECT v.line_id, sum(v.quantity) AS quantity, sum(v.amount) AS amount FROM owed_lines v
        GROUP BY v.line_id) w ON w.line_id = l.id
      LEFT JOIN (SELECT i.line_id, sum(i.quantity) AS quantity FROM pieces i
        WHERE i.result = 2 AND i.place <> 'back' GROUP BY i.line_id) p ON p.line_id = l.id
      WHERE coalesce(w.quantity, 0) <> coalesce(p.quantity, 0)
        OR coalesce(w.amount, 0) <> round(coalesce(p.quantity, 0) * l.price, 2)
    ), state AS (
      SELECT p.*, CASE
        WHEN p.place = 'dropped' THEN NULL
        WHEN p.legs > 0 THEN 7
        WHEN p.place IN ('open', 'held') THEN 1
        WHEN p.place = 'asked' THEN 2
        WHEN p.place = 'ship' THEN 3
        WHEN p.result = 0 THEN 4
        WHEN p.result = 1 THEN 5
        WHEN p.result = 2 OR p.place = 'back' THEN 6
        WHEN p.result = 5 THEN 7
        WHEN p.replaced = 'way' THEN 4
        ELSE 3 END AS right_state
      FROM pieces p
      WHERE $1::uuid IS NULL OR p.site_id = $1
    ), headers AS (
      SELECT o.id, o.code, o.order_state, (SELECT CASE
          WHEN bool_or(s.right_state = 7) THEN 7 WHEN bool_or(s.right_state = 5) THEN 5
          WHEN bool_or(s.right_state = 4) THEN 4 WHEN bool_or(s.right_state = 3) THEN 3
          WHEN bool_or(s.right_state = 2) THEN 2 WHEN bool_or(s.right_state = 6) THEN 6
          WHEN bool_or(s.right_state = 1) THEN 1 END
        FROM state s WHERE s.order_id = o.id) AS right_state
      FROM orders o
      WHERE $1::uuid IS NULL OR o.site_id = $1
    ), sheets AS (
      SELECT d.code, d.check_state, (SELECT CASE
          WHEN bool_and(coalesce(p.result, 0) IN (0, 1)) THEN 0
          WHEN bool_and(p.result = 2 OR (p.result = 5 AND p.place = 'back')) THEN 2 ELSE 1 END
        FROM carried k JOIN pieces p ON p.tenant_id = k.tenant_id AND p.id = k.piece_id
        WHERE k.tenant_id = d.tenant_id AND k.note_id = d.id) AS right_state
      FROM dispatches d
      WHERE d.check_state IS NOT NULL AND ($1::uuid IS NULL OR d.site_id = $1)
    ), counts AS (
      SELECT w.site_id, w.n1, w.n2, w.n3, w.n4, w.n5, w.n6, w.n7, ARRAY(SELECT (SELECT count(*)::int FROM state s
        WHERE s.site_id = w.site_id AND s.right_state = k) FROM generate_series(1, 7) k) AS right_counts
      FROM piece_counts w
      WHERE $1::uuid IS NULL OR w.site_id = $1
    ), plan AS (
      SELECT s.item_id, sum(CASE s.place WHEN 'open' THEN s.quantity ELSE 0 END) AS open,
        sum(CASE s.place WHEN 'held' THEN s.quantity ELSE 0 END) AS held,
        (SELECT t.planned_start - coalesce(d.lead_days, a.lead_days, b.lead_days, c.lead_days, 0)::int
          FROM contract_items i
          JOIN site_stages t ON t.stage = i.stage
          LEFT JOIN products d ON d.id = i.product_id
          LEFT JOIN product_categories a ON a.id = d.category_id
          LEFT JOIN product_categories b ON b.id = a.parent_id
          LEFT JOIN product_categories c ON c.id = b.parent_id
          WHERE i.id = s.item_id AND t.site_id = s.site_id) AS day
      FROM state s
      WHERE s.right_state = 1
      GROUP BY s.item_id, s.site_id
    )
    SELECT what FROM law1 UNION ALL SELECT what FROM law2 UNION ALL SELECT what FROM law3
    UNION ALL SELECT 'state of a piece ' || id || ': ' || coalesce(order_state::text, 'none') || ', should be '
      || coalesce(right_state::text, 'none') FROM state WHERE order_state IS DISTINCT FROM right_state
    UNION ALL SELECT 'header of ' || code || ': ' || coalesce(order_state::text, 'none') || ', should be '
      || coalesce(right_state::text, 'none') FROM headers WHERE order_state IS DISTINCT FROM right_state
    UNION ALL SELECT 'checkState of ' || code || ': ' || check_state || ', should be '
      || coalesce(right_state::text, 'none') FROM sheets WHERE check_state IS DISTINCT FROM right_state
    UNION ALL SELECT 'counts of a site' FROM counts
      WHERE ARRAY[n1, n2, n3, n4, n5, n6, n7] <> right_counts
    UNION ALL SELECT 'to order of ' || coalesce(p.item_id, k.item_id) || ': ' || row(k.quantity, k.held, k.suggested_on)
      || ', should be ' || row(p.open, p.held, p.day)
      FROM plan p
      FULL JOIN (SELECT * FROM items_to_order WHERE $1::uuid IS NULL OR site_id = $1) k ON k.item_id = p.item_id
      WHERE (k.quantity, k.held, k.suggested_on) IS DISTINCT FROM (p.open, p.held, p.day)
    UNION ALL SELECT 'plan of ' || coalesce(c.stage, k.stage) || ' counts ' || coalesce(c.count, 0) || ', should be '
      || coalesce(k.n, 0)
      FROM to_order_counts c
      FULL JOIN (SELECT bc_id, coalesce(stage, '') AS stage, count(*) AS n FROM items_to_order GROUP BY 1, 2) k
        ON k.bc_id = c.bc_id AND k.stage = c.stage
      WHERE coalesce(c.count, 0) <> coalesce(k.n, 0)`,
    [site],
  )
  return broken.map((b) => b.what)
}
