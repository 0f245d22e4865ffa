import { dispatchApi } from '@zhuguan/contract/features/dispatch/dispatch.api.ts'
import { dispatchColumns } from '@zhuguan/contract/features/dispatch/dispatch.columns.ts'

import { found } from '../../kit/refuse.ts'
import { serve } from '../../kit/serve.ts'
import { pageJson } from '../../kit/statement.ts'
import { sendList } from '../exports/exports.service.ts'
import { deliverNote, handOverNote, sendBackNote } from './delivering.service.ts'
import { onNote } from './dispatch.service.ts'
import { noteDetail, notePage } from './notes.queries.ts'
import { cancelNote, type OnShipped, prepareNote, shipNote } from './shipping.service.ts'

export const dispatchFeature = ({ onShipped }: { onShipped: OnShipped }) =>
  serve(dispatchApi, {
    list: ({ query }, call) => call.read((tx) => pageJson(tx, notePage(call.user.scope, query))),
    export: ({ query }, call) => sendList(call, '发货单', dispatchColumns, notePage(call.user.scope, query)),
    details: async ({ query }, call) =>
      found(await call.read((tx) => noteDetail(tx, call.user.scope, query.id))),
    prepare: ({ body }, call) => prepareNote(call, body),
    ship: ({ body }, call) => onNote(call, body.id, (tx, at) => shipNote(tx, at, body, onShipped)),
    cancel: ({ body }, call) => onNote(call, body.id, (tx, at) => cancelNote(tx, at, body)),
    deliver: ({ body }, call) => onNote(call, body.id, (tx, at) => deliverNote(tx, at, body)),
    handOver: ({ body }, call) => onNote(call, body.id, (tx, at) => handOverNote(tx, at, body)),
    sendBack: ({ body }, call) => onNote(call, body.id, (tx, at) => sendBackNote(tx, at, body)),
  })
