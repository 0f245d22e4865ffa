import { customersApi } from '@zhuguan/contract/features/customers/customers.api.ts'
import { customerColumns } from '@zhuguan/contract/features/customers/customers.columns.ts'

import type { Belongings } from '../../kit/belongings.ts'
import { found } from '../../kit/refuse.ts'
import { serve } from '../../kit/serve.ts'
import { pageJson } from '../../kit/statement.ts'
import { sendList } from '../exports/exports.service.ts'
import { boardOf, customerDetails, customerPage, pickCustomers, storesOf } from './customers.queries.ts'
import {
  addContact,
  addCustomer,
  checkPlace,
  dropContact,
  editCustomer,
  findNumber,
  readCustomerPhone,
} from './customers.service.ts'
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
import { linesOf } from './lines.queries.ts'
import { mergeCustomers } from './merging.service.ts'
import { waitsOf } from './waits.queries.ts'

export const customersFeature = ({ belongings }: { belongings: readonly Belongings[] }) =>
  serve(customersApi, {
    list: ({ query }, call) => call.read((tx) => pageJson(tx, customerPage(call.user.scope, query))),
    details: ({ query }, call) =>
      call.read(async (tx) => {
        const one = found(await customerDetails(tx, call.user.scope, query.id))
        return { ...one, lines: await linesOf(tx, call.user.tenant, one.id) }
      }),
    board: ({ query }, call) => call.read((tx) => boardOf(tx, call.user.scope, query)),
    waits: (_asked, call) => call.read((tx) => waitsOf(tx, call)),
    pick: ({ query }, call) => call.read((tx) => pickCustomers(tx, call.user.scope, query)),
    stores: (_asked, call) => call.read((tx) => storesOf(tx, call.user.scope)),
    consultants: ({ query }, call) =>
      call.read(async (tx) => {
        const place = { bc_id: query.bc_id, store_id: query.store_id ?? null }
        await checkPlace(tx, call, { ...place, consultant_id: null })
        return consultantsOf(tx, call.user.tenant, place)
      }),
    known: ({ body }, call) => call.write((tx) => findNumber(tx, call, body)),
    add: ({ body }, call) => call.write((tx) => addCustomer(tx, call, body)),
    edit: ({ body }, call) => call.write((tx) => editCustomer(tx, call, body)),
    phone: ({ body }, call) => call.write((tx) => readCustomerPhone(tx, call, body)),
    addContact: ({ body }, call) => call.write((tx) => addContact(tx, call, body)),
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
    export: ({ query }, call) =>
      sendList(call, '客户线索', customerColumns, customerPage(call.user.scope, query)),
  })
