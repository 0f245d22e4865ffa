import { dispatchApi } from '@zhuguan/contract/features/dispatch/dispatch.api.ts'
import { dispatchColumns } from '@zhuguan/contract/features/dispatch/dispatch.columns.ts'

import type { Database } from '../../database/connect.ts'
import { found } from '../../kit/refuse.ts'
import { type Call, type Feature, serve } from '../../kit/serve.ts'
import { pageJson } from '../../kit/statement.ts'
import { sendList } from '../exports/exports.service.ts'
import { deliverNote, handOverNote, sendBackNote } from './delivering.service.ts'
import { onNote } from './dispatch.service.ts'
import { noteDetail, notePage, partiesOfNote } from './notes.queries.ts'
import { codeGuesses } from './pickup-codes.service.ts'
import { shippable } from './ship-facts.service.ts'
import { cancelNote, type OnShipped, prepareNote, shipNote } from './shipping.service.ts'

export function dispatchFeature({ db, onShipped }: { db: Database; onShipped: OnShipped }): Feature {
  const guesses = codeGuesses(db)
  /** Nobody's guesses count against a note that they cannot reach. */
  async function guarded<T>(call: Call, body: { id: string; pickupCode: string }, work: () => Promise<T>) {
    if (!body.pickupCode) return work()
    found(await call.read((tx) => partiesOfNote(tx, call.user.scope, body.id)))
    return guesses(body.id, body.pickupCode, work)
  }
  return serve(dispatchApi, {
    list: ({ query }, call) => call.read((tx) => pageJson(tx, notePage(call.user.scope, query))),
    export: ({ query }, call) => sendList(call, '发货单', dispatchColumns, notePage(call.user.scope, query)),
    details: async ({ query }, call) =>
      found(await call.read((tx) => noteDetail(tx, call.user.scope, query.id))),
    prepare: ({ body }, call) => prepareNote(call, body),
    ship: ({ body }, call) =>
      onNote(call, body.id, async (tx, at) => shipNote(tx, at, await shippable(tx, at, body), onShipped)),
    cancel: ({ body }, call) => onNote(call, body.id, (tx, at) => cancelNote(tx, at, body)),
    deliver: ({ body }, call) =>
      guarded(call, body, () => onNote(call, body.id, (tx, at) => deliverNote(tx, at, body))),
    handOver: ({ body }, call) =>
      guarded(call, body, () => onNote(call, body.id, (tx, at) => handOverNote(tx, at, body))),
    sendBack: ({ body }, call) => onNote(call, body.id, (tx, at) => sendBackNote(tx, at, body)),
  })
}
