import { z } from 'zod'

import { defineCodes } from '../../kit/codes.ts'
import { logged } from '../../kit/logged.ts'
import { correctionStatus } from '../alarms/alarms.record.ts'
import { tidinessResult } from '../sites/sites.record.ts'

/** On the site by one's own will, at the camera, or on the site because a plan says so. */
export const patrolKind = defineCodes('patrolKind', '巡检类型', {
  scene: ['scene', '现场'],
  remote: ['remote', '远程'],
  plan: ['plan', '计划'],
})
export type PatrolKind = (typeof patrolKind.values)[number]
export const patrolStatus = defineCodes('patrolStatus', '状态', {
  begun: [1, '进行中'],
  submitted: [2, '已提交'],
  abandoned: [3, '已放弃'],
})
/** The place where its inspector stood when it began, beside the site's. */
export const patrolPlace = defineCodes('patrolPlace', '定位', {
  near: ['near', '在工地'],
  far: ['far', '偏离工地'],
  unknown: ['unknown', '未定位'],
})
export const itemVerdict = defineCodes('itemVerdict', '判定', {
  passed: ['passed', '合格'],
  failed: ['failed', '不合格'],
  none: ['none', '不适用'],
})

/** What is still missing of an item's verdict before the patrol can be handed in. */
export type Lack = 'verdict' | 'why' | 'problem' | 'photo'
export function lackOf(
  item: { photo: boolean },
  said: {
    verdict: (typeof itemVerdict.values)[number] | null
    remark: string
    problem: string
    photos: number
  },
): Lack | undefined {
  const { failed, none } = itemVerdict.code
  if (said.verdict === null) return 'verdict'
  if (said.verdict === none && said.remark.trim().length < 2) return 'why'
  if (said.verdict === failed && said.problem.trim().length < 2) return 'problem'
  if (said.photos === 0 && (said.verdict === failed || (item.photo && said.verdict !== none))) return 'photo'
  return undefined
}

/** Further from the site than this is marked; the patrol counts all the same. */
export const FAR_METRES = 500
/** Where somebody stood when a patrol began is kept so many days. */
export const PLACE_DAYS = 90
/** An older still says nothing of how the site is now. */
export const STILL_MINUTES = 30
/** So long after its window an occurrence may still be done, late; then it is missed. */
export const GRACE_HOURS = 24

/** The weighted share of what passed among the items that apply, in hundredths; nothing where none applies. */
export function scoreOf(items: readonly { verdict: string | null; weight: number }[]): number | null {
  const weigh = (verdict: string) =>
    items.filter((i) => i.verdict === verdict).reduce((sum, i) => sum + i.weight, 0)
  const passed = weigh(itemVerdict.code.passed)
  const all = passed + weigh(itemVerdict.code.failed)
  return all === 0 ? null : Math.round((passed / all) * 100)
}

/** A patrol's outcome, in a line. */
export const lineOf = (p: { kind: PatrolKind; score: number | null; problems: number }): string =>
  [
    `${patrolKind.label(p.kind)}巡检`,
    ...(p.score === null ? [] : [`${p.score} 分`]),
    p.problems > 0 ? `${p.problems} 个问题` : '没有问题',
  ].join('，')

/** One thing to look at. */
export const templateItem = z.object({
  title: z.string().trim().min(2, { error: '检查项至少 2 个字' }).max(40).meta({ title: '检查项' }),
  hint: z.string().trim().max(200).default('').meta({ title: '怎样算合格' }),
  weight: z.coerce
    .number({ error: '权重应为数字' })
    .int({ error: '权重应为整数' })
    .min(1, { error: '权重在 1–10 之间' })
    .max(10, { error: '权重在 1–10 之间' })
    .meta({ title: '权重' }),
  /** Judged without a picture it is refused. */
  photo: z.boolean().default(false).meta({ title: '必须拍照' }),
})
export type TemplateItem = z.output<typeof templateItem>

const correctionOf = z.object({
  id: z.string(),
  status: correctionStatus.schema,
  assigneeName: z.string(),
  dueAt: z.number().int().nullable(),
})
/** An item as it stood in the template when the patrol began, and what was found. */
export const patrolItem = z.object({
  id: z.string(),
  ...templateItem.shape,
  hint: z.string(),
  photo: z.boolean(),
  verdict: itemVerdict.schema.nullable(),
  remark: z.string(),
  pictures: z.array(z.string()),
  /** The problem that is to be put right; empty where it did not fail. */
  problem: z.string(),
  correction: correctionOf.nullable(),
})
export type PatrolItem = z.output<typeof patrolItem>

export const patrolRow = z.object({
  id: z.string(),
  number: z.string(),
  kind: patrolKind.schema,
  site_id: z.string(),
  siteName: z.string(),
  bc_id: z.string(),
  bc_name: z.string(),
  inspector_id: z.string(),
  inspectorName: z.string(),
  begunAt: z.number().int(),
  /** When it was handed in; null before. */
  submittedAt: z.number().int().nullable(),
  place: patrolPlace.schema,
  /** Metres from the site. */
  distance: z.number().int().nullable(),
  score: z.number().int().nullable(),
  problems: z.number().int(),
  /** Problems whose correction is not over. */
  unfixed: z.number().int(),
  status: patrolStatus.schema,
  templateName: z.string(),
  task_id: z.string().nullable(),
  plan_id: z.string().nullable(),
  planName: z.string(),
  /** Its plan was stopped meanwhile. */
  planStopped: z.boolean(),
  /** The camera and the verdict of a remote one. */
  device_id: z.string().nullable(),
  deviceSn: z.string(),
  tidiness: tidinessResult.schema.nullable(),
  version: z.number().int(),
})
export type PatrolRow = z.output<typeof patrolRow>

export const patrolDetail = patrolRow.extend({
  /** GCJ-02, as the site's own position is. */
  lng: z.number().nullable(),
  lat: z.number().nullable(),
  /** Metres, as the phone said. */
  accuracy: z.number().nullable(),
  siteLng: z.number().nullable(),
  siteLat: z.number().nullable(),
  address: z.string(),
  remark: z.string(),
  /** The reason why it was abandoned. */
  reason: z.string(),
  /** Of a remote one: the still that was judged. */
  picture: z.string().nullable(),
  pictureAt: z.number().int().nullable(),
  /** Until when its occurrence is on time. */
  closesAt: z.number().int().nullable(),
  items: z.array(patrolItem),
  /** The last three before it of the same site and kind, newest first. */
  before: z.array(
    z.object({
      id: z.string(),
      number: z.string(),
      submittedAt: z.number().int(),
      inspectorName: z.string(),
      score: z.number().int().nullable(),
      problems: z.number().int(),
      tidiness: tidinessResult.schema.nullable(),
      picture: z.string().nullable(),
      items: z.array(z.object({ title: z.string(), verdict: itemVerdict.schema.nullable() })),
    }),
  ),
})
export type PatrolDetail = z.output<typeof patrolDetail>

/** A camera with its newest still and when that was taken. */
export const wallCamera = z.object({
  id: z.string(),
  sn: z.string(),
  deviceStatus: z.number().int(),
  picture: z.string().nullable(),
  pictureAt: z.number().int().nullable(),
  /** The reason why nobody looks through it now, and then no picture; empty where somebody may. */
  noLook: z.string(),
})
export type WallCamera = z.output<typeof wallCamera>
/** A site as the wall shows it. */
export const wallSite = z.object({
  id: z.string(),
  ws_name: z.string(),
  bc_id: z.string(),
  bc_name: z.string(),
  stage: z.string().nullable(),
  managerName: z.string(),
  cameras: z.array(wallCamera),
  /** When it was last patrolled, in each way. */
  lastScene: z.number().int().nullable(),
  lastRemote: z.number().int().nullable(),
  lastPlan: z.number().int().nullable(),
  openCorrections: z.number().int(),
  /** Today's occurrences; `mine` is for the reader to do. */
  tasks: z.array(
    z.object({
      id: z.string(),
      kind: patrolKind.schema,
      planName: z.string(),
      state: z.number().int(),
      opensAt: z.number().int(),
      closesAt: z.number().int(),
      mine: z.boolean(),
    }),
  ),
})
export type WallSite = z.output<typeof wallSite>

/** The user log\'s names for the fields of a patrol. */
export const patrolLog = logged('巡检', {
  site_id: ['工地', 'site'],
  number: '编号',
  kind: ['类型', patrolKind],
  template: '模板',
  status: ['状态', patrolStatus],
  place: ['定位', patrolPlace],
  distance: '偏差（米）',
  score: '得分',
  problems: '问题数',
  tidiness: ['整洁度', tidinessResult],
})
