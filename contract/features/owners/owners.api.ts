import { z } from 'zod'

import { defineApi, nothing } from '../../kit/api.ts'
import { phone, reason, seen, typed } from '../../kit/fields.ts'
import { commaList, flag, keyword, listQuery, optional, paged, uuid } from '../../kit/paging.ts'
import { questionWait } from '../questions/questions.record.ts'
import { siteStatus } from '../sites/sites.record.ts'
import { homeVideo } from './home-video-state.record.ts'
import { contactRelation, homeDetail, homeRow, homeWaits, promisesAfter } from './owners.record.ts'

const SORTABLE = [
  'ownerName',
  'code',
  'since',
  'urgentAt',
  'waitingSince',
  'complaints',
  'promises',
  'score',
] as const
const query = listQuery(SORTABLE, {
  keyword,
  bc_id: commaList(uuid).meta({ title: '分公司' }),
  steward_id: optional(uuid).meta({ title: '管家' }),
  status: commaList(siteStatus.schema).meta({ title: '工地状态' }),
  video: optional(homeVideo.schema).meta({ title: '视频授权' }),
  waits: optional(homeWaits.schema).meta({ title: '待处理' }),
  waiting: flag.meta({ title: '未回复互动' }),
  question: optional(questionWait.schema).meta({ title: '待业主决定' }),
  complaint: flag.meta({ title: '未结投诉' }),
  promise: flag.meta({ title: '到期承诺' }),
  id: optional(uuid).meta({ title: '工地' }),
})
const name = typed()
  .min(1, { error: '请填写姓名' })
  .max(20, { error: '姓名最多 20 个字' })
  .meta({ title: '姓名' })
const site_id = uuid.meta({ title: '工地' })
/** A command on a contact of a home. */
const one = z.object(seen('联系人'))
const relation = contactRelation.schema.meta({ title: '关系' })

export const ownersApi = defineApi({
  list: {
    method: 'POST',
    path: '/osmcore/api/owner/list',
    title: '业主列表',
    access: ['page:OwnerList'],
    query,
    data: paged(homeRow),
  },
  details: {
    method: 'POST',
    path: '/osmcore/api/owner/details',
    title: '业主信息',
    access: ['page:OwnerInfo'],
    query: z.object({ site_id }),
    data: homeDetail,
  },
  /** The first owner of a site that has none. */
  add: {
    method: 'POST',
    path: '/osmcore/api/owner/add',
    title: '新增业主',
    access: ['owner:edit'],
    body: z.object({ site_id, name, phone: phone('电话').default('') }),
    data: nothing,
  },
  /** The same person, whose name or number was written wrong or is a new one. */
  correct: {
    method: 'POST',
    path: '/osmcore/api/owner/correct',
    title: '更正业主',
    access: ['owner:edit'],
    body: one.extend({
      name,
      /** Nobody reads the whole number in a form: empty, it stays as it is. */
      phone: phone('电话').default(''),
      reason,
    }),
    data: nothing,
  },
  /** Another person: the home was sold, or passed on. */
  change: {
    method: 'POST',
    path: '/osmcore/api/owner/change',
    title: '更换业主',
    access: ['owner:change'],
    body: one.extend({
      name,
      phone: phone('电话').default(''),
      /** Has to be said where promises are open. */
      promises: promisesAfter.schema.optional().meta({ title: '原来的承诺' }),
      reason,
    }),
    data: nothing,
  },
  addContact: {
    method: 'POST',
    path: '/osmcore/api/owner/addcontact',
    title: '新增联系人',
    access: ['owner:edit'],
    body: z.object({ site_id, name, relation, phone: phone('电话').default('') }),
    data: z.object({ id: z.string() }),
  },
  editContact: {
    method: 'POST',
    path: '/osmcore/api/owner/editcontact',
    title: '编辑联系人',
    access: ['owner:edit'],
    body: one.extend({ name, relation, phone: phone('电话').default('') }),
    data: nothing,
  },
  endContact: {
    method: 'POST',
    path: '/osmcore/api/owner/endcontact',
    title: '移除联系人',
    access: ['owner:edit'],
    body: one.extend({ reason }),
    data: nothing,
  },
  /** A contact's number, for a reason; every look is in the log. */
  phone: {
    method: 'POST',
    path: '/osmcore/api/owner/phone',
    title: '查看联系人电话',
    access: ['owner:phone'],
    body: z.object({ id: uuid.meta({ title: '联系人' }), reason }),
    data: z.object({ phone: z.string() }),
  },
  export: {
    method: 'POST',
    path: '/osmcore/api/owner/export',
    title: '导出业主',
    access: ['owner:export'],
    query,
    data: nothing,
    raw: true,
  },
})
