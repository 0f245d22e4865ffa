import {
  type CancelReason,
  cancelReason,
  correctionStatus,
  correctionStep,
} from '@zhuguan/contract/features/alarms/alarms.record.ts'
import {
  actionsOfSource,
  type CorrectionAction,
  urgeRefusal,
} from '@zhuguan/contract/features/corrections/corrections.actions.ts'
import type { correctionsApi } from '@zhuguan/contract/features/corrections/corrections.api.ts'
import type { CorrectionSource as Source } from '@zhuguan/contract/features/corrections/corrections.record.ts'
import type { SettingKey } from '@zhuguan/contract/features/settings/settings.record.ts'
import type { BodyOf } from '@zhuguan/contract/kit/api.ts'

import type { Tx } from '../../database/connect.ts'
import type { CorrectionSource } from '../../kit/correction-source.ts'
import { actorAt } from '../../kit/reach.ts'
import { found, overtaken, refuse, Refused } from '../../kit/refuse.ts'
import type { Call } from '../../kit/serve.ts'
import { type FileStore, unlessCopied, useFiles } from '../files/files.service.ts'
import { passTurn } from '../notifications/turns.service.ts'
import { dueAfter } from '../settings/business-time.reads.ts'
import {
  type CorrectionChange,
  type LockedCorrection,
  lockCorrection,
  moveCorrection,
  noteUrged,
  unchanged,
} from './corrections.queries.ts'
import {
  canCorrect,
  causeOf,
  correctionHours,
  namedIn,
  noticeOf,
  unlessAbout,
  urgeOf,
  whoCorrects,
  whyOver,
} from './correctors.ts'
import { tellChange } from './telling.ts'

export type CorrectionSources = Readonly<Record<Source, CorrectionSource>>
/** The values that a correction's commands need beside the database. */
export interface CorrectionDeps {
  sources: CorrectionSources
  files: FileStore
}
/** Each action with what its call carries. */
export type CorrectionCommand = {
  [A in CorrectionAction]: { action: A } & BodyOf<(typeof correctionsApi)[A]>
}[CorrectionAction]
type Seen = Pick<CorrectionCommand, 'id' | 'version'>

const { correcting } = correctionStatus.code
const { assigned, doing, submitted } = correctionStep.code

/** The effect of each command on the record, beside the state that the table of actions names. */
async function outcome(
  tx: Tx,
  call: Call,
  files: FileStore,
  c: LockedCorrection,
  command: CorrectionCommand,
): Promise<CorrectionChange & { whom?: string }> {
  const now = call.now()
  const to = Number(actionsOfSource(c.source).arrives(command.action, c.correctionStatus))
  const same: CorrectionChange = { ...unchanged(c), correctionStatus: to }
  const due = (key: SettingKey) => dueAfter(tx, call.user.tenant, c.bc_id, key, now)
  switch (command.action) {
    case 'assign': {
      unlessAbout(c, command.assignee_id)
      const whom = found(await canCorrect(tx, call, c, command.assignee_id))
      // Handed on, the clock runs on; confirmed, the one for correcting begins.
      const dueAt = c.correctionStatus === correcting ? same.dueAt : await due(correctionHours(c))
      return { ...same, step: assigned, assignee_id: command.assignee_id, dueAt, whom: whom.nickname }
    }
    case 'start':
      return { ...same, step: doing }
    case 'submit': {
      const proof = { bc: c.bc_id, proves: c.id }
      await useFiles(tx, call, command.pictures, { ...proof, takenAfter: c.at, site: c.site_id })
      await unlessCopied(tx, call, files, command.pictures, { ...proof, evidence: c.picture })
      return { ...same, step: submitted, corrector_id: call.user.id }
    }
    case 'pass':
      return { ...same, verifiedBy: call.user.nickname, closedAt: now }
    case 'back': {
      // Who cannot correct any more is not asked again: whoever can takes it, or somebody has to assign it.
      const next = await whoCorrects(tx, call, c)
      const begun = next === c.assignee_id ? doing : assigned
      return { ...same, step: next && begun, assignee_id: next, round: c.round + 1 }
    }
    // Assignee and clock stay: the reviewer hands it on or a supervisor cancels it.
    case 'dispute':
      return { ...same, disputed: true }
    case 'cancel':
      return { ...same, step: null, closedAt: now }
    case 'reopen': {
      const again = { ...same, corrector_id: null, verifiedBy: '', closedAt: null, round: c.round + 1 }
      if (to !== correcting)
        return { ...again, step: null, assignee_id: null, dueAt: await due('answerHours') }
      const next = await whoCorrects(tx, call, c)
      return {
        ...again,
        step: next ? assigned : null,
        assignee_id: next,
        dueAt: await due(correctionHours(c)),
      }
    }
  }
}

/** What was said with a command, as its log shows it. */
function wordsOf(command: CorrectionCommand): string {
  switch (command.action) {
    case 'cancel':
      return `${cancelReason.label(command.cause)}：${command.reason}`
    case 'submit':
      return command.text
    case 'back':
    case 'dispute':
    case 'reopen':
      return command.reason
    default:
      return ''
  }
}

/** One command on one correction: load, refuse, move, let its source follow, log, tell. `only`: of this source. */
export async function changeCorrection(
  tx: Tx,
  call: Call,
  { sources, files }: CorrectionDeps,
  command: CorrectionCommand,
  only?: Source,
): Promise<void> {
  const c = found(await lockCorrection(tx, call.user.scope, command.id))
  if (only && c.source !== only) found(undefined)
  const machine = actionsOfSource(c.source)
  const what = c.source === 'alarm' ? '条报警' : '张整改单'
  if (c.version !== command.version) throw overtaken(what, { name: c.changedBy || '系统', at: c.changedAt })
  refuse(machine.refusal(command.action, c, actorAt(call.user, c), call.now().getTime() / 1000))
  if (command.action === 'reopen') refuse(await whyOver(tx, call.user.tenant, c.site_id, '重新打开'))
  const to = await outcome(tx, call, files, c, command)
  const cause: CancelReason | undefined = command.action === 'cancel' ? command.cause : undefined
  const change = { action: command.action, before: c, after: to.correctionStatus, cause }
  refuse(await sources[c.source].unless?.(tx, call, change))
  if (!(await moveCorrection(tx, call.user.tenant, c, to, call.user.nickname, call.now())))
    throw overtaken(what)
  const followed = await sources[c.source].moved?.(tx, call, change)
  const text = wordsOf(command)
  const pictures = command.action === 'submit' ? command.pictures : []
  const { tenant } = call.user
  const { label } = machine.table[command.action]
  await tellChange(tx, call, c, to, { label, text, pictures, whom: to.whom ?? '', followed })
  // Acted on, it waits in nobody's list of notices; who has to act next is told.
  const relieved = c.correctionStatus === correcting ? c.assignee_id : null
  await passTurn(tx, causeOf(c).kind, command.action, {
    ...noticeOf(c),
    tenant,
    actor: call.user.id,
    named: { ...namedIn({ ...c, ...to, corrector_ids: whoCorrected(c, to) }), relieved },
    title: titleOf(command.action, c, to, { by: call.user.nickname, text }),
  })
  if (command.action === 'assign' && relieved !== to.assignee_id)
    await passTurn(tx, causeOf(c).kind, 'takenOver', {
      ...noticeOf(c),
      tenant,
      actor: call.user.id,
      named: { relieved },
      title: `${c.siteName} 的“${c.problem}”已改派给${to.whom}，不用您整改了`,
    })
}

const whoCorrected = (c: LockedCorrection, to: CorrectionChange): string[] => [
  ...c.corrector_ids,
  ...(to.corrector_id ? [to.corrector_id] : []),
]
/** The words for who is told: what happened, and what is asked of them now. */
function titleOf(
  action: CorrectionAction,
  c: LockedCorrection,
  to: CorrectionChange,
  { by, text }: { by: string; text: string },
): string {
  const what = `${c.siteName} 的“${c.problem}”`
  switch (action) {
    case 'submit':
      return `${what}已提交整改照片，请复核`
    case 'back':
      return `${what}被${by}退回：${text}，请重新整改`
    case 'dispute':
      return `${what}被${by}申诉：${text}`
    case 'cancel':
      return `${what}已由${by}取消，不用再整改：${text}`
    case 'reopen':
      return `${what}重新打开，${to.step === assigned ? '请您整改' : '请指派'}：${text}`
    default:
      return `${what}指派给您整改`
  }
}

/** Whoever's turn it is hears that somebody waits; answers how many were told. */
export async function urgeCorrection(tx: Tx, call: Call, body: Seen): Promise<{ told: number }> {
  const c = found(await lockCorrection(tx, call.user.scope, body.id))
  if (c.version !== body.version)
    throw overtaken('张整改单', { name: c.changedBy || '系统', at: c.changedAt })
  refuse(urgeRefusal(c, call.now().getTime() / 1000))
  const told = await passTurn(tx, causeOf(c).kind, urgeOf(c.turn), {
    ...noticeOf(c),
    tenant: call.user.tenant,
    actor: call.user.id,
    named: namedIn(c),
    title: `${call.user.nickname}催办：${c.siteName} 的“${c.problem}”`,
  })
  if (told.length === 0) throw new Refused('没有可以催办的人：除了您没有别人能办')
  await noteUrged(tx, call.user.tenant, c.id)
  await tellChange(tx, call, c, { ...unchanged(c), disputed: c.disputed }, { label: '催办', text: '' })
  return { told: told.length }
}

/** Does the eligible rows, each in its own transaction, and names the others. */
export async function changeMany(
  call: Call,
  deps: CorrectionDeps,
  some: readonly Seen[],
  commandOn: (one: Seen) => CorrectionCommand,
  only?: Source,
) {
  let done = 0
  const skipped: { id: string; why: string }[] = []
  for (const one of some) {
    try {
      await call.write((tx) => changeCorrection(tx, call, deps, commandOn(one), only))
      done += 1
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      skipped.push({ id: one.id, why: error.message })
    }
  }
  return { done, skipped }
}
