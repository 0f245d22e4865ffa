import { examineApi } from '@zhuguan/contract/features/examine/examine.api.ts'
import { examineColumns } from '@zhuguan/contract/features/examine/examine.columns.ts'
import type { QueryOf } from '@zhuguan/contract/kit/api.ts'

import { reachOf } from '../../kit/reach.ts'
import { type Call, type Feature, serve } from '../../kit/serve.ts'
import { pageJson } from '../../kit/statement.ts'
import { sendList } from '../exports/exports.service.ts'
import { examinePage } from './examine.queries.ts'
import { type ExamineSources, judge, openExamine, passMany } from './examine.service.ts'

const pageOf = ({ user }: Call, query: QueryOf<(typeof examineApi)['list']>) =>
  examinePage(user.scope, query, { user, judging: reachOf(user, 'examine:judge') })

export const examineFeature = ({ sources }: { sources: ExamineSources }): Feature =>
  serve(examineApi, {
    list: ({ query }, call) => call.read((tx) => pageJson(tx, pageOf(call, query))),
    details: ({ query }, call) => call.write((tx) => openExamine(tx, call, sources, query.id)),
    pass: ({ body }, call) => call.write((tx) => judge(tx, call, sources, 'pass', body)),
    reject: ({ body }, call) => call.write((tx) => judge(tx, call, sources, 'reject', body)),
    batch: ({ body }, call) => passMany(call, sources, body.some),
    export: ({ query }, call) => sendList(call, '审核', examineColumns, pageOf(call, query)),
  })
