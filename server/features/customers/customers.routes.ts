import { customersApi } from '@zhuguan/contract/features/customers/customers.api.ts'
import { customerColumns } from '@zhuguan/contract/features/customers/customers.columns.ts'

import type { Belongings } from '../../kit/belongings.ts'
import { found } from '../../kit/refuse.ts'
import { type Call, serve } from '../../kit/serve.ts'
import { pageJson } from '../../kit/statement.ts'
import { sendList } from '../exports/exports.service.ts'
import { checkPlace } from './customer-opening.service.ts'
import { addContact, dropContact, markTold, readCustomerPhone } from './customer-people.service.ts'
import { boardOf, customerDetails, customerPage, pickCustomers, storesOf } from './customers.queries.ts'
import { addCustomer, editCustomer } from './customers.service.ts'
import { consultantsOf } from './holding.queries.ts'
import {
  askFor,
  assignCustomers,
  claimCustomer,
  handCustomer,
  loseCustomer,
  markRefusal,
  reviveCustomer,
} from './holding.service.ts'
import { findNumber } from './known-numbers.service.ts'
import { linesOf } from './lines.queries.ts'
import { mergeCustomers } from './merging.service.ts'
import { countAsking, countSearch } from './number-looks.service.ts'
import { sourcesOf } from './sources.reads.ts'
import { waitsOf } from './waits.queries.ts'

interface Deps {
  belongings: readonly Belongings[]
  secretKey: Buffer
}
export const customersFeature = ({ belongings, secretKey }: Deps) => {
  const search = (call: Call, words: string | undefined) => countSearch(call, secretKey, words)
  const ask = (call: Call, phone: string) => countAsking(call, { kind: 'asked', phone, secretKey })
  return serve(customersApi, {
    list: async ({ query }, call) => {
      await search(call, query.keyword)
      return call.read((tx) => pageJson(tx, customerPage(call.user.scope, query)))
    },
    details: ({ query }, call) =>
      call.read(async (tx) => {
        const one = found(await customerDetails(tx, call.user.scope, query.id))
        return { ...one, lines: await linesOf(tx, call.user.tenant, one.id) }
      }),
    board: async ({ query }, call) => {
      await search(call, query.keyword)
      return call.read((tx) => boardOf(tx, call.user.scope, query))
    },
    waits: (_asked, call) => call.read((tx) => waitsOf(tx, call)),
    pick: async ({ query }, call) => {
      await search(call, query.keyword)
      return call.read((tx) => pickCustomers(tx, call.user.scope, query))
    },
    sources: (_asked, call) => call.read((tx) => sourcesOf(tx, call.user.tenant)),
    stores: (_asked, call) => call.read((tx) => storesOf(tx, call.user.scope)),
    consultants: ({ query }, call) =>
      call.read(async (tx) => {
        const place = { bc_id: query.bc_id, store_id: query.store_id ?? null }
        await checkPlace(tx, call, { ...place, consultant_id: null })
        return consultantsOf(tx, call.user.tenant, place)
      }),
    // A number that is refused tells whose it is as well: each is counted before it is looked at.
    known: async ({ body }, call) => {
      await ask(call, body.phone)
      return call.read((tx) => findNumber(tx, call, body))
    },
    add: async ({ body }, call) => {
      await ask(call, body.phone)
      return call.write((tx) => addCustomer(tx, call, body))
    },
    edit: async ({ body }, call) => {
      if (body.phone) await ask(call, body.phone)
      return call.write((tx) => editCustomer(tx, call, body))
    },
    told: ({ body }, call) => call.write((tx) => markTold(tx, call, body)),
    phone: ({ body }, call) => call.write((tx) => readCustomerPhone(tx, call, body)),
    addContact: async ({ body }, call) => {
      await ask(call, body.phone)
      return call.write((tx) => addContact(tx, call, body))
    },
    dropContact: ({ body }, call) => call.write((tx) => dropContact(tx, call, body)),
    claim: ({ body }, call) => call.write((tx) => claimCustomer(tx, call, body)),
    assign: ({ body }, call) => call.write((tx) => assignCustomers(tx, call, body)),
    hand: ({ body }, call) => call.write((tx) => handCustomer(tx, call, body)),
    lose: ({ body }, call) => call.write((tx) => loseCustomer(tx, call, body)),
    revive: ({ body }, call) => call.write((tx) => reviveCustomer(tx, call, body)),
    refuse: ({ body }, call) => call.write((tx) => markRefusal(tx, call, 'refuse', body)),
    accept: ({ body }, call) => call.write((tx) => markRefusal(tx, call, 'accept', body)),
    ask: ({ body }, call) => call.write((tx) => askFor(tx, call, body)),
    merge: ({ body }, call) => call.write((tx) => mergeCustomers(tx, call, belongings, body)),
    export: async ({ query }, call) => {
      await search(call, query.keyword)
      return sendList(call, '客户线索', customerColumns, customerPage(call.user.scope, query), 'marked')
    },
  })
}
