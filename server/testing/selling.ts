import { randomUUID } from 'node:crypto'

import { customersApi } from '@zhuguan/contract/features/customers/customers.api.ts'
import { examineApi } from '@zhuguan/contract/features/examine/examine.api.ts'
import { packagesApi } from '@zhuguan/contract/features/packages/packages.api.ts'
import { productCategoriesApi, productsApi } from '@zhuguan/contract/features/products/products.api.ts'
import { quotationsApi } from '@zhuguan/contract/features/quotations/quotations.api.ts'
import type { QuotationContent } from '@zhuguan/contract/features/quotations/quotations.record.ts'

import { addDays, shanghaiDay } from '../kit/shanghai.ts'
import type { Person } from './person.ts'
import type { TestServer } from './start.ts'

const ROOM = {
  id: randomUUID(),
  name: '客厅',
  kind: 'living' as const,
  floor: '30',
  perimeter: '22',
  height: '2.8',
}

/** A story may open its shop again, when sessions have ended; each customer has a telephone of their own. */
let customers = 0
/** What stories of goods need of a server. */
export type Shown = Pick<TestServer, 'as' | 'nobody' | 'now' | 'sql' | 'url'>

/** Something to sell, and who sells it: products, a published package, and the people of the first branch. */
export async function openShop(server: Shown) {
  const [admin, gm, quoter, examiner] = await Promise.all(
    ['admin', 'branch_gm', 'quoter', 'examiner'].map((name) => server.as(name)),
  )
  const [place] = await server.sql<{ bc_id: string; store_id: string }>(
    `SELECT s.bc_id, s.id AS store_id FROM users u
     JOIN user_stores t ON t.tenant_id = u.tenant_id AND t.user_id = u.id
     JOIN stores s ON s.tenant_id = t.tenant_id AND s.id = t.store_id
     WHERE u.user_name = 'quoter' ORDER BY s.name LIMIT 1`,
  )
  const today = shanghaiDay(server.now())
  const category = await admin!.call(productCategoriesApi.add, {
    body: { name: `品类 ${randomUUID().slice(0, 8)}` },
  })
  const product = async (name: string, price: string, cost: string) => {
    const { id } = await admin!.call(productsApi.add, {
      body: { name, kind: 'main', category_id: category.id, unit: '片' },
    })
    const set = { id, version: 0, bc_id: null, from: today, price, cost, reason: '定价' }
    await admin!.call(productsApi.price, { body: set })
    return id
  }
  const tile = await product('店里地砖', '58.5', '31.07')
  const paint = await product('店里乳胶漆', '33.5', '20.19')
  const { id: pack } = await gm!.call(packagesApi.add, {
    body: {
      name: `店里整装 ${randomUUID().slice(0, 4)}`,
      bc_id: place!.bc_id,
      perSquareMetre: '900',
      leastArea: '80',
      from: today,
      items: [{ room: 'living', product_id: tile, base: 'floor', factor: '1.5', removalPrice: '40' }],
    },
  })
  await gm!.call(packagesApi.publish, { body: { id: pack, version: 0 } })
  const [item] = (await gm!.call(packagesApi.details, { query: { id: pack } })).items
  const customer = async (who: Person, name: string) => {
    customers += 1
    const body = {
      ...place!,
      name,
      phone: `138${String(20_000_000 + customers)}`,
      community: '江南里',
      address: '3 幢 1201',
    }
    return (await who.call(customersApi.add, { body })).id
  }
  const extra = (name: string, quantity: string, price: string) => ({
    id: randomUUID(),
    room_id: ROOM.id,
    attribute: 3 as const,
    contractAttribute: 2 as const,
    name,
    unit: '项',
    quantity,
    price,
  })
  /** A package of 100 ㎡ (90,000), ten tiles left out (−400) and three tins of paint (100.50): 89,700.50. */
  const content = () => ({
    package_id: pack,
    area: '100',
    validUntil: addDays(today, 30),
    rooms: [ROOM],
    lines: [
      {
        id: randomUUID(),
        room_id: ROOM.id,
        attribute: 1 as const,
        contractAttribute: 1 as const,
        item_id: item!.id,
        product_id: tile,
        quantity: '35',
        price: '58.5',
      },
      {
        id: randomUUID(),
        room_id: ROOM.id,
        attribute: 4 as const,
        contractAttribute: 1 as const,
        item_id: item!.id,
        product_id: tile,
        quantity: '10',
        price: '58.5',
      },
      {
        id: randomUUID(),
        room_id: ROOM.id,
        attribute: 3 as const,
        contractAttribute: 1 as const,
        product_id: paint,
        quantity: '3',
        price: '33.5',
      },
    ],
  })
  const draft = async (who = quoter!, more: object = {}) => {
    const customer_id = await customer(who, '王女士')
    return (await who.call(quotationsApi.add, { body: { customer_id, content: { ...content(), ...more } } }))
      .id
  }
  const seen = (id: string, who = quoter!) => who.call(quotationsApi.details, { query: { id } })
  const submit = async (id: string, who = quoter!) => {
    const { version } = await seen(id, who)
    await who.call(quotationsApi.submit, { body: { id, version } })
    return waiting(id)
  }
  /** What waits for the examiner of a quotation, as their list has it. */
  const waiting = async (id: string) => {
    const { list } = await examiner!.call(examineApi.list, { query: { object_id: id } })
    return list[0]!
  }
  /** The refused or approved quotation becomes a draft once more, with this instead. */
  const revise = async (
    id: string,
    more: (was: Awaited<ReturnType<typeof seen>>) => Partial<QuotationContent>,
    who = quoter!,
  ) => {
    await who.call(quotationsApi.revise, { body: { id, version: (await seen(id, who)).version } })
    const was = await seen(id, who)
    await who.call(quotationsApi.save, {
      body: {
        id,
        version: was.version,
        customer_id: was.customer_id,
        content: {
          package_id: was.package?.id ?? null,
          area: was.area,
          taxPercent: was.taxPercent,
          validUntil: was.validUntil,
          remark: was.remark,
          rooms: was.rooms,
          lines: was.lines,
          discounts: was.discounts,
          ...more(was),
        },
      },
    })
  }
  return {
    ...place!,
    admin: admin!,
    gm: gm!,
    quoter: quoter!,
    examiner: examiner!,
    today,
    content,
    draft,
    extra,
    revise,
    seen,
    submit,
    waiting,
  }
}
export type Shop = Awaited<ReturnType<typeof openShop>>
