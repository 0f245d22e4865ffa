import { goodsApi } from '@zhuguan/contract/features/goods/goods.api.ts'
import { goodsColumns, sheetColumns } from '@zhuguan/contract/features/goods/goods.columns.ts'

import { found } from '../../kit/refuse.ts'
import { serve } from '../../kit/serve.ts'
import { pageJson } from '../../kit/statement.ts'
import { sendList } from '../exports/exports.service.ts'
import { addSurplus, complain, judgeSheet } from './findings.service.ts'
import { changeDetail, changePage, sheetDetail, sheetPage } from './goods.queries.ts'
import { disputeGrade, gradeLeg } from './grading.service.ts'
import { answerChange, collectLeg, sendInstead, takeBackChange } from './returning.service.ts'

export const goodsFeature = serve(goodsApi, {
  sheets: ({ query }, call) => call.read((tx) => pageJson(tx, sheetPage(call.user.scope, query))),
  sheetsExport: ({ query }, call) =>
    sendList(call, '验收单', sheetColumns, sheetPage(call.user.scope, query)),
  sheet: async ({ query }, call) =>
    found(await call.read((tx) => sheetDetail(tx, call.user.scope, query.id))),
  judge: ({ body }, call) => judgeSheet(call, body),
  surplus: ({ body }, call) => addSurplus(call, body),
  complain: ({ body }, call) => complain(call, body),
  list: ({ query }, call) => call.read((tx) => pageJson(tx, changePage(call.user.scope, query))),
  export: ({ query }, call) => sendList(call, '退换补货', goodsColumns, changePage(call.user.scope, query)),
  details: async ({ query }, call) =>
    found(await call.read((tx) => changeDetail(tx, call.user.scope, query.id))),
  answer: ({ body }, call) => answerChange(call, body),
  withdraw: ({ body }, call) => takeBackChange(call, body),
  send: ({ body }, call) => sendInstead(call, body),
  collect: ({ body }, call) => collectLeg(call, body),
  grade: ({ body }, call) => gradeLeg(call, body),
  disputeGrade: ({ body }, call) => disputeGrade(call, body),
})
