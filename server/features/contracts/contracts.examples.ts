import { changesApi, contractsApi } from '@zhuguan/contract/features/contracts/contracts.api.ts'
import { receiptsApi } from '@zhuguan/contract/features/contracts/receipts.api.ts'

import { examplesOf } from '../../testing/example.ts'

export const contractsExamples = examplesOf(contractsApi, (r) => {
  const one = { id: r.contract, version: 0 }
  const file = { key: r.upload, name: '签字页' }
  const where = {
    ids: [r.contract],
    bc_id: r.bc_id,
    store_id: r.store,
    customer_id: r.customer,
    site_id: r.site,
  }
  return {
    list: { query: where },
    export: { query: where },
    details: { query: { id: r.contract } },
    pdf: { query: { id: r.contract, paper: 'contract' } },
    pick: { query: { id: r.contract } },
    add: { body: { id: r.quotation, version: 0 } },
    pay: { body: { ...one, amount: '1', method: 'cash', paidOn: '2026-01-05', payer: '张三' } },
    refund: {
      body: {
        ...one,
        amount: '1',
        method: 'cash',
        payee: '张三',
        reason: '退款',
        to_id: r.contract,
        proof: file,
      },
    },
    withdrawRefund: { body: { id: r.refund, version: 0 } },
    plan: { body: { ...one, plan: [{ name: '全款', stage: null, percent: '100' }] } },
    sign: {
      body: {
        ...one,
        signer: '张三',
        signedOn: '2026-01-05',
        site_id: r.site,
        ws_name: '签约工地',
        address: '文一路 1 号',
        files: [file],
      },
    },
    void: { body: { ...one, reason: '误签' } },
    keep: { body: one },
    terminate: { body: { ...one, reason: '客户不做了', value: '0' } },
    close: { body: one },
    bill: { body: { ...one, warranty: '1', warrantyOn: '2099-01-01' } },
    signBill: { body: { ...one, signer: '张三', ours: '李四', signedOn: '2026-01-05', files: [file] } },
    attach: { body: { ...one, file, kind: 'other' } },
  }
})

export const changesExamples = examplesOf(changesApi, (r) => {
  const one = { id: r.change, version: 0 }
  const facts = {
    reason: '加一项',
    lines: [
      { attribute: 2 as const, item_id: r.contractItem, product_id: r.product, quantity: '1', price: '1' },
    ],
  }
  return {
    add: { body: { ...facts, contract_id: r.contract } },
    edit: { body: { ...facts, ...one } },
    submit: { body: one },
    withdraw: { body: one },
    drop: { body: { ...one, reason: '不做了' } },
  }
})

export const receiptsExamples = examplesOf(receiptsApi, (r) => {
  const due = { query: { bc_id: r.bc_id } }
  const flow = { query: { bc_id: r.bc_id, user_id: r.person } }
  return { due, exportDue: due, flow, totals: flow, exportFlow: flow }
})
