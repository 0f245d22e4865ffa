import { z } from 'zod'

import { defineApi, nothing } from '../../kit/api.ts'
import { reason, seen, typed, uploaded } from '../../kit/fields.ts'
import { commaList, day, flag, listQuery, optional, paged, uuid } from '../../kit/paging.ts'
import {
  personAsk,
  personDetail,
  personFound,
  personKind,
  personProof,
  personRow,
  personState,
} from './persons.record.ts'

const query = listQuery(['receivedAt', 'due'], {
  state: commaList(personState.schema).meta({ title: '进度' }),
  ask: commaList(personAsk.schema).meta({ title: '请求' }),
  kind: commaList(personKind.schema).meta({ title: '什么人' }),
  bc_id: commaList(uuid).meta({ title: '分公司' }),
  late: flag.meta({ title: '超期' }),
  id: optional(uuid).meta({ title: '请求' }),
})
const one = seen('请求')
const PAGE = ['page:PersonRequest']

export const personsApi = defineApi({
  list: {
    method: 'POST',
    path: '/osmcore/api/person/list',
    title: '个人信息请求',
    access: PAGE,
    query,
    data: paged(personRow),
  },
  details: {
    method: 'POST',
    path: '/osmcore/api/person/details',
    title: '请求详情',
    access: PAGE,
    query: z.object({ id: one.id }),
    data: personDetail,
  },
  /** By a whole number or a whole name; a visitor by day and site. */
  find: {
    method: 'POST',
    path: '/osmcore/api/person/find',
    title: '查找本人的记录',
    access: ['person:add'],
    query: z.object({
      kind: personKind.schema.meta({ title: '什么人' }),
      keyword: typed().max(40).default('').meta({ title: '姓名或电话' }),
      site_id: optional(uuid).meta({ title: '工地' }),
      day: optional(day).meta({ title: '日期' }),
    }),
    data: z.array(personFound),
  },
  add: {
    method: 'POST',
    path: '/osmcore/api/person/add',
    title: '登记请求',
    access: ['person:add'],
    body: z.object({
      ask: personAsk.schema.meta({ title: '请求' }),
      kind: personKind.schema.meta({ title: '什么人' }),
      subject_id: uuid.meta({ title: '本人的记录' }),
      words: typed()
        .min(2, { error: '请写明本人怎样提出的（至少 2 个字）' })
        .max(500, { error: '最多 500 个字' })
        .meta({ title: '本人怎样提出的' }),
    }),
    data: z.object({ id: z.string() }),
  },
  verify: {
    method: 'POST',
    path: '/osmcore/api/person/verify',
    title: '核实本人',
    access: ['person:verify'],
    body: z.object({
      ...one,
      proof: personProof.schema.meta({ title: '核实方式' }),
      paper: uploaded.nullable().default(null).meta({ title: '书面材料' }),
    }),
    data: nothing,
  },
  refuse: {
    method: 'POST',
    path: '/osmcore/api/person/refuse',
    title: '驳回请求',
    access: ['person:verify'],
    body: z.object({ ...one, reason }),
    data: nothing,
  },
  execute: {
    method: 'POST',
    path: '/osmcore/api/person/execute',
    title: '删除个人信息',
    access: ['person:execute'],
    body: z.object(one),
    data: nothing,
  },
  collect: {
    method: 'POST',
    path: '/osmcore/api/person/collect',
    title: '汇总个人信息',
    access: ['person:execute'],
    query: z.object({ id: one.id }),
    data: nothing,
    raw: true,
  },
  /** Of somebody whose data are restricted: the number, for a reason that stands in the log. */
  reveal: {
    method: 'POST',
    path: '/osmcore/api/person/reveal',
    title: '查看受限的联系方式',
    access: ['person:verify'],
    body: z.object({ id: one.id, reason }),
    data: z.array(z.object({ name: z.string(), phone: z.string() })),
  },
})
