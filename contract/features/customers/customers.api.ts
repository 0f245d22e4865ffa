import { z } from 'zod'

import { defineApi, nothing } from '../../kit/api.ts'
import { reason as anyReason, seen, version, words } from '../../kit/fields.ts'
import { numberless } from '../../kit/numberless.ts'
import { commaList, day, flag, keyword, listQuery, optional, paged, uuid } from '../../kit/paging.ts'
import { told } from '../consents/notices.record.ts'
import { signingProgress } from '../contracts/contracts.record.ts'
import { customerPhone } from './customer-phone.record.ts'
import {
  contactFacts,
  customerAsk,
  customerCard,
  customerDetail,
  customerFacts,
  customerHeld,
  customerRow,
  customerSource,
  customerStep,
  lostReason,
  waitingCustomer,
} from './customers.record.ts'

/** At most so many are offered; more is typed. */
export const PICK_CUSTOMERS = 20
/** So many are given to others at once. */
export const MOST_ASSIGNED = 100
/** So many cards a column of the board shows; the list has all of them. */
export const MOST_CARDS = 30

const filters = {
  keyword,
  source: commaList(customerSource.schema).meta({ title: '来源' }),
  signingProgress: commaList(signingProgress.schema).meta({ title: '签约进度' }),
  step: commaList(customerStep.schema).meta({ title: '进展' }),
  held: commaList(customerHeld.schema).meta({ title: '归属' }),
  lostReason: commaList(lostReason.schema).meta({ title: '流失原因' }),
  consultant_id: optional(uuid).meta({ title: '顾问' }),
  bc_id: commaList(uuid).meta({ title: '分公司' }),
  store_id: commaList(uuid).meta({ title: '门店' }),
  /** The time of the next follow-up. */
  from: optional(day).meta({ title: '下次跟进从' }),
  to: optional(day).meta({ title: '下次跟进至' }),
  /** When they were entered. */
  enteredFrom: optional(day).meta({ title: '登记从' }),
  enteredTo: optional(day).meta({ title: '登记至' }),
  overdue: flag.meta({ title: '是否逾期' }),
  id: optional(uuid).meta({ title: '客户' }),
}
const query = listQuery(['createdAt', 'followedAt', 'nextAt', 'step', 'budget'], filters)
const one = seen('客户')
const reason = numberless(anyReason)
const of = z.object({ id: one.id })
const PAGES = ['page:CustomerList']
const path = (verb: string) => `/mkscore/api/customer/${verb}` as const

export const customersApi = defineApi({
  list: {
    method: 'POST',
    path: path('list'),
    title: '客户线索',
    access: PAGES,
    query,
    data: paged(customerRow),
  },
  /** One that was merged away answers as the one it is now. */
  details: {
    method: 'POST',
    path: path('details'),
    title: '客户详情',
    access: PAGES,
    query: of,
    data: customerDetail,
  },
  /** The same customers as cards, by how far they have come. */
  board: {
    method: 'POST',
    path: path('board'),
    title: '客户看板',
    access: PAGES,
    query: z.object(filters),
    data: z.array(z.object({ step: customerStep.schema, n: z.number().int(), cards: z.array(customerCard) })),
  },
  /** Customers that wait for the caller, the worst first. */
  waits: {
    method: 'POST',
    path: path('waits'),
    title: '等我跟进',
    access: PAGES,
    data: z.object({ at: z.number().int(), n: z.number().int(), list: z.array(waitingCustomer) }),
  },
  pick: {
    method: 'POST',
    path: path('pick'),
    title: '选择客户',
    access: ['page:QuotationList', 'page:CustomerList'],
    query: z.object({
      keyword,
      id: optional(uuid).meta({ title: '客户' }),
      signed: flag.meta({ title: '已签约' }),
    }),
    data: z.array(customerRow),
  },
  /** The sources of a customer in the group's order; those of before are not offered any more. */
  sources: {
    method: 'POST',
    path: path('sources'),
    title: '客户来源',
    access: ['quotation:edit', ...PAGES],
    data: z.array(z.object({ value: z.string(), label: z.string(), offered: z.boolean() })),
  },
  /** The stores whose customers the caller may write down. */
  stores: {
    method: 'POST',
    path: path('stores'),
    title: '选择门店',
    access: ['quotation:edit', ...PAGES],
    data: z.array(z.object({ id: z.string(), bc_id: z.string(), name: z.string() })),
  },
  /** Anybody who may follow up customers of a store, or of the branch itself, with how many they have. */
  consultants: {
    method: 'POST',
    path: path('consultants'),
    title: '选择顾问',
    access: PAGES,
    query: z.object({
      bc_id: uuid.meta({ title: '分公司' }),
      store_id: optional(uuid).meta({ title: '门店' }),
    }),
    data: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        n: z.number().int(),
        cap: z.number().int(),
        away: z.boolean(),
      }),
    ),
  },
  /** Whether a number is known, asked while it is typed; how often a day is counted. */
  known: {
    method: 'POST',
    path: path('known'),
    title: '查找电话',
    access: ['customer:add', 'quotation:edit'],
    body: z.object({ bc_id: uuid.meta({ title: '分公司' }), phone: customerPhone }),
    data: z.object({ words: z.string(), id: z.string().nullable() }),
  },
  add: {
    method: 'POST',
    path: path('add'),
    title: '新增客户',
    access: ['customer:add', 'quotation:edit'],
    body: customerFacts.extend({ told }),
    data: z.object({ id: z.string() }),
  },
  edit: {
    method: 'POST',
    path: path('edit'),
    title: '编辑客户',
    access: ['customer:edit', 'quotation:edit'],
    body: customerFacts
      .omit({ bc_id: true, consultant_id: true })
      /** Empty: the number stays what it is; whoever edits may not have read it. */
      .extend({ phone: customerPhone.or(z.literal('')).default(''), ...one }),
    data: nothing,
  },
  phone: {
    method: 'POST',
    path: path('phone'),
    title: '查看客户电话',
    access: ['customer:number', 'customer:phone'],
    body: z.object({
      id: one.id,
      /** The number of a further person of the home. */
      contact_id: uuid.nullable().default(null).meta({ title: '联系人' }),
      reason,
    }),
    data: z.object({ phone: z.string() }),
  },
  /** They were told what their number is for: where nobody did when it was written down. */
  told: {
    method: 'POST',
    path: path('told'),
    title: '登记已告知',
    access: ['customer:follow'],
    body: z.object(one),
    data: nothing,
  },
  addContact: {
    method: 'POST',
    path: path('addcontact'),
    title: '新增联系人',
    access: ['customer:edit'],
    body: contactFacts.extend(one),
    data: nothing,
  },
  dropContact: {
    method: 'POST',
    path: path('dropcontact'),
    title: '移除联系人',
    access: ['customer:edit'],
    body: z.object({ ...one, contact_id: uuid.meta({ title: '联系人' }), reason }),
    data: nothing,
  },
  claim: {
    method: 'POST',
    path: path('claim'),
    title: '认领客户',
    access: ['customer:claim'],
    body: z.object(one),
    data: nothing,
  },
  assign: {
    method: 'POST',
    path: path('assign'),
    title: '分配客户',
    access: ['customer:assign'],
    body: z.object({
      list: z
        .array(z.object(one))
        .min(1, { error: '请选择客户' })
        .max(MOST_ASSIGNED, { error: `一次最多 ${MOST_ASSIGNED} 位` })
        .meta({ title: '客户' }),
      /** Empty: by rule, whoever works in the same community first, then in turn. */
      to: uuid.nullable().default(null).meta({ title: '顾问' }),
    }),
    data: z.object({ list: z.array(z.object({ name: z.string(), to: z.string(), why: z.string() })) }),
  },
  hand: {
    method: 'POST',
    path: path('hand'),
    title: '转交客户',
    access: ['customer:assign'],
    body: z.object({ ...one, to: uuid.meta({ title: '顾问' }), reason }),
    data: nothing,
  },
  lose: {
    method: 'POST',
    path: path('lose'),
    title: '客户流失',
    access: ['customer:follow'],
    body: z.object({ ...one, why: lostReason.schema.meta({ title: '流失原因' }), reason }),
    data: nothing,
  },
  revive: {
    method: 'POST',
    path: path('revive'),
    title: '恢复跟进',
    access: ['customer:follow'],
    body: z.object(one),
    data: nothing,
  },
  refuse: {
    method: 'POST',
    path: path('refuse'),
    title: '登记拒绝联系',
    access: ['customer:follow'],
    body: z.object({ ...one, reason }),
    data: nothing,
  },
  accept: {
    method: 'POST',
    path: path('accept'),
    title: '登记可以联系',
    access: ['customer:follow'],
    body: z.object({ ...one, reason }),
    data: nothing,
  },
  /** Whoever takes money, or signs, is asked to: a card on the board sets no code. */
  ask: {
    method: 'POST',
    path: path('ask'),
    title: '请收定金或签约',
    access: ['customer:follow'],
    body: z.object({
      ...one,
      what: customerAsk.schema.meta({ title: '请' }),
      words: numberless(words('说明', 200)),
    }),
    data: z.object({ told: z.array(z.string()) }),
  },
  /** `id` goes into `into`; of the named fields its value is taken. */
  merge: {
    method: 'POST',
    path: path('merge'),
    title: '合并客户',
    access: ['customer:assign'],
    body: z.object({
      ...one,
      into: uuid.meta({ title: '保留的客户' }),
      intoVersion: version,
      take: z
        .array(
          z.enum([
            'name',
            'source',
            'community',
            'address',
            'area',
            'budget',
            'style',
            'store',
            'consultant',
          ]),
        )
        .max(9)
        .default([])
        .meta({ title: '采用的内容' }),
      reason,
    }),
    data: nothing,
  },
  export: {
    method: 'POST',
    path: path('export'),
    title: '导出客户',
    access: ['customer:export'],
    query,
    data: nothing,
    raw: true,
  },
})
