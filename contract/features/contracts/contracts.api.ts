import { z } from 'zod'

import { defineApi, nothing } from '../../kit/api.ts'
import { amount } from '../../kit/decimals.ts'
import { paper, reason, seen, typed } from '../../kit/fields.ts'
import { commaList, day, flag, keyword, listQuery, optional, paged, uuid } from '../../kit/paging.ts'
import { changeFacts } from './changes.record.ts'
import {
  billFacts,
  billSignFacts,
  contractDetail,
  contractFileKind,
  contractPaper,
  contractRow,
  contractState,
  instalmentFacts,
  MOST_INSTALMENTS,
  receiptFacts,
  refundFacts,
  signFacts,
  signingProgress,
} from './contracts.record.ts'

const query = listQuery(
  ['code', 'total', 'paid', 'owed', 'overdue', 'back', 'dueOn', 'signedOn', 'changes'],
  {
    keyword,
    bc_id: optional(uuid).meta({ title: '分公司' }),
    store_id: optional(uuid).meta({ title: '门店' }),
    customer_id: optional(uuid).meta({ title: '客户' }),
    site_id: optional(uuid).meta({ title: '工地' }),
    signingProgress: commaList(signingProgress.schema).meta({ title: '签约进度' }),
    state: commaList(contractState.schema).meta({ title: '合同状态' }),
    signedFrom: optional(day).meta({ title: '签约日期从' }),
    signedTo: optional(day).meta({ title: '签约日期至' }),
    voidedFrom: optional(day).meta({ title: '作废日期从' }),
    voidedTo: optional(day).meta({ title: '作废日期至' }),
    owing: flag.meta({ title: '有欠款' }),
    overdue: flag.meta({ title: '逾期' }),
    back: flag.meta({ title: '应退' }),
    ids: commaList(uuid).meta({ title: '指定合同' }),
  },
)
const one = seen('合同')
const change = seen('变更单')
const made = z.object({ id: z.string(), code: z.string() })
/** A file that the caller has uploaded. */
const file = z.object({
  key: paper,
  name: typed()
    .min(1, { error: '附件名称不能为空' })
    .max(60, { error: '附件名称最多 60 个字' })
    .meta({ title: '附件名称' }),
})
const page = ['page:ContractList']

export const contractsApi = defineApi({
  /** Without those that are void or ended, unless they are asked for. */
  list: {
    method: 'POST',
    path: '/dsmcore/api/contract/list',
    title: '合同管理',
    access: page,
    query,
    data: paged(contractRow),
  },
  details: {
    method: 'POST',
    path: '/dsmcore/api/contract/details',
    title: '合同详情',
    access: page,
    query: z.object({ id: uuid.meta({ title: '合同' }) }),
    data: contractDetail,
  },
  /** As the customer keeps it; costs are in none of them. */
  pdf: {
    method: 'POST',
    path: '/dsmcore/api/contract/pdf',
    title: '合同 PDF',
    access: page,
    query: z.object({
      id: uuid.meta({ title: '合同' }),
      paper: contractPaper.schema.default('contract').meta({ title: '单据' }),
    }),
    data: nothing,
    raw: true,
  },
  /** Contracts that money can be moved to, and those of a site. */
  pick: {
    method: 'POST',
    path: '/dsmcore/api/contract/pick',
    title: '选择合同',
    access: page,
    query: z.object({ keyword, id: optional(uuid).meta({ title: '合同' }) }),
    data: z.array(
      z.object({ id: z.string(), code: z.string(), customerName: z.string(), state: contractState.schema }),
    ),
  },
  add: {
    method: 'POST',
    path: '/dsmcore/api/contract/add',
    title: '生成合同',
    access: ['contract:add'],
    body: z.object(seen('报价单')),
    data: made,
  },
  pay: {
    method: 'POST',
    path: '/dsmcore/api/contract/pay',
    title: '收款',
    access: ['contract:pay'],
    body: receiptFacts.extend(one),
    data: made,
  },
  refund: {
    method: 'POST',
    path: '/dsmcore/api/contract/refund',
    title: '申请退款',
    access: ['contract:refund'],
    body: refundFacts.extend({ ...one, reason, proof: file.nullable().default(null) }),
    data: made,
  },
  withdrawRefund: {
    method: 'POST',
    path: '/dsmcore/api/contract/refundwithdraw',
    title: '撤回退款',
    access: ['contract:refund'],
    body: z.object(seen('退款单')),
    data: nothing,
  },
  plan: {
    method: 'POST',
    path: '/dsmcore/api/contract/plan',
    title: '付款计划',
    access: ['contract:add', 'contract:sign'],
    body: z.object({
      ...one,
      plan: z
        .array(instalmentFacts)
        .min(1, { error: '付款计划至少 1 期' })
        .max(MOST_INSTALMENTS, { error: `付款计划最多 ${MOST_INSTALMENTS} 期` })
        .meta({ title: '付款计划' }),
    }),
    data: nothing,
  },
  sign: {
    method: 'POST',
    path: '/dsmcore/api/contract/sign',
    title: '签约',
    access: ['contract:sign'],
    body: signFacts.extend({
      ...one,
      files: z
        .array(file)
        .min(1, { error: '请上传签好的合同' })
        .max(10, { error: '签约文件最多 10 个' })
        .meta({ title: '签约文件' }),
    }),
    data: z.object({ site_id: z.string(), siteCode: z.string() }),
  },
  void: {
    method: 'POST',
    path: '/dsmcore/api/contract/void',
    title: '作废合同',
    access: ['contract:void'],
    body: z.object({ ...one, reason }),
    data: nothing,
  },
  keep: {
    method: 'POST',
    path: '/dsmcore/api/contract/keep',
    title: '撤回作废',
    access: ['contract:void'],
    body: z.object(one),
    data: nothing,
  },
  terminate: {
    method: 'POST',
    path: '/dsmcore/api/contract/terminate',
    title: '终止合同',
    access: ['contract:void'],
    body: z.object({ ...one, reason, value: amount('结算金额') }),
    data: nothing,
  },
  close: {
    method: 'POST',
    path: '/dsmcore/api/contract/close',
    title: '结清合同',
    access: ['contract:void'],
    body: z.object(one),
    data: nothing,
  },
  bill: {
    method: 'POST',
    path: '/dsmcore/api/contract/finalbill',
    title: '竣工结算',
    access: ['contract:settle'],
    body: billFacts.extend(one),
    data: nothing,
  },
  signBill: {
    method: 'POST',
    path: '/dsmcore/api/contract/finalsign',
    title: '竣工结算签字',
    access: ['contract:settle'],
    body: billSignFacts.extend({
      ...one,
      files: z
        .array(file)
        .min(1, { error: '请上传双方签字的结算单' })
        .max(10, { error: '结算单最多 10 个' })
        .meta({ title: '签字的结算单' }),
    }),
    data: nothing,
  },
  attach: {
    method: 'POST',
    path: '/dsmcore/api/contract/attach',
    title: '添加附件',
    access: ['contract:add'],
    body: z.object({
      ...one,
      kind: contractFileKind.schema.meta({ title: '附件类型' }),
      file: file.meta({ title: '文件' }),
    }),
    data: nothing,
  },
  export: {
    method: 'POST',
    path: '/dsmcore/api/contract/export',
    title: '导出合同',
    access: ['contract:export'],
    query,
    data: nothing,
    raw: true,
  },
})

export const changesApi = defineApi({
  add: {
    method: 'POST',
    path: '/dsmcore/api/contract/changeadd',
    title: '新建变更单',
    access: ['contract:change'],
    body: changeFacts.extend({ contract_id: uuid.meta({ title: '合同' }) }),
    data: made,
  },
  edit: {
    method: 'POST',
    path: '/dsmcore/api/contract/changeedit',
    title: '编辑变更单',
    access: ['contract:change'],
    body: changeFacts.extend(change),
    data: nothing,
  },
  submit: {
    method: 'POST',
    path: '/dsmcore/api/contract/changesubmit',
    title: '提交变更单',
    access: ['contract:change'],
    body: z.object(change),
    data: nothing,
  },
  withdraw: {
    method: 'POST',
    path: '/dsmcore/api/contract/changewithdraw',
    title: '撤回变更单',
    access: ['contract:change'],
    body: z.object(change),
    data: nothing,
  },
  drop: {
    method: 'POST',
    path: '/dsmcore/api/contract/changedrop',
    title: '作废变更单',
    access: ['contract:change'],
    body: z.object({ ...change, reason }),
    data: nothing,
  },
})
