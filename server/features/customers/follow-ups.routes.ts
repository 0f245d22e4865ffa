import { followUpsApi } from '@zhuguan/contract/features/customers/follow-ups.api.ts'
import { followColumns } from '@zhuguan/contract/features/customers/follow-ups.columns.ts'

import { serve } from '../../kit/serve.ts'
import { pageJson } from '../../kit/statement.ts'
import { sendList } from '../exports/exports.service.ts'
import { calendarOf, countsOf, followPage } from './follow-ups.queries.ts'
import {
  addFollow,
  cancelFollow,
  completeFollow,
  foreseeFollow,
  moveFollow,
  planFollow,
} from './follow-ups.service.ts'

export const followUpsFeature = serve(followUpsApi, {
  list: ({ query }, call) => call.read((tx) => pageJson(tx, followPage(call.user.scope, query))),
  calendar: ({ query }, call) => call.read((tx) => calendarOf(tx, call.user.scope, query)),
  counts: ({ query }, call) =>
    call.read(async (tx) => ({
      at: Math.floor(call.now().getTime() / 1000),
      ...(await countsOf(tx, call.user.scope, query)),
    })),
  clashes: ({ query }, call) => call.read((tx) => foreseeFollow(tx, call, query)),
  add: ({ body }, call) => call.write((tx) => addFollow(tx, call, body)),
  plan: ({ body }, call) => call.write((tx) => planFollow(tx, call, body)),
  done: ({ body }, call) => call.write((tx) => completeFollow(tx, call, body)),
  move: ({ body }, call) => call.write((tx) => moveFollow(tx, call, body)),
  cancel: ({ body }, call) => call.write((tx) => cancelFollow(tx, call, body)),
  export: ({ query }, call) =>
    sendList(call, '跟进计划', followColumns, followPage(call.user.scope, query), 'marked'),
})
