import { z } from 'zod'

import { defineApi, nothing } from '../../kit/api.ts'
import { reason, seen, uploaded } from '../../kit/fields.ts'
import { commaList, flag, listQuery, optional, paged, uuid } from '../../kit/paging.ts'
import { rankReason } from '../rankings/rankings.record.ts'
import { siteStage, tidinessResult } from '../sites/sites.record.ts'
import {
  itemVerdict,
  patrolDetail,
  patrolKind,
  patrolPlace,
  patrolRow,
  patrolStatus,
  wallCamera,
  wallSite,
} from './patrols.record.ts'

const instant = optional(z.coerce.number({ error: '时间应为秒数' }).int())
const query = listQuery(['at', 'distance', 'score', 'problems', 'status'], {
  kind: commaList(patrolKind.schema).meta({ title: '类型' }),
  bc_id: commaList(uuid).meta({ title: '分公司' }),
  site_id: optional(uuid).meta({ title: '工地' }),
  user_id: optional(uuid).meta({ title: '巡检人' }),
  /** Patrols of the account that belongs to this worker. */
  worker_id: optional(uuid).meta({ title: '管理人员' }),
  plan_id: optional(uuid).meta({ title: '计划' }),
  from: instant.meta({ title: '开始时间' }),
  to: instant.meta({ title: '结束时间' }),
  problems: flag.meta({ title: '有问题' }),
  /** A problem, or a site that is not tidy. */
  found: flag.meta({ title: '是否有收获' }),
  /** Patrols of sites that the morning's list named for it on that day or in the two days before. */
  reason: commaList(rankReason.schema).meta({ title: '该巡原因' }),
  place: commaList(patrolPlace.schema).meta({ title: '定位' }),
  status: commaList(patrolStatus.schema).meta({ title: '状态' }),
  id: optional(uuid).meta({ title: '巡检' }),
})
const problem = z
  .string()
  .trim()
  .min(2, { error: '请写明问题（至少 2 个字）' })
  .max(200)
  .meta({ title: '问题' })
const degrees = (title: string, most: number) =>
  z
    .number({ error: `${title}应为数字` })
    .min(-most)
    .max(most)
    .nullish()
    .meta({ title })

/** WGS-84, as a phone gives it. */
const where = {
  lng: degrees('经度', 180),
  lat: degrees('纬度', 90),
  accuracy: z.number().min(0).max(1_000_000).nullish().meta({ title: '定位精度' }),
}

export const patrolsApi = defineApi({
  list: {
    method: 'POST',
    path: '/osmcore/api/patrol/list',
    title: '巡检记录',
    access: ['page:PatrolRecord', 'page:ScenePatrol', 'page:SitePatrol', 'page:SitelongrangePatrol'],
    query,
    data: paged(patrolRow),
  },
  details: {
    method: 'POST',
    path: '/osmcore/api/patrol/details',
    title: '巡检详情',
    access: ['page:PatrolDetail', 'patrol:do'],
    query: z.object({ id: uuid.meta({ title: '巡检' }) }),
    data: patrolDetail,
  },
  /**
   * For an occurrence, or of a site with a template. The items are the patrol's own from here on. Begun again by the
   * same person, on whatever device, it is the same patrol. A place that is not given may still
   * come with a later beginning or when it is handed in.
   */
  begin: {
    method: 'POST',
    path: '/osmcore/api/patrol/begin',
    title: '开始巡检',
    access: ['patrol:do'],
    body: z.object({
      task_id: uuid.nullish().meta({ title: '巡检任务' }),
      site_id: uuid.nullish().meta({ title: '工地' }),
      template_id: uuid.nullish().meta({ title: '模板' }),
      ...where,
    }),
    data: patrolDetail,
  },
  /** All of it or nothing. The same again of the same person answers the same and does nothing. */
  submit: {
    method: 'POST',
    path: '/osmcore/api/patrol/submit',
    title: '提交巡检',
    access: ['patrol:do'],
    body: z.object({
      id: uuid.meta({ title: '巡检' }),
      remark: z.string().trim().max(500).default('').meta({ title: '总体说明' }),
      items: z
        .array(
          z.object({
            id: uuid.meta({ title: '检查项' }),
            verdict: itemVerdict.schema.meta({ title: '判定' }),
            remark: z.string().trim().max(200).default('').meta({ title: '说明' }),
            pictures: z
              .array(uploaded)
              .max(9, { error: '一项最多 9 张照片' })
              .default([])
              .meta({ title: '照片' }),
            /** Facts of a failed one, and of no other; its pictures are the item's. */
            correction: z
              .object({ problem, assignee_id: uuid.nullish().meta({ title: '责任人' }) })
              .nullish()
              .meta({ title: '整改' }),
          }),
        )
        .max(60)
        .meta({ title: '检查项' }),
      ...where,
    }),
    data: z.object({
      id: z.string(),
      number: z.string(),
      score: z.number().int().nullable(),
      problems: z.number().int(),
    }),
  },
  abandon: {
    method: 'POST',
    path: '/osmcore/api/patrol/abandon',
    title: '放弃巡检',
    access: ['patrol:do'],
    body: z.object({ ...seen('巡检'), reason }),
    data: nothing,
  },
  /** Begun and handed in at once: what a camera of the site shows now. */
  remote: {
    method: 'POST',
    path: '/osmcore/api/patrol/remote',
    title: '远程巡检',
    access: ['patrol:remote'],
    body: z.object({
      site_id: uuid.meta({ title: '工地' }),
      device_id: uuid.meta({ title: '摄像头' }),
      /** The still that was looked at, and when it was taken; of a live picture what the browser handed in of it. */
      picture: z
        .string()
        .regex(/^[A-Za-z0-9_-]{1,64}\.[a-z0-9]{2,4}$/, { error: '画面编号不正确' })
        .meta({ title: '画面' }),
      picture_at: z.number().int().meta({ title: '画面时间' }),
      /** The live view in which it was seen. */
      view: uuid.nullish().meta({ title: '直播' }),
      tidiness: tidinessResult.schema.meta({ title: '整洁度' }),
      problems: z
        .array(z.object({ text: problem }))
        .max(20)
        .default([])
        .meta({ title: '问题' }),
      remark: z.string().trim().max(500).default('').meta({ title: '说明' }),
      task_id: uuid.nullish().meta({ title: '巡检任务' }),
    }),
    data: z.object({ id: z.string(), number: z.string(), problems: z.number().int() }),
  },
  /** Sites that were not looked at the longest come first; `next` is where the following page begins. */
  wall: {
    method: 'POST',
    path: '/osmcore/api/patrol/wall',
    title: '远程巡检墙',
    access: ['patrol:remote'],
    query: z.object({
      bc_id: commaList(uuid).meta({ title: '分公司' }),
      stage: commaList(siteStage.schema).meta({ title: '阶段' }),
      site_id: optional(uuid).meta({ title: '工地' }),
      /** Only what waits for a remote patrol today. */
      due: flag.meta({ title: '今天待巡检' }),
      /** Not looked at by camera since then. */
      before: instant.meta({ title: '上次巡检早于' }),
      after: optional(z.string().regex(/^\d{1,12}:[0-9a-f-]{36}$/, { error: '翻页位置不正确' })),
      pageSize: z.coerce.number().int().min(1).max(50).default(16).meta({ title: '每页条数' }),
    }),
    data: z.object({
      list: z.array(wallSite),
      next: z.string().nullable(),
      /** Cameras that are online have a live picture. */
      live: z.boolean(),
      /** Of the filters: sites with a camera, those that a remote patrol saw today, those still due today and, among
          them, those where it should have been done by now. */
      progress: z.object({
        sites: z.number().int(),
        seen: z.number().int(),
        due: z.number().int(),
        over: z.number().int(),
      }),
    }),
  },
  /** Streams of these cameras now; those out of reach are left out. */
  stills: {
    method: 'POST',
    path: '/osmcore/api/patrol/stills',
    title: '最新画面',
    access: ['patrol:remote'],
    query: z.object({
      ids: commaList(uuid).meta({ title: '摄像头' }),
    }),
    data: z.array(wallCamera),
  },
  export: {
    method: 'POST',
    path: '/osmcore/api/patrol/export',
    title: '导出巡检记录',
    access: ['patrol:export'],
    query,
    data: nothing,
    raw: true,
  },
})
