import { correctionsApi } from '@zhuguan/contract/features/corrections/corrections.api.ts'
import { correctionColumns } from '@zhuguan/contract/features/corrections/corrections.columns.ts'
import type { QueryOf } from '@zhuguan/contract/kit/api.ts'

import { found } from '../../kit/refuse.ts'
import { type Call, serve } from '../../kit/serve.ts'
import { pageJson } from '../../kit/statement.ts'
import { sendList } from '../exports/exports.service.ts'
import { correctionDetails, correctionPage } from './corrections.queries.ts'
import { todoScope } from './corrections.reads.ts'
import {
  changeCorrection,
  type CorrectionDeps,
  type CorrectionCommand,
  urgeCorrection,
} from './corrections.service.ts'
import { assignmentOf } from './opening.service.ts'

const listOf = (call: Call, query: QueryOf<(typeof correctionsApi)['list']>) =>
  correctionPage(todoScope(call.user, call.user.scope, query.todo, ['correction', 'alarm']), query)

export function correctionsFeature(deps: CorrectionDeps) {
  const change = (call: Call, command: CorrectionCommand) =>
    call.write((tx) => changeCorrection(tx, call, deps, command))
  return serve(correctionsApi, {
    list: ({ query }, call) => call.read((tx) => pageJson(tx, listOf(call, query))),
    details: ({ query }, call) =>
      call.read(async (tx) => {
        const correction = found(await correctionDetails(tx, call.user.scope, query.id))
        return { ...correction, assign: await assignmentOf(tx, call, correction) }
      }),
    assign: ({ body }, call) => change(call, { action: 'assign', ...body }),
    start: ({ body }, call) => change(call, { action: 'start', ...body }),
    submit: ({ body }, call) => change(call, { action: 'submit', ...body }),
    pass: ({ body }, call) => change(call, { action: 'pass', ...body }),
    back: ({ body }, call) => change(call, { action: 'back', ...body }),
    dispute: ({ body }, call) => change(call, { action: 'dispute', ...body }),
    cancel: ({ body }, call) => change(call, { action: 'cancel', ...body }),
    reopen: ({ body }, call) => change(call, { action: 'reopen', ...body }),
    urge: ({ body }, call) => call.write((tx) => urgeCorrection(tx, call, body)),
    export: ({ query }, call) => sendList(call, '整改单', correctionColumns, listOf(call, query)),
  })
}
