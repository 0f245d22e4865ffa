import { correctionStatus, correctionStep } from '@zhuguan/contract/features/alarms/alarms.record.ts'
import { actionsOfSource } from '@zhuguan/contract/features/corrections/corrections.actions.ts'
import type { CorrectionSource } from '@zhuguan/contract/features/corrections/corrections.record.ts'
import type { SettingKey } from '@zhuguan/contract/features/settings/settings.record.ts'
import { hasPermission } from '@zhuguan/contract/kit/permits.ts'

import type { Tx } from '../../database/connect.ts'
import { correctionsPerson } from '../../kit/kept-from.ts'
import { actorAt } from '../../kit/reach.ts'
import { found, refuse } from '../../kit/refuse.ts'
import { row, uuid } from '../../kit/row.ts'
import type { Call } from '../../kit/serve.ts'
import { tell } from '../live/live.service.ts'
import { passTurn } from '../notifications/turns.service.ts'
import { dueAfter } from '../settings/business-time.reads.ts'
import {
  addCorrection,
  addCorrectionLog,
  addFound,
  addThreads,
  type LockedCorrection,
} from './corrections.queries.ts'
import {
  canCorrect,
  correctionHours,
  firstOf,
  namedIn,
  noticeOf,
  unlessAbout,
  whyOver,
} from './correctors.ts'
import { logState, state } from './telling.ts'

const { correcting, open } = correctionStatus.code
const { assigned } = correctionStep.code

export interface FoundProblem {
  source: Exclude<CorrectionSource, 'alarm'>
  /** The item of a patrol, the check: one correction each. */
  source_id: string
  site: { id: string; bc_id: string; ws_name: string }
  problem: string
  pictures: string[]
  /** Nobody: who leads the site and can correct, or nobody where none of them can. */
  assignee_id: string | null
  /** The person whom the feedback behind it is about, and from whom that is kept. */
  about_id?: string | null
  hidden_from?: string | null
  /** Without it, the branch's hours for what was found so. */
  dueAt?: Date | undefined
}
/** Somebody found something that must be put right; answers the correction's number. */
export async function openCorrection(tx: Tx, call: Call, p: FoundProblem): Promise<string> {
  const { id: me, nickname, tenant } = call.user
  // What an owner reports of a home that is finished is put right there all the same.
  if (p.source !== 'feedback') refuse(await whyOver(tx, tenant, p.site.id, '开出整改单'))
  const { about_id = null, hidden_from = null } = p
  const place = { site_id: p.site.id, source: p.source, about_id }
  if (p.assignee_id) unlessAbout(place, p.assignee_id)
  const assignee = p.assignee_id
    ? found(await canCorrect(tx, call, place, p.assignee_id))
    : await firstOf(tx, call, place)
  const id = call.newId()
  const c = {
    id,
    ...place,
    bc_id: p.site.bc_id,
    problem: p.problem,
    correctionStatus: assignee ? correcting : open,
    step: assignee ? assigned : null,
    assignee_id: assignee?.id ?? null,
  }
  const key: SettingKey = assignee ? `correctionHours.${p.source}` : 'answerHours'
  await addCorrection(tx, {
    tenant,
    ...c,
    bc: p.site.bc_id,
    site: p.site.id,
    source_id: p.source_id,
    pictures: p.pictures,
    dueAt: p.dueAt ?? (await dueAfter(tx, tenant, p.site.bc_id, key, call.now())),
    by: nickname,
  })
  await addCorrectionLog(tx, {
    tenant,
    id: call.newId(),
    correction: id,
    actor: nickname,
    action: '发现问题',
    text: assignee ? `指派给 ${assignee.nickname}` : '',
    pictures: p.pictures,
  })
  await logState(tx, call, c, { label: '开出整改单', after: state(c) })
  tell(tx, call, {
    topic: 'correction',
    bc: p.site.bc_id,
    site: p.site.id,
    id,
    except: hidden_from,
    line: { kind: 'correction', title: `${p.problem}：开出整改单`, picture: p.pictures[0] ?? null },
  })
  const what = `${p.site.ws_name} 的“${p.problem}”`
  await passTurn(tx, 'correction', assignee ? 'begin' : 'open', {
    ...noticeOf(c),
    tenant,
    actor: me,
    named: namedIn(c),
    title: assignee ? `${what}指派给您整改` : `${what}没有人可以整改，请指派`,
  })
  return id
}

/** What is said later of the check that it was opened for; it stays as it is until somebody cancels it. */
export async function noteJudged(
  tx: Tx,
  call: Call,
  c: { id: string; bc_id: string; site_id: string },
  said: { result: string; reason: string },
): Promise<void> {
  await addCorrectionLog(tx, {
    tenant: call.user.tenant,
    id: call.newId(),
    correction: c.id,
    actor: call.user.nickname,
    action: `整洁度已改判为${said.result}`,
    text: said.reason,
    pictures: [],
  })
  tell(tx, call, { topic: 'correction', bc: c.bc_id, site: c.site_id, id: c.id })
}

/** The first values of a drawer for assigning: who is likely meant, and when it would be due. */
export async function assignmentOf(
  tx: Tx,
  call: Call,
  c: Pick<
    LockedCorrection,
    'alarmType' | 'bc_id' | 'correctionStatus' | 'dueAt' | 'id' | 'site_id' | 'source'
  >,
) {
  const { user } = call
  const { assign } = actionsOfSource(c.source).table
  const isOpen = c.correctionStatus === open || c.correctionStatus === correcting
  if (!isOpen || !hasPermission(actorAt(user, c), assign.permission)) return null
  const { rows } = await tx.query(
    'corrections.steward',
    row({ id: uuid, about_id: uuid.null }),
    `SELECT w.steward_id AS id, ${correctionsPerson('k', 'about_id')} AS about_id
     FROM sites w
     JOIN corrections k ON k.tenant_id = $1 AND k.id = $3
     WHERE w.tenant_id = $1 AND w.id = $2 AND w.steward_id IS NOT NULL`,
    [user.tenant, c.site_id, c.id],
  )
  const steward = rows[0]
  const first = steward && (await canCorrect(tx, call, { ...c, ...steward }, steward.id))
  // Handed on, the clock runs on.
  if (c.correctionStatus === correcting) return { first: first ?? null, dueAt: c.dueAt }
  const due = await dueAfter(tx, user.tenant, c.bc_id, correctionHours(c), call.now())
  return { first: first ?? null, dueAt: Math.floor(due.getTime() / 1000) }
}

/** What the demo's people found, and what was said of it. */
export async function tellFound(
  tx: Tx,
  found: readonly object[],
  lines: Parameters<typeof tellThreads>[1],
): Promise<void> {
  await addFound(tx, found)
  await tellThreads(tx, lines)
}

/** The answers of the demo's people to what its cameras saw. */
export const tellThreads = (
  tx: Tx,
  lines: readonly {
    tenant_id: string
    id: string
    correction_id: string
    at: Date
    actor: string
    action: string
    text: string
    pictures: string[]
  }[],
) => addThreads(tx, lines)
