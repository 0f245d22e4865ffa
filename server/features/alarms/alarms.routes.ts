import { alarmsApi } from '@zhuguan/contract/features/alarms/alarms.api.ts'
import { alarmColumns } from '@zhuguan/contract/features/alarms/alarms.columns.ts'
import type { QueryOf } from '@zhuguan/contract/kit/api.ts'

import { found } from '../../kit/refuse.ts'
import { type Call, serve } from '../../kit/serve.ts'
import { pageJson } from '../../kit/statement.ts'
import { todoScope } from '../corrections/corrections.reads.ts'
import {
  changeCorrection,
  changeMany,
  type CorrectionDeps,
  type CorrectionCommand,
} from '../corrections/corrections.service.ts'
import { assignmentOf } from '../corrections/opening.service.ts'
import { sendList } from '../exports/exports.service.ts'
import { alarmDetails, alarmPage } from './alarms.queries.ts'

const listOf = (call: Call, query: QueryOf<(typeof alarmsApi)['list']>) =>
  alarmPage(todoScope(call.user, call.user.scope, query.todo, ['alarm']), query)

/** What is done about an alarm is done to its correction, which has its number. */
export function alarmsFeature(deps: CorrectionDeps) {
  const change = (call: Call, command: CorrectionCommand) =>
    call.write((tx) => changeCorrection(tx, call, deps, command, 'alarm'))
  return serve(alarmsApi, {
    list: ({ query }, call) => call.read((tx) => pageJson(tx, listOf(call, query))),
    details: ({ query }, call) =>
      call.read(async (tx) => {
        const alarm = found(await alarmDetails(tx, call.user.scope, query.id))
        const to = await assignmentOf(tx, call, { ...alarm, source: 'alarm', alarmType: alarm.type })
        return { ...alarm, assign: to && { steward: to.first, dueAt: to.dueAt } }
      }),
    assign: ({ body }, call) => change(call, { action: 'assign', ...body }),
    start: ({ body }, call) => change(call, { action: 'start', ...body }),
    submit: ({ body }, call) => change(call, { action: 'submit', ...body }),
    pass: ({ body }, call) => change(call, { action: 'pass', ...body }),
    back: ({ body }, call) => change(call, { action: 'back', ...body }),
    dispute: ({ body }, call) => change(call, { action: 'dispute', ...body }),
    cancel: ({ body }, call) => change(call, { action: 'cancel', ...body }),
    reopen: ({ body }, call) => change(call, { action: 'reopen', ...body }),
    assignMany: ({ body: { alarms, ...rest } }, call) =>
      changeMany(call, deps, alarms, (one) => ({ action: 'assign', ...one, ...rest }), 'alarm'),
    cancelMany: ({ body: { alarms, ...rest } }, call) =>
      changeMany(call, deps, alarms, (one) => ({ action: 'cancel', ...one, ...rest }), 'alarm'),
    export: ({ query }, call) => sendList(call, '报警事件', alarmColumns, listOf(call, query)),
  })
}
