import { z } from 'zod'

import { defineCodes } from '../../kit/codes.ts'
import { logged } from '../../kit/logged.ts'
import {
  alarmLog,
  alarmType,
  cancelReason,
  correctionStatus,
  correctionStep,
} from '../alarms/alarms.record.ts'
import { tidinessResult } from '../sites/sites.record.ts'

/** The source that found it. */
export const correctionSource = defineCodes('correctionSource', '来源', {
  alarm: ['alarm', '报警'],
  patrol: ['patrol', '巡检'],
  tidiness: ['tidiness', '整洁度'],
  feedback: ['feedback', '业主反馈'],
})
export type CorrectionSource = (typeof correctionSource.values)[number]
/** The thing that it waits for, and with that whose turn it is. */
export const correctionTurn = defineCodes('correctionTurn', '等待', {
  assign: ['assign', '等指派'],
  correct: ['correct', '等整改'],
  verify: ['verify', '等复核'],
  answer: ['answer', '等答复申诉'],
  none: ['none', '--'],
})
export type CorrectionTurn = (typeof correctionTurn.values)[number]

export const correctionRow = z.object({
  id: z.string(),
  /** To be read out and written down; the record's key is `id`. */
  no: z.string(),
  source: correctionSource.schema,
  /** The alarm, the item of a patrol or the check that it answers. */
  source_id: z.string(),
  problem: z.string(),
  /** Of what was found. */
  picture: z.string().nullable(),
  alarmType: alarmType.schema.nullable(),
  site_id: z.string(),
  siteName: z.string(),
  bc_id: z.string(),
  bc_name: z.string(),
  at: z.number().int(),
  correctionStatus: correctionStatus.schema,
  step: correctionStep.schema.nullable(),
  round: z.number().int(),
  disputed: z.boolean(),
  turn: correctionTurn.schema,
  assignee_id: z.string().nullable(),
  assigneeName: z.string(),
  /** The one who corrected; may not verify (docs/states.md). */
  corrector_id: z.string().nullable(),
  /** The person who corrected in this or an earlier round. */
  corrector_ids: z.array(z.string()),
  verifiedBy: z.string(),
  /** The end of the clock that runs now: to be assigned while it is open, to be corrected after that. */
  dueAt: z.number().int().nullable(),
  closedAt: z.number().int().nullable(),
  /** A closed one may be opened again until then: the branch's days (setting `reopenDays`). */
  reopenUntil: z.number().int().nullable(),
  urgedAt: z.number().int().nullable(),
  version: z.number().int(),
})
export type CorrectionRow = z.output<typeof correctionRow>

export const correctionDetail = correctionRow.extend({
  pictures: z.array(z.string()),
  /** What the check that found it says now: somebody may have judged it anew. */
  tidiness: tidinessResult.schema.nullable(),
  /** The patrol that found it. */
  patrol_id: z.string().nullable(),
  log: z.array(alarmLog),
  photos: z.array(
    z.object({ key: z.string(), uploadedAt: z.number().int(), takenAt: z.number().int().nullable() }),
  ),
  /** For who may assign it: who leads the site and can correct, and when it would then be due. */
  assign: z
    .object({
      first: z.object({ id: z.string(), nickname: z.string() }).nullable(),
      dueAt: z.number().int().nullable(),
    })
    .nullable(),
})

/** The user log\'s names for the fields of a correction. */
export const correctionUserLog = logged('整改单', {
  problem: ['问题', 'personal'],
  site_id: ['工地', 'site'],
  source: ['来源', correctionSource],
  correctionStatus: ['整改状态', correctionStatus],
  step: ['步骤', correctionStep],
  assignee_id: ['责任人', 'user'],
  cause: ['取消原因', cancelReason],
  text: ['说明', 'personal'],
})
