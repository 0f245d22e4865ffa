import { changesApi, contractsApi } from '@zhuguan/contract/features/contracts/contracts.api.ts'
import { contractColumns } from '@zhuguan/contract/features/contracts/contracts.columns.ts'
import { receiptsApi } from '@zhuguan/contract/features/contracts/receipts.api.ts'
import { dueColumns, flowColumns } from '@zhuguan/contract/features/contracts/receipts.columns.ts'
import { hasPermission } from '@zhuguan/contract/kit/permits.ts'

import { found } from '../../kit/refuse.ts'
import { type Call, serve } from '../../kit/serve.ts'
import { pageJson } from '../../kit/statement.ts'
import { sendList } from '../exports/exports.service.ts'
import type { Life } from '../sites/site-life.service.ts'
import { addChange, dropChange, editChange, submitChange, withdrawChange } from './changes.service.ts'
import { contractDetail } from './contract-detail.queries.ts'
import { printContract } from './contract-pdf.ts'
import { contractPage, pickContracts } from './contracts.queries.ts'
import { addContract, attachFile, planContract } from './contracts.service.ts'
import { closeContract, keepContract, terminateContract, voidContract } from './ending.service.ts'
import { billContract, signBill } from './final-bill.service.ts'
import { duePage, flowPage, flowTotals } from './receipts.queries.ts'
import { payContract } from './receipts.service.ts'
import { askRefund, withdrawRefund } from './refunds.service.ts'
import { signContract } from './signing.service.ts'

/** In a list costs are read by who may read them in all of it. */
const readsCosts = (call: Call): boolean => hasPermission(call.user, 'product:cost')
const { quoted: _quoted, real: _real, ...open } = contractColumns

export const contractsFeature = ({ life }: { life: Life }) =>
  serve(contractsApi, {
    list: ({ query }, call) =>
      call.read((tx) => pageJson(tx, contractPage(call.user.scope, query, readsCosts(call)))),
    details: async ({ query }, call) =>
      found(await call.read((tx) => contractDetail(tx, call.user.scope, query.id, readsCosts(call)))),
    pdf: ({ query }, call) => printContract(call, query),
    pick: ({ query }, call) => call.read((tx) => pickContracts(tx, call.user.scope, query)),
    add: ({ body }, call) => call.write((tx) => addContract(tx, call, body)),
    pay: ({ body }, call) => call.write((tx) => payContract(tx, call, body)),
    refund: ({ body }, call) => call.write((tx) => askRefund(tx, call, body)),
    withdrawRefund: ({ body }, call) => call.write((tx) => withdrawRefund(tx, call, body)),
    plan: ({ body }, call) => call.write((tx) => planContract(tx, call, body)),
    sign: ({ body }, call) => call.write((tx) => signContract(tx, call, body)),
    void: ({ body }, call) => call.write((tx) => voidContract(tx, call, body)),
    keep: ({ body }, call) => call.write((tx) => keepContract(tx, call, body)),
    terminate: ({ body }, call) => call.write((tx) => terminateContract(tx, call, life, body)),
    close: ({ body }, call) => call.write((tx) => closeContract(tx, call, body)),
    bill: ({ body }, call) => call.write((tx) => billContract(tx, call, body)),
    signBill: ({ body }, call) => call.write((tx) => signBill(tx, call, body)),
    attach: ({ body }, call) => call.write((tx) => attachFile(tx, call, body)),
    export: ({ query }, call) =>
      sendList(
        call,
        '合同',
        readsCosts(call) ? contractColumns : open,
        contractPage(call.user.scope, query, readsCosts(call)),
      ),
  })

export const changesFeature = serve(changesApi, {
  add: ({ body }, call) => call.write((tx) => addChange(tx, call, body)),
  edit: ({ body }, call) => call.write((tx) => editChange(tx, call, body)),
  submit: ({ body }, call) => call.write((tx) => submitChange(tx, call, body)),
  withdraw: ({ body }, call) => call.write((tx) => withdrawChange(tx, call, body)),
  drop: ({ body }, call) => call.write((tx) => dropChange(tx, call, body)),
})

export const receiptsFeature = serve(receiptsApi, {
  due: ({ query }, call) => call.read((tx) => pageJson(tx, duePage(call.user.scope, query))),
  exportDue: ({ query }, call) => sendList(call, '应收款', dueColumns, duePage(call.user.scope, query)),
  flow: ({ query }, call) => call.read((tx) => pageJson(tx, flowPage(call.user.scope, query))),
  totals: ({ query }, call) => call.read((tx) => flowTotals(tx, call.user.scope, query, call.now())),
  exportFlow: ({ query }, call) =>
    sendList(call, '收退款流水', flowColumns, flowPage(call.user.scope, query)),
})
