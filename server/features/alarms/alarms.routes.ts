import { alarmsApi } from '@zhuguan/contract/features/alarms/alarms.api.ts'
import { alarmColumns } from '@zhuguan/contract/features/alarms/alarms.columns.ts'
import type { QueryOf } from '@zhuguan/contract/kit/api.ts'

import { found } from '../../kit/refuse.ts'
import { type Call, serve } from '../../kit/serve.ts'
import { pageJson } from '../../kit/statement.ts'
import { sendList } from '../exports/exports.service.ts'
import { alarmDetails, alarmPage } from './alarms.queries.ts'
import { todoScope } from './alarms.reads.ts'
import { type AlarmCommand, assignmentOf, changeAlarm, changeMany } from './alarms.service.ts'

const listOf = (call: Call, query: QueryOf<(typeof alarmsApi)['list']>) =>
  alarmPage(todoScope(call.user, call.user.scope, query.todo), query)
const change = (call: Call, command: AlarmCommand) => call.write((tx) => changeAlarm(tx, call, command))

export const alarmsFeature = serve(alarmsApi, {
  list: ({ query }, call) => call.read((tx) => pageJson(tx, listOf(call, query))),
  details: ({ query }, call) =>
    call.read(async (tx) => {
      const alarm = found(await alarmDetails(tx, call.user.scope, query.id))
      return { ...alarm, assign: await assignmentOf(tx, call, alarm) }
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
    changeMany(call, alarms, (one) => ({ action: 'assign', ...one, ...rest })),
  cancelMany: ({ body: { alarms, ...rest } }, call) =>
    changeMany(call, alarms, (one) => ({ action: 'cancel', ...one, ...rest })),
  export: ({ query }, call) => sendList(call, '报警事件', alarmColumns, listOf(call, query)),
})
