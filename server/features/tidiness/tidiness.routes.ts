import { tidinessApi } from '@zhuguan/contract/features/tidiness/tidiness.api.ts'
import { tidinessColumns } from '@zhuguan/contract/features/tidiness/tidiness.columns.ts'

import { found } from '../../kit/refuse.ts'
import { serve } from '../../kit/serve.ts'
import { pageJson } from '../../kit/statement.ts'
import { sendList } from '../exports/exports.service.ts'
import { correctCheck } from './correcting.service.ts'
import { judgeCheck } from './judging.service.ts'
import { missedChecks } from './missed.queries.ts'
import { tidinessDetails, tidinessPage } from './tidiness.queries.ts'
import { shotsOf, tidinessTrend } from './trend.queries.ts'

export const tidinessFeature = serve(tidinessApi, {
  list: ({ query }, call) => call.read((tx) => pageJson(tx, tidinessPage(call.user.scope, query))),
  details: ({ query }, call) =>
    call.read(async (tx) => found(await tidinessDetails(tx, call.user.scope, query.id))),
  trend: ({ query }, call) => call.read((tx) => tidinessTrend(tx, call.user.scope, call.now(), query)),
  shots: ({ query }, call) => call.read((tx) => shotsOf(tx, call.user.scope, call.now(), query)),
  missed: ({ query }, call) => call.read((tx) => missedChecks(tx, call.user.scope, query)),
  judge: ({ body }, call) => call.write((tx) => judgeCheck(tx, call, body)),
  correct: ({ body }, call) => call.write((tx) => correctCheck(tx, call, body)),
  export: ({ query }, call) =>
    sendList(call, '整洁度检查', tidinessColumns, tidinessPage(call.user.scope, query)),
})
