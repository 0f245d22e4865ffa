import type { ordersApi } from '@zhuguan/contract/features/orders/orders.api.ts'
import { planBar } from '@zhuguan/contract/features/orders/orders.record.ts'
import { homeRefusal } from '@zhuguan/contract/features/sites/homes.record.ts'
import type { BodyOf } from '@zhuguan/contract/kit/api.ts'
import { amountOf, compare, sum } from '@zhuguan/contract/kit/money.ts'

import type { Tx } from '../../database/connect.ts'
import { checkDay } from '../../kit/planned-day.ts'
import { found, invalid, outside, Refused } from '../../kit/refuse.ts'
import { row, text, uuid } from '../../kit/row.ts'
import type { Call } from '../../kit/serve.ts'
import { shanghaiDay } from '../../kit/shanghai.ts'
import { nextNumberIn } from '../numbers/numbers.service.ts'
import { inTurn, lockPieces, movePieces, type Piece, sumOf, takeFrom } from '../pieces/pieces.service.ts'
import { productsById, receiversOf } from '../products/products.reads.ts'
import { dueAfter } from '../settings/business-time.reads.ts'
import { passOrder, refuseOpenPack, tellOrder } from './orders.service.ts'
import { itemsToOrder, knownItems, type PlanItem } from './plan.queries.ts'

type Placing = BodyOf<(typeof ordersApi)['place']>
interface Wanted {
  item: PlanItem
  quantity: string
  /** The day on which it should be there. */
  day: string
  receiver: string
  receiverName: string
}

/** What is asked for, each line once, of items in reach that can be ordered. */
async function wantedOf(tx: Tx, call: Call, body: Placing): Promise<Wanted[]> {
  const ids = body.lines.map((l) => l.item_id)
  if (new Set(ids).size < ids.length) throw invalid('lines', '同一行选了两次')
  const items = new Map((await itemsToOrder(tx, call.user.scope, ids)).map((i) => [i.id, i]))
  const known = await knownItems(tx, call.user.scope, ids)
  // Who is named for what names nobody is one in reach; the catalogue may name any that takes orders.
  const names = new Map<string, string>()
  for (const id of new Set(body.lines.flatMap((l) => l.receiver_id ?? [])))
    names.set(id, found((await receiversOf(tx, call.user.scope, { id }))[0]).name)
  return body.lines.map((line) => {
    const item = items.get(line.item_id)
    if (!item) throw known.has(line.item_id) ? new Refused('有的商品刚刚被下完了，请刷新后再试') : outside()
    const receiver = item.receiver_id ?? line.receiver_id
    const receiverName = item.receiver_id ? item.receiverName : (names.get(receiver ?? '') ?? '')
    const bars = item.bars.filter((bar) => bar !== 'receiver' || receiver === item.receiver_id)
    if (bars.length || receiver === null)
      throw new Refused(`“${item.name}”不能下单：${bars.map((bar) => planBar.label(bar)).join('、')}`)
    const why = homeRefusal('order', { siteStatus: item.siteStatus, warrantyUntil: null }, '')
    if (why) throw new Refused(`“${item.name}”：${why}`)
    return { item, quantity: line.quantity, day: line.expectedOn ?? body.expectedOn, receiver, receiverName }
  })
}

/** Purchase prices of today: the catalogue's in the branch; of what stands in none, what the contract says it costs. */
async function pricesOf(tx: Tx, call: Call, bc: string, items: readonly PlanItem[]) {
  const ids = [...new Set(items.flatMap((i) => i.product_id ?? []))]
  const reader = { scope: call.user.scope, costs: true, bc, today: shanghaiDay(call.now()) }
  const costs = new Map((await productsById(tx, reader, ids)).map((p) => [p.id, p.cost]))
  return (item: PlanItem): string | null => costs.get(item.product_id ?? '') ?? item.cost
}
/** Prices for which items in reach would be ordered now. */
export async function planPrices(tx: Tx, call: Call, ids: readonly string[]) {
  const items = await itemsToOrder(tx, call.user.scope, ids)
  const known = await knownItems(tx, call.user.scope, ids)
  if (ids.some((id) => !known.has(id))) throw outside()
  const branches = Map.groupBy(items, (i) => i.bc_id)
  const priced = [...branches].map(async ([bc, ours]) => {
    const price = await pricesOf(tx, call, bc, ours)
    return ours.map((item) => ({ item_id: item.id, price: price(item) }))
  })
  return { list: (await Promise.all(priced)).flat() }
}

const siteRow = row({
  bc_id: uuid,
  bc_name: text,
  community: text,
  address: text,
  contact: text,
  phone: text,
})
async function siteOf(tx: Tx, tenant: string, site: string) {
  const { rows } = await tx.query(
    'orders.site',
    siteRow,
    `SELECT w.bc_id, b.bc_name, coalesce(nullif(w.community, ''), w.code) AS community, w.address,
       coalesce(m.nickname, '') AS contact, coalesce(m.phone, '') AS phone
     FROM sites w
     JOIN companies b ON b.tenant_id = $1 AND b.bc_id = w.bc_id
     LEFT JOIN users m ON m.tenant_id = $1 AND m.id = w.manager_id
     WHERE w.tenant_id = $1 AND w.id = $2`,
    [tenant, site],
  )
  return rows[0]!
}

interface Made {
  id: string
  code: string
}
/** One order of a site and a receiver, with its pieces. */
async function placeOne(
  tx: Tx,
  call: Call,
  body: Placing,
  wanted: readonly Wanted[],
  pieces: ReadonlyMap<string, readonly Piece[]>,
  batch: string,
): Promise<Made> {
  const { id: me, nickname, tenant } = call.user
  const { item: first, day, receiver, receiverName } = wanted[0]!
  const site = await siteOf(tx, tenant, first.site_id)
  const priceOf = await pricesOf(
    tx,
    call,
    first.bc_id,
    wanted.map((w) => w.item),
  )
  const knownPrice = (item: PlanItem): string => {
    const price = priceOf(item)
    if (price === null) throw new Refused(`“${item.name}”不能下单：${planBar.label('cost')}`)
    return price
  }
  const lines = wanted.map(({ item, quantity }, i) => ({
    id: call.newId(),
    item_id: item.id,
    sort: i + 1,
    code: item.code,
    name: item.name,
    detail: item.detail,
    unit: item.unit,
    stage: item.stage,
    quantity,
    price: knownPrice(item),
  }))
  const id = call.newId()
  const code = await nextNumberIn(tx, { tenant, kind: 'order', bc: first.bc_id })
  const amount = sum(lines.map((l) => amountOf(l.quantity, l.price)))
  const due = await dueAfter(tx, tenant, first.bc_id, 'orderHours', call.now())
  await tx.run(
    'orders.place',
    `INSERT INTO orders (tenant_id, id, code, bc_id, bc_name, receiver_id, receiver_name, site_id, contract_id, batch,
       method, expected_on, remark, community, address, contact, contact_phone, made_by, made_name, made_at, due_at,
       lines, amount, placed_lines, placed_amount)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, :now, $20, $21,
     $22, $21, $22)`,
    [
      tenant,
      id,
      code,
      first.bc_id,
      site.bc_name,
      receiver,
      receiverName,
      first.site_id,
      first.contract_id,
      batch,
      body.method,
      day,
      body.remark,
      site.community,
      site.address,
      site.contact,
      site.phone,
      me,
      nickname,
      due,
      lines.length,
      amount,
    ],
  )
  await insertLines(tx, tenant, id, lines)
  for (const line of lines)
    await movePieces(tx, call, pieces.get(line.item_id)!, () => ({
      place: 'asked',
      order_id: id,
      line_id: line.id,
      receiver_id: receiver,
    }))
  await call.log(tx, {
    action: '下单',
    object: 'order',
    objectId: id,
    after: {
      code,
      site_id: first.site_id,
      receiver: receiverName,
      lines: lines.length,
      expectedOn: day,
    },
  })
  const o = { id, bc_id: first.bc_id, place_id: first.site_id, receiver_id: receiver, made_by: me }
  tellOrder(tx, call, o, `下单 ${code}（${receiverName}，${lines.length} 行）`)
  await passOrder(tx, call, o, 'place', `新订单 ${code}：${site.community}，${lines.length} 行，等待接单`)
  return { id, code }
}
export interface NewLine {
  id: string
  item_id: string
  sort: number
  code: string
  name: string
  detail: string
  unit: string
  stage: string | null
  quantity: string
  price: string
}
export const insertLines = (tx: Tx, tenant: string, order: string, lines: readonly NewLine[]) =>
  tx.run(
    'orders.addlines',
    `INSERT INTO order_lines (tenant_id, id, order_id, item_id, sort, code, name, detail, unit, stage, quantity, price)
     SELECT $1, x.id, $2, x.item_id, x.sort, x.code, x.name, x.detail, x.unit, x.stage, x.quantity, x.price
     FROM json_to_recordset($3::json) AS x(id uuid, item_id uuid, sort int, code text, name text, detail text,
     unit text,
       stage text, quantity numeric, price numeric)`,
    [tenant, order, JSON.stringify(lines)],
  )

/** Open pieces of every item, exactly as much as is asked for. */
async function takeOpen(tx: Tx, call: Call, wanted: readonly Wanted[]): Promise<Map<string, Piece[]>> {
  const ids = wanted.map((w) => w.item.id)
  const all = (await lockPieces(tx, call.user.tenant, { items: ids })).filter((p) => p.place === 'open')
  const taken = new Map<string, Piece[]>()
  for (const { item, quantity } of wanted) {
    const loose = all.filter((p) => p.item_id === item.id)
    // What is left may be less than a pack; anything else comes in whole ones.
    const isRest = compare(quantity, sumOf(loose)) === 0
    if (!isRest) refuseOpenPack(item, quantity)
    const parts = await takeFrom(tx, call, loose, quantity)
    if (!parts)
      throw new Refused(
        `“${item.name}”待下单只剩 ${sumOf(loose)} ${item.unit}，不能下 ${quantity} ${item.unit}`,
      )
    taken.set(item.id, parts.taken)
  }
  return taken
}

/** An order for each site, receiver and day; orders of one receiver for several sites share a batch. */
export async function placeOrders(tx: Tx, call: Call, body: Placing): Promise<{ orders: Made[] }> {
  const { tenant } = call.user
  const wanted = await wantedOf(tx, call, body)
  if (body.lines.some((line) => !line.expectedOn)) checkDay(call, 'expectedOn', '期望到货', body.expectedOn)
  for (const [i, { expectedOn }] of body.lines.entries())
    if (expectedOn) checkDay(call, `lines.${i}.expectedOn`, '期望到货', expectedOn)
  for (const bc of [...new Set(wanted.map((w) => w.item.bc_id))].sort()) inTurn(tx, bc)
  const pieces = await takeOpen(tx, call, wanted)
  const groups = Map.groupBy(wanted, (w) => `${w.receiver} ${w.item.site_id} ${w.day}`)
  const sites = new Map<string, Set<string>>()
  for (const { receiver, item } of wanted)
    sites.set(receiver, (sites.get(receiver) ?? new Set()).add(item.site_id))
  const batches = new Map<string, string>()
  const orders: Made[] = []
  for (const group of groups.values()) {
    const { receiver, item } = group[0]!
    if (sites.get(receiver)!.size > 1 && !batches.has(receiver))
      batches.set(receiver, await nextNumberIn(tx, { tenant, kind: 'batch', bc: item.bc_id }))
    orders.push(await placeOne(tx, call, body, group, pieces, batches.get(receiver) ?? ''))
  }
  return { orders }
}
