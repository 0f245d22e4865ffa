import type { AlarmAction } from '@zhuguan/contract/features/alarms/alarms.actions.ts'
import { alarmsApi } from '@zhuguan/contract/features/alarms/alarms.api.ts'
import { alarmColumns } from '@zhuguan/contract/features/alarms/alarms.columns.ts'

import { found } from '../../kit/refuse.ts'
import { scoped } from '../../kit/scoped.ts'
import { type Call, type Handlers, serve } from '../../kit/serve.ts'
import { pageJson } from '../../kit/statement.ts'
import { sendList } from '../exports/exports.service.ts'
import { ALARM_COLUMNS, ALARM_FROM, alarmExtras, alarmPage, alarmRow } from './alarms.queries.ts'
import { changeAlarm, changeMany } from './alarms.service.ts'

const command =
  (action: AlarmAction) =>
  async ({ body }: { body: { id: string; version: number } }, call: Call) => {
    await call.write((tx) => changeAlarm(tx, call, { ...body, action }))
    return null
  }

const handlers: Handlers<typeof alarmsApi> = {
  list: ({ query }, call) => call.read((tx) => pageJson(tx, alarmPage(call.user.scope, query))),
  details: ({ query }, call) =>
    call.read(async (tx) => {
      const where = scoped(call.user.scope, 'a').add((p) => `a.id = ${p}::uuid`, query.id)
      const { rows } = await tx.query(
        'alarms.one',
        alarmRow,
        `SELECT ${ALARM_COLUMNS} FROM ${ALARM_FROM} WHERE ${where.text}`,
        where.values,
      )
      const alarm = found(rows[0])
      return { ...alarm, ...(await alarmExtras(tx, call.user.scope, alarm)) }
    }),
  assign: command('assign'),
  start: command('start'),
  submit: command('submit'),
  pass: command('pass'),
  back: command('back'),
  dispute: command('dispute'),
  cancel: command('cancel'),
  reopen: command('reopen'),
  assignMany: ({ body }, call) =>
    changeMany(call, body.alarms, { action: 'assign', assignee_id: body.assignee_id }),
  cancelMany: ({ body }, call) =>
    changeMany(call, body.alarms, { action: 'cancel', cause: body.cause, reason: body.reason }),
  export: ({ query }, call) => sendList(call, '报警事件', alarmColumns, alarmPage(call.user.scope, query)),
}
export const alarmsFeature = serve(alarmsApi, handlers)
