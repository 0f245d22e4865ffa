import { z } from 'zod'

import { defineApi, nothing } from '../../kit/api.ts'
import { reason, seen, typed, uploaded, words } from '../../kit/fields.ts'
import { commaList, day, flag, keyword, listQuery, optional, paged, uuid } from '../../kit/paging.ts'
import { consentAnswer, consentHow } from '../consents/consents.record.ts'
import {
  caseCrop,
  caseDetail,
  caseLack,
  caseMask,
  casePossible,
  caseProposal,
  caseRow,
  caseScope,
  caseState,
  caseWhere,
  fieldCase,
  MOST_MASKS,
  MOST_PICTURES,
  MOST_ZONES,
} from './cases.record.ts'

const query = listQuery(['changedAt', 'until', 'title', 'openings'], {
  keyword,
  state: commaList(caseState.schema).meta({ title: '状态' }),
  style: optional(z.string().max(30)).meta({ title: '风格' }),
  layout: optional(z.string().max(30)).meta({ title: '户型' }),
  bc_id: commaList(uuid).meta({ title: '分公司' }),
  site_id: optional(uuid).meta({ title: '工地' }),
  /** Only what is one step from being shown. */
  soon: flag.meta({ title: '今天可以发布' }),
  lack: optional(caseLack.schema).meta({ title: '还差' }),
  id: optional(uuid).meta({ title: '案例' }),
})
const one = seen('案例')
const picture = seen('照片')
const site_id = uuid.meta({ title: '工地' })
const title = typed()
  .min(2, { error: '标题至少 2 个字' })
  .max(30, { error: '标题最多 30 个字' })
  .meta({ title: '标题' })
const keys = z.array(uploaded).max(MOST_PICTURES, { error: `最多 ${MOST_PICTURES} 张照片` })
const READERS = ['page:CaseList']

export const casesApi = defineApi({
  list: {
    method: 'POST',
    path: '/osmcore/api/case/list',
    title: '案例管理',
    access: READERS,
    query,
    data: paged(caseRow),
  },
  details: {
    method: 'POST',
    path: '/osmcore/api/case/details',
    title: '案例详情',
    access: READERS,
    query: z.object({ id: one.id }),
    data: caseDetail,
  },
  /** How many are one step from being shown, what the filters offer, and sites that propose themselves. */
  proposals: {
    method: 'POST',
    path: '/osmcore/api/case/proposals',
    title: '可以发布的案例',
    access: READERS,
    query: z.object({}),
    data: z.object({
      ready: z.number().int(),
      lackConsent: z.number().int(),
      lackMasks: z.number().int(),
      styles: z.array(z.string()),
      layouts: z.array(z.string()),
      sites: z.array(caseProposal),
    }),
  },
  /** Pictures of a site that may be taken into its case. */
  possible: {
    method: 'POST',
    path: '/osmcore/api/case/possible',
    title: '可选的照片',
    access: ['case:add', 'case:edit'],
    query: z.object({ site_id }),
    data: z.array(casePossible),
  },
  add: {
    method: 'POST',
    path: '/osmcore/api/case/add',
    title: '从工地生成案例',
    access: ['case:add'],
    body: z.object({
      site_id,
      title,
      words: words('文字', 500),
      pictures: keys.default([]).meta({ title: '照片' }),
    }),
    data: z.object({ id: z.string() }),
  },
  /** Its words, and which pictures of the site it has; one that stays keeps its masks. */
  edit: {
    method: 'POST',
    path: '/osmcore/api/case/edit',
    title: '编辑案例',
    access: ['case:edit'],
    body: z.object({
      ...one,
      title,
      words: words('文字', 500),
      pictures: keys.meta({ title: '照片' }),
    }),
    data: nothing,
  },
  ask: {
    method: 'POST',
    path: '/osmcore/api/case/ask',
    title: '征求业主同意',
    access: ['case:edit'],
    body: z.object({
      ...one,
      scope: z
        .array(caseScope.schema)
        .min(1, { error: '请选择公开哪些内容' })
        .max(caseScope.values.length)
        .meta({ title: '公开内容' }),
      places: z
        .array(caseWhere.schema)
        .min(1, { error: '请选择在哪里公开' })
        .max(caseWhere.values.length)
        .meta({ title: '公开场合' }),
      until: day.meta({ title: '授权到' }),
    }),
    data: nothing,
  },
  /** An answer that somebody of the home gave on paper, or to somebody's face. */
  answer: {
    method: 'POST',
    path: '/osmcore/api/case/answer',
    title: '登记业主答复',
    access: ['case:edit'],
    body: z.object({
      ...one,
      contact_id: uuid.meta({ title: '联系人' }),
      answer: consentAnswer.schema.meta({ title: '答复' }),
      how: consentHow.schema.meta({ title: '答复方式' }),
      answeredOn: day.meta({ title: '答复日期' }),
      proof: uploaded.nullable().default(null).meta({ title: '凭证照片' }),
    }),
    data: nothing,
  },
  revise: {
    method: 'POST',
    path: '/osmcore/api/case/revise',
    title: '收回征求',
    access: ['case:edit'],
    body: z.object({ ...one, reason }),
    data: nothing,
  },
  withdraw: {
    method: 'POST',
    path: '/osmcore/api/case/withdraw',
    title: '登记撤回同意',
    access: ['case:edit'],
    body: z.object({ ...one, reason }),
    data: nothing,
  },
  publish: {
    method: 'POST',
    path: '/osmcore/api/case/publish',
    title: '上架案例',
    access: ['case:publish'],
    body: z.object(one),
    data: nothing,
  },
  takeDown: {
    method: 'POST',
    path: '/osmcore/api/case/takedown',
    title: '下架案例',
    access: ['case:publish'],
    body: z.object({ ...one, reason }),
    data: nothing,
  },
  /** Masks are burnt into a file of its own; what was released before is not any more. */
  mask: {
    method: 'POST',
    path: '/osmcore/api/case/mask',
    title: '照片打码',
    access: ['case:mask'],
    work: 'upload',
    body: z.object({
      ...picture,
      turn: z.union([z.literal(0), z.literal(90), z.literal(180), z.literal(270)]).meta({ title: '旋转' }),
      masks: z
        .array(caseMask)
        .max(MOST_MASKS, { error: `最多 ${MOST_MASKS} 处` })
        .meta({ title: '打码' }),
      /** What is left of it, of the picture as it was looked at. */
      crop: caseCrop.nullable().default(null).meta({ title: '裁剪' }),
      /** Somebody has looked and there is nothing to be covered. */
      clear: z.boolean().default(false).meta({ title: '没有要打码的' }),
    }),
    data: nothing,
  },
  /** What the camera of this picture never shows, of all its pictures of the same view; none: there is nothing. */
  zones: {
    method: 'POST',
    path: '/osmcore/api/case/zones',
    title: '设定机位固定遮挡',
    access: ['case:mask'],
    body: z.object({
      ...picture,
      masks: z
        .array(caseMask)
        .max(MOST_ZONES, { error: `一个机位最多固定 ${MOST_ZONES} 处` })
        .meta({ title: '固定遮挡' }),
    }),
    data: nothing,
  },
  release: {
    method: 'POST',
    path: '/osmcore/api/case/release',
    title: '放行照片',
    access: ['case:release'],
    body: z.object(picture),
    data: nothing,
  },
  pull: {
    method: 'POST',
    path: '/osmcore/api/case/pull',
    title: '撤下照片',
    access: ['case:mask', 'case:release'],
    body: z.object({ ...picture, reason }),
    data: nothing,
  },
  /**
   * Bytes of a rendition: of a case in reach, or of one that is public in the store. Below the address of pictures, for
   * which browsers hold the session's cookie.
   */
  picture: {
    method: 'GET',
    path: '/user/api/file/get/case',
    title: '案例照片',
    access: ['page:CaseList', 'page:CaseField'],
    raw: true,
    shown: true,
    data: nothing,
    query: z.object({
      key: z.string().regex(/^[0-9a-f-]{36}\.jpg$/, { error: '文件编号不正确' }),
      size: z.enum(['thumb', 'medium', 'full']).default('full'),
      viewer: z
        .string()
        .regex(/^[0-9a-f]{16}$/, { error: '查看人不正确' })
        .optional(),
    }),
  },
  /** The showroom: every case of the group that may be shown in a store. */
  field: {
    method: 'POST',
    path: '/osmcore/api/case/field',
    title: '案例工地',
    access: ['page:CaseField'],
    query: z.object({}),
    data: z.object({ at: z.number().int(), list: z.array(fieldCase) }),
  },
  export: {
    method: 'POST',
    path: '/osmcore/api/case/export',
    title: '导出案例',
    access: ['case:export'],
    query,
    data: nothing,
    raw: true,
  },
})
