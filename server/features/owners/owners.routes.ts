import { ownersApi } from '@zhuguan/contract/features/owners/owners.api.ts'
import { ownerColumns } from '@zhuguan/contract/features/owners/owners.columns.ts'
import type { QueryOf } from '@zhuguan/contract/kit/api.ts'

import { reachOf } from '../../kit/reach.ts'
import { found } from '../../kit/refuse.ts'
import { type Call, serve } from '../../kit/serve.ts'
import { pageJson } from '../../kit/statement.ts'
import { countSearch } from '../customers/number-looks.service.ts'
import { sendList } from '../exports/exports.service.ts'
import { homeDetails, homePage } from './owners.queries.ts'
import {
  addContact,
  addOwner,
  changeOwner,
  correct,
  editContact,
  endContact,
  readPhone,
} from './owners.service.ts'

const page = (call: Call, query: QueryOf<(typeof ownersApi)['list']>) =>
  homePage(call.user.scope, query, !!reachOf(call.user, 'feedback:supervise'))

/** A whole number in the search tells whose it is: it is counted before anybody looks. */
export const ownersFeature = ({ secretKey }: { secretKey: Buffer }) =>
  serve(ownersApi, {
    list: async ({ query }, call) => {
      await countSearch(call, secretKey, query.keyword, 'owner')
      return call.read((tx) => pageJson(tx, page(call, query)))
    },
    details: ({ query }, call) =>
      call.read(async (tx) => found(await homeDetails(tx, call.user.scope, query.site_id))),
    add: ({ body }, call) => call.write((tx) => addOwner(tx, call, body)),
    correct: ({ body }, call) => call.write((tx) => correct(tx, call, body)),
    change: ({ body }, call) => call.write((tx) => changeOwner(tx, call, body)),
    addContact: ({ body }, call) => call.write((tx) => addContact(tx, call, body)),
    editContact: ({ body }, call) => call.write((tx) => editContact(tx, call, body)),
    endContact: ({ body }, call) => call.write((tx) => endContact(tx, call, body)),
    phone: ({ body }, call) => call.write((tx) => readPhone(tx, call, body)),
    export: async ({ query }, call) => {
      await countSearch(call, secretKey, query.keyword, 'owner')
      return sendList(call, '业主列表', ownerColumns, page(call, query))
    },
  })
