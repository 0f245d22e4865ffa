import { z } from 'zod'

import { defineCodes } from '../../kit/codes.ts'
import { logged } from '../../kit/logged.ts'
import { correctionStatus } from '../alarms/alarms.record.ts'
import { tidinessResult } from '../sites/sites.record.ts'

/** The one who looked: the camera by itself, or somebody on a patrol. */
export const tidinessSource = defineCodes('tidinessSource', '来源', {
  camera: ['camera', '摄像头'],
  patrol: ['patrol', '巡检'],
})
/** Beside the verdict before of the same camera on the same site. */
export const tidinessChange = defineCodes('tidinessChange', '较上次', {
  better: ['better', '变好'],
  same: ['same', '持平'],
  worse: ['worse', '变差'],
  first: ['first', '首次'],
})
/** The group in which checks are summed up. A person's are those of the sites that they lead now. */
export const tidinessBy = defineCodes('tidinessBy', '分组', {
  branch: ['branch', '分公司'],
  site: ['site', '工地'],
  manager: ['manager', '项目经理'],
  steward: ['steward', '项目管家'],
})

export const tidinessRow = z.object({
  id: z.string(),
  picture: z.string().nullable(),
  site_id: z.string(),
  siteName: z.string(),
  bc_id: z.string(),
  bc_name: z.string(),
  device_id: z.string().nullable(),
  deviceSn: z.string(),
  at: z.number().int(),
  /** The verdict that counts: the one given at first, or what somebody made of it since. */
  result: tidinessResult.schema,
  source: tidinessSource.schema,
  confidence: z.number().nullable(),
  /** Nothing of a check that is no verdict: its camera was skewed. */
  change: tidinessChange.schema.nullable(),
  /** The verdict before of the same camera. */
  lastResult: tidinessResult.schema.nullable(),
  /** The first result of one that was judged anew. */
  given: tidinessResult.schema.nullable(),
  judgedBy: z.string(),
  judgedAt: z.number().int().nullable(),
  /** The correction that it led to. */
  correction_id: z.string().nullable(),
  correctionStatus: correctionStatus.schema.nullable(),
  /** A person said of the same picture what counts; this does not. */
  replaced: z.boolean(),
  version: z.number().int(),
})
export type TidinessRow = z.output<typeof tidinessRow>

export const tidinessDetail = tidinessRow.extend({
  managerName: z.string(),
  stewardName: z.string(),
  /** The picture before of the same camera on the same site. */
  before: z
    .object({
      id: z.string(),
      at: z.number().int(),
      result: tidinessResult.schema,
      picture: z.string(),
    })
    .nullable(),
  /** Newest first. */
  history: z.array(
    z.object({
      at: z.number().int(),
      actor: z.string(),
      was: tidinessResult.schema,
      result: tidinessResult.schema,
      reason: z.string(),
    }),
  ),
})

/** So many minutes before and after a time that a branch has set a check is that one's. */
export const SCHEDULE_GRACE = 30
/** A site that was to be checked at a time of today and was not. */
export const missedCheck = z.object({
  /** As the branch has set it, 09:00. */
  time: z.string(),
  site_id: z.string(),
  siteName: z.string(),
  bc_id: z.string(),
  bc_name: z.string(),
  /** Its cameras, and those of them that are online. */
  cameras: z.number().int(),
  online: z.number().int(),
  lastAt: z.number().int().nullable(),
})
export type MissedCheck = z.output<typeof missedCheck>

const verdicts = {
  /** Verdicts; what a skewed camera saw is none. */
  n: z.number().int(),
  excellent: z.number().int(),
  good: z.number().int(),
  poor: z.number().int(),
}
export const tidinessTrend = z.object({
  /** Days, both included. */
  from: z.string(),
  to: z.string(),
  /** Days, or weeks from Monday where there are many. */
  periods: z.array(z.object({ from: z.string(), to: z.string(), ...verdicts })),
  total: z.object(verdicts),
  /** Checks of skewed cameras, which stand in no other figure. */
  skewed: z.number().int(),
  /** The most untidy first; the first day of the second half is `middle`. */
  middle: z.string(),
  groups: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      beside: z.string(),
      ...verdicts,
      /** The first half and the second. */
      early: z.object({ n: z.number().int(), excellent: z.number().int() }),
      late: z.object({ n: z.number().int(), excellent: z.number().int() }),
    }),
  ),
  groupsTotal: z.number().int(),
})

/** The user log\'s names for the fields of a check. */
export const tidinessLog = logged('整洁度检查', {
  site_id: ['工地', 'site'],
  at: ['检查时间', 'time'],
  result: ['结果', tidinessResult],
})
