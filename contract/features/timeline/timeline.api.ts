import { z } from 'zod'

import { defineApi } from '../../kit/api.ts'
import { defineCodes } from '../../kit/codes.ts'
import { commaList, optional, uuid } from '../../kit/paging.ts'
import { correctionStatus } from '../alarms/alarms.record.ts'

/** Everything that happened on a site, on one line of time (pages.yaml, SiteInfo). */
export const timelineKind = defineCodes('timelineKind', '事件', {
  clockin: ['clockin', '打卡'],
  alarm: ['alarm', '报警'],
  correction: ['correction', '整改'],
  tidiness: ['tidiness', '整洁度'],
  visitor: ['visitor', '访客'],
  violation: ['violation', '违规'],
  promise: ['promise', '承诺'],
  warning: ['warning', '预警'],
  feedback: ['feedback', '反馈'],
  patrol: ['patrol', '巡检'],
  device: ['device', '设备'],
  site: ['site', '工地'],
  contract: ['contract', '合同'],
  delivery: ['delivery', '到货'],
  owner: ['owner', '业主'],
})
export type TimelineKind = (typeof timelineKind.values)[number]
/** The subject of a line of an alarm or of a check. */
export const logType = defineCodes('logType', '标记', {
  smoking: ['smoking', '抽烟'],
  noclothes: ['noclothes', '未穿工服'],
  cameraproblem: ['cameraproblem', '摄像头偏移'],
  excellent: ['excellent', '整洁优'],
  good: ['good', '整洁良'],
  poor: ['poor', '整洁差'],
})
export const timelineEvent = z.object({
  id: z.string(),
  kind: timelineKind.schema,
  at: z.number().int(),
  title: z.string(),
  actor: z.string(),
  ref_id: z.string().nullable(),
  picture: z.string().nullable(),
  mark: logType.schema.nullable(),
  /** The state of an alarm and of a correction as they stand now. */
  state: correctionStatus.schema.nullable(),
})
export type TimelineEvent = z.output<typeof timelineEvent>

export const timelineApi = defineApi({
  list: {
    method: 'POST',
    path: '/osmcore/api/site/timeline',
    title: '工地时间线',
    access: ['page:SiteInfo'],
    query: z.object({
      site_id: uuid.meta({ title: '工地' }),
      kinds: commaList(timelineKind.schema).meta({ title: '事件' }),
      marks: commaList(logType.schema).meta({ title: '标记' }),
      from: optional(z.coerce.number().int()).meta({ title: '开始时间' }),
      to: optional(z.coerce.number().int()).meta({ title: '结束时间' }),
      /** Keyset: events before this one, `at:id` as the answer's `next` gave it. */
      before: optional(z.string().regex(/^\d{1,12}:[0-9a-f-]{36}$/, { error: '翻页位置不正确' })),
    }),
    data: z.object({
      list: z.array(timelineEvent),
      next: z.string().nullable(),
      perDay: z.array(z.object({ day: z.string(), count: z.number().int() })),
    }),
  },
})
