import { quotationsApi } from '@zhuguan/contract/features/quotations/quotations.api.ts'
import { quotationColumns } from '@zhuguan/contract/features/quotations/quotations.columns.ts'
import { hasPermission } from '@zhuguan/contract/kit/permits.ts'

import { found } from '../../kit/refuse.ts'
import { type Call, serve } from '../../kit/serve.ts'
import { pageJson } from '../../kit/statement.ts'
import { sendList } from '../exports/exports.service.ts'
import { editQuotation } from './editing.service.ts'
import { submitQuotation, withdrawQuotation } from './examining.service.ts'
import { quotationDetail } from './quotation-detail.ts'
import { printQuotation } from './quotation-pdf.ts'
import { sendQuotation } from './quotation-sheet.ts'
import { quotationPage } from './quotations.queries.ts'
import {
  addQuotation,
  copyQuotation,
  reviseQuotation,
  saveQuotation,
  voidQuotation,
} from './quotations.service.ts'

/** In a list costs are read by who may read them in all of it. */
const costs = (call: Call): boolean => hasPermission(call.user, 'product:cost')
const detail = async (call: Call, asked: { id: string; number?: number | undefined }) =>
  found(await call.read((tx) => quotationDetail(tx, call, asked)))

export const quotationsFeature = serve(quotationsApi, {
  list: ({ query }, call) =>
    call.read((tx) => pageJson(tx, quotationPage(call.user.scope, costs(call), query))),
  details: ({ query }, call) => detail(call, query),
  add: ({ body }, call) => call.write((tx) => addQuotation(tx, call, body)),
  save: ({ body }, call) => call.write((tx) => saveQuotation(tx, call, body)),
  copy: ({ body }, call) => call.write((tx) => copyQuotation(tx, call, body)),
  submit: ({ body }, call) => call.write((tx) => submitQuotation(tx, call, body)),
  withdraw: ({ body }, call) => call.write((tx) => withdrawQuotation(tx, call, body)),
  revise: ({ body }, call) => call.write((tx) => reviseQuotation(tx, call, body)),
  void: ({ body }, call) => call.write((tx) => voidQuotation(tx, call, body)),
  editing: ({ body }, call) => call.write((tx) => editQuotation(tx, call, body)),
  sheet: async ({ query }, call) => sendQuotation(call, await detail(call, query)),
  pdf: async ({ query }, call) => printQuotation(call, await detail(call, query)),
  async export({ query }, call) {
    const { margin: _margin, ...open } = quotationColumns
    const columns = costs(call) ? quotationColumns : open
    return sendList(call, '报价单', columns, quotationPage(call.user.scope, costs(call), query))
  },
})
