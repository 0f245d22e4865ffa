import { statementsApi } from '@zhuguan/contract/features/statements/statements.api.ts'
import { statementColumns } from '@zhuguan/contract/features/statements/statements.columns.ts'

import { found } from '../../kit/refuse.ts'
import { serve } from '../../kit/serve.ts'
import { pageJson } from '../../kit/statement.ts'
import { sendBranchPaper } from '../companies/branch-paper.service.ts'
import { sendList } from '../exports/exports.service.ts'
import { addCharge, withdrawCharge } from './charges.service.ts'
import { payStatement, reversePayment } from './payments.service.ts'
import { statementPaper } from './statement-paper.ts'
import { previewOf, statementDetail, statementPage } from './statements.queries.ts'
import {
  addStatement,
  agreeStatement,
  disputeStatement,
  dropStatement,
  recallStatement,
  reviseStatement,
  sendStatement,
} from './statements.service.ts'

export const statementsFeature = serve(statementsApi, {
  list: ({ query }, call) => call.read((tx) => pageJson(tx, statementPage(call.user.scope, query))),
  export: ({ query }, call) =>
    sendList(call, '对账单', statementColumns, statementPage(call.user.scope, query)),
  details: async ({ query }, call) =>
    found(await call.read((tx) => statementDetail(tx, call.user.scope, query.id))),
  pdf: async ({ query }, call) => {
    const s = found(await call.read((tx) => statementDetail(tx, call.user.scope, query.id)))
    await sendBranchPaper(
      call,
      s,
      s.code,
      { action: '打印对账单 PDF', object: 'statement', objectId: s.id, after: { code: s.code } },
      (head, foot) => statementPaper(s, head, foot),
    )
  },
  preview: async ({ query }, call) => found(await call.read((tx) => previewOf(tx, call.user.scope, query))),
  add: ({ body }, call) => call.write((tx) => addStatement(tx, call, body)),
  send: ({ body }, call) => sendStatement(call, body),
  recall: ({ body }, call) => recallStatement(call, body),
  drop: ({ body }, call) => dropStatement(call, body),
  revise: ({ body }, call) => reviseStatement(call, body),
  agree: ({ body }, call) => agreeStatement(call, body),
  dispute: ({ body }, call) => disputeStatement(call, body),
  pay: ({ body }, call) => payStatement(call, body),
  reverse: ({ body }, call) => call.write((tx) => reversePayment(tx, call, body)),
  charge: ({ body }, call) => call.write((tx) => addCharge(tx, call, body)),
  withdrawCharge: ({ body }, call) => call.write((tx) => withdrawCharge(tx, call, body)),
})
