import { feedbackActions } from '@zhuguan/contract/features/feedback/feedback.actions.ts'
import type { FeedbackAction } from '@zhuguan/contract/features/feedback/feedback.actions.ts'
import type { feedbackApi } from '@zhuguan/contract/features/feedback/feedback.api.ts'
import {
  feedbackCancel,
  feedbackCause,
  feedbackLevel,
  feedbackPause,
  feedbackStatus,
} from '@zhuguan/contract/features/feedback/feedback.record.ts'
import { isUnvouched } from '@zhuguan/contract/features/owners/home-devices.record.ts'
import type { BodyOf } from '@zhuguan/contract/kit/api.ts'
import { hasPermission } from '@zhuguan/contract/kit/permits.ts'
import { LOW_SCORE } from '@zhuguan/contract/kit/score.ts'

import type { Tx } from '../../database/connect.ts'
import { actorAt } from '../../kit/reach.ts'
import { found, invalid, overtaken, overtakenSaying, refuse, Refused } from '../../kit/refuse.ts'
import type { Call } from '../../kit/serve.ts'
import { addDays, shanghaiDay, shanghaiTime, startOfDay } from '../../kit/shanghai.ts'
import { openCorrection } from '../corrections/opening.service.ts'
import { withdrawCorrection } from '../corrections/withdrawing.service.ts'
import { useFiles } from '../files/files.service.ts'
import { passTurn } from '../notifications/turns.service.ts'
import { settingOf } from '../settings/settings.reads.ts'
import { assignable } from '../users/users.reads.ts'
import { clockFrom, resumed, soonerFor } from './clocks.ts'
import { HANDLE, holdHandler, nameOf, namedIn, noticeOf, tellAct, whoHandles } from './feedback-telling.ts'
import {
  anotherOf,
  childrenOf,
  type FeedbackChange,
  lastAnswer,
  type LockedFeedback,
  lockFeedback,
  moveFeedback,
  namedOf,
  ownerIsAsked,
  unchanged,
} from './feedback.queries.ts'
import { supervisorsOf } from './ladder.queries.ts'
import { climb } from './ladder.service.ts'
import { endPauses } from './pausing.service.ts'

/** Each action with what its call carries; `typedBy`: by whose hand alone a score of the home is known. */
export type FeedbackCommand = {
  [A in FeedbackAction]: { action: A; typedBy?: string } & BodyOf<(typeof feedbackApi)[A]>
}[FeedbackAction]
type Of<A extends FeedbackAction> = Extract<FeedbackCommand, { action: A }>

const DAY_MS = 86_400_000
/** The last day that a moment still belongs to. */
const lastDay = (until: Date): string => shanghaiDay(new Date(until.getTime() - 1))

/** What a command leaves, and what is said of it. */
interface Outcome {
  to: FeedbackChange
  words: string
  pictures?: string[]
  /** The person who hears beside the words of the table. */
  followers?: string[]
  /** The journal's words beside the state. */
  noted?: object
  /** The answer of the call. */
  answer?: { id: string }
}

/** Whoever takes it can handle it there, and it is not about them. */
async function taker(tx: Tx, call: Call, f: LockedFeedback, id: string) {
  const person = found(await holdHandler(tx, call, f.site_id, id))
  if (person.id === f.about_id) throw invalid('assignee_id', '这条反馈说的就是他，请交给别人')
  return person
}

async function accept(tx: Tx, call: Call, f: LockedFeedback, b: Of<'accept'>): Promise<Outcome> {
  const place = { tenant: call.user.tenant, bc: f.bc_id }
  const person = await taker(tx, call, f, b.assignee_id)
  if (b.level < f.level && !hasPermission(actorAt(call.user, f), 'feedback:supervise'))
    throw invalid('level', `登记的等级是“${feedbackLevel.label(f.level)}”，降低等级由客服或分公司总经理来做`)
  const begun = unchanged(f)
  const to = b.level > f.level ? await soonerFor(tx, place, begun, b.level, call.now()) : begun
  const close = await clockFrom(tx, place, 'Close', b.level, call.now())
  return {
    to: {
      ...to,
      level: b.level,
      assignee_id: person.id,
      close_warn_at: close.warn,
      close_due_at: close.due,
    },
    words: `${feedbackLevel.label(b.level)}，交给 ${person.nickname}`,
  }
}

async function pause(tx: Tx, call: Call, f: LockedFeedback, b: Of<'pause'>): Promise<Outcome> {
  const now = call.now()
  if (b.pauseFor === feedbackPause.code.owner && !(await ownerIsAsked(tx, call.user.tenant, f.site_id)))
    throw new Refused('业主现在没有待决定的问题，不能算等业主；请先向业主提问')
  if (b.pauseFor === feedbackPause.code.third && !b.until) throw invalid('until', '等第三方要写明等到哪一天')
  if (f.close_due_at && f.close_due_at <= now) throw new Refused('结案期限已经过了，不能再暂停；请结案或升级')
  const days = await settingOf<number>(tx, call.user.tenant, f.bc_id, 'feedbackPauseDays')
  const left = days * DAY_MS - f.paused_s * 1000
  if (left <= 0) throw new Refused(`一条反馈一共可以暂停 ${days} 天，已经用完`)
  const most = new Date(now.getTime() + left)
  if (b.until && b.until < shanghaiDay(now)) throw invalid('until', '这一天已经过去')
  if (b.until && b.until > lastDay(most))
    throw invalid('until', `一共可以暂停 ${days} 天，最晚到 ${lastDay(most)}`)
  const end = b.until ? startOfDay(addDays(b.until, 1)) : most
  return {
    to: {
      ...unchanged(f),
      paused_at: now,
      paused_until: end < most ? end : most,
      pause_for: b.pauseFor,
      pause_text: b.reason,
    },
    words: `${feedbackPause.label(b.pauseFor)}：${b.reason}${b.until ? `，等到 ${b.until}` : ''}`,
    noted: { pauseFor: b.pauseFor },
  }
}

async function correct(tx: Tx, call: Call, f: LockedFeedback, b: Of<'correct'>): Promise<Outcome> {
  if (b.due && b.due < shanghaiDay(call.now())) throw invalid('due', '这一天已经过去')
  const id = await openCorrection(tx, call, {
    source: 'feedback',
    source_id: f.id,
    about_id: f.about_id,
    hidden_from: f.hidden_from,
    site: { id: f.site_id, bc_id: f.bc_id, ws_name: f.siteName },
    problem: b.problem,
    pictures: [],
    assignee_id: b.assignee_id,
    dueAt: b.due ? startOfDay(addDays(b.due, 1)) : undefined,
  })
  return { to: unchanged(f), words: b.problem, answer: { id } }
}

async function cancel(tx: Tx, call: Call, f: LockedFeedback, b: Of<'cancel'>): Promise<Outcome> {
  const { scope, tenant } = call.user
  const of = b.of_id ? found(await anotherOf(tx, scope, b.of_id)) : null
  const open = (await childrenOf(tx, tenant, f.id)).filter((k) => k.correctionStatus < 3)
  const said = [...b.cancelled, ...b.kept]
  if (said.some((id) => !open.some((k) => k.id === id))) found(undefined)
  const isRepeated = b.cause === feedbackCancel.code.repeated
  if (isRepeated !== (of !== null))
    throw invalid('of_id', isRepeated ? '请选择与哪一条重复' : '只有重复的才选择另一条')
  if (of && (of.id === f.id || of.site_id !== f.site_id || of.status === feedbackStatus.code.cancelled))
    throw invalid('of_id', '请选择同一家的另一条没有取消的反馈')
  if (new Set(said).size < said.length) throw invalid('cancelled', '一张整改单只能取消或保留')
  const unsaid = open.filter((k) => !said.includes(k.id))
  if (unsaid.length)
    throw invalid('cancelled', `整改单 ${unsaid.map((k) => k.no).join('、')} 要说明取消还是保留`)
  const what = f.hidden ? '反馈' : `反馈 ${f.no} `
  for (const id of b.cancelled) await withdrawCorrection(tx, call, id, `${what}已取消`)
  return {
    to: {
      ...(await ended(tx, call, f)),
      cancelled: b.cause,
      of_id: of?.id ?? f.of_id,
    },
    words: `${feedbackCancel.label(b.cause)}：${b.reason}`,
    // That it repeats what is kept from somebody is told to nobody who reads the journal.
    noted: of?.hidden ? {} : { cancelled: b.cause, ...namedOf(of) },
  }
}

async function reopen(tx: Tx, call: Call, f: LockedFeedback, b: Of<'reopen'>): Promise<Outcome> {
  const place = { tenant: call.user.tenant, bc: f.bc_id }
  const { urgent } = feedbackLevel.code
  const level = feedbackLevel.values.find((l) => l === f.level + 1) ?? urgent
  const answer = await clockFrom(tx, place, 'Answer', level, call.now())
  const close = await clockFrom(tx, place, 'Close', level, call.now())
  return {
    to: {
      ...unchanged(f),
      level,
      round: f.round + 1,
      assignee_id: await whoHandles(tx, call, f),
      answered_at: null,
      answer_warn_at: answer.warn,
      answer_due_at: answer.due,
      close_warn_at: close.warn,
      close_due_at: close.due,
      rung: 0,
      climbed_at: null,
      closed_at: null,
      cause: null,
      result: '',
      score: null,
      scored_by: '',
      called_back: false,
    },
    words: b.reason,
  }
}

/** Nothing of it runs any more. */
const ended = async (tx: Tx, call: Call, f: LockedFeedback): Promise<FeedbackChange> => ({
  ...(await resumed(tx, { tenant: call.user.tenant, bc: f.bc_id }, unchanged(f), call.now())),
  closed_at: call.now(),
})

/** What ends it, and what is said of it afterwards. */
async function over(
  tx: Tx,
  call: Call,
  f: LockedFeedback,
  c: Of<'close' | 'thank' | 'score' | 'callback' | 'release'>,
): Promise<Outcome> {
  const now = call.now()
  const same = unchanged(f)
  switch (c.action) {
    case 'close': {
      const to = { ...(await ended(tx, call, f)), cause: c.cause, result: c.result }
      return { to, words: `${feedbackCause.label(c.cause)}：${c.result}`, noted: { cause: c.cause } }
    }
    case 'thank': {
      const to = { ...(await ended(tx, call, f)), answered_at: now, answers: f.answers + 1, result: c.words }
      return { to, words: c.words }
    }
    case 'score': {
      // Whoever has no account is the owner: their own score counts.
      const typedBy = call.user.id ? call.user.nickname : (c.typedBy ?? '')
      const to = { ...same, score: c.score, scored_by: typedBy, called_back: false }
      const by = isUnvouched(typedBy) ? `${typedBy} ` : '代填 '
      const words = `${typedBy && by}${c.score} 分${c.words ? `：${c.words}` : ''}`
      return { to, words, noted: { score: c.score } }
    }
    case 'callback':
      return { to: { ...same, called_back: true }, words: c.words }
    case 'release':
      return { to: { ...same, hidden_from: null }, words: '' }
  }
}

/** The effect of each command on the record, beside the state that the table of actions names. */
async function outcome(tx: Tx, call: Call, f: LockedFeedback, c: FeedbackCommand): Promise<Outcome> {
  const now = call.now()
  const place = { tenant: call.user.tenant, bc: f.bc_id }
  const same = unchanged(f)
  switch (c.action) {
    case 'accept':
      return accept(tx, call, f, c)
    case 'answer': {
      const to = { ...same, answered_at: f.answered_at ?? now, answers: f.answers + 1 }
      return { to, words: c.words, pictures: c.pictures }
    }
    case 'transfer': {
      if (c.assignee_id === f.assignee_id) throw invalid('assignee_id', '已经是他负责')
      const person = await taker(tx, call, f, c.assignee_id)
      return { to: { ...same, assignee_id: person.id }, words: `交给 ${person.nickname}：${c.reason}` }
    }
    case 'raise': {
      if (c.level <= f.level)
        throw invalid('level', `现在是“${feedbackLevel.label(f.level)}”，请选更高的等级`)
      // What has become urgent waits for nobody.
      const running = await resumed(tx, place, same, now)
      const to = await soonerFor(tx, place, running, c.level, now)
      return { to, words: `${feedbackLevel.label(c.level)}：${c.reason}` }
    }
    case 'lower':
      if (c.level >= f.level)
        throw invalid('level', `现在是“${feedbackLevel.label(f.level)}”，请选更低的等级`)
      return { to: { ...same, level: c.level }, words: `${feedbackLevel.label(c.level)}：${c.reason}` }
    case 'escalate': {
      const up = await climb(tx, call.user.tenant, f)
      if (!up) throw new Refused('上面没有可以升级的人')
      const to = { ...same, rung: up.rung, climbed_at: now }
      return { to, words: `${up.words}：${c.reason}`, followers: up.people }
    }
    case 'pause':
      return pause(tx, call, f, c)
    case 'resume':
      return { to: await resumed(tx, place, same, now), words: '' }
    case 'correct':
      return correct(tx, call, f, c)
    case 'cancel':
      return cancel(tx, call, f, c)
    case 'reopen':
      return reopen(tx, call, f, c)
    default:
      return over(tx, call, f, c)
  }
}

const TAKING: Partial<Record<FeedbackAction, string>> = {
  accept: HANDLE,
  transfer: HANDLE,
  correct: 'correction:correct',
}
/** The person whom and what a command names must be the caller's to name, whatever else speaks against it. */
async function claim(tx: Tx, call: Call, f: LockedFeedback, c: FeedbackCommand): Promise<void> {
  const power = TAKING[c.action]
  if (power && 'assignee_id' in c)
    found(await assignable(tx, call.user.scope, { id: c.assignee_id, site: f.site_id, power }))
  if (c.action === 'answer')
    await useFiles(tx, call, c.pictures, { bc: f.bc_id, site: f.site_id, proves: f.id, takenAfter: 0 })
}

/** The second of two answers reads the first before it is sent. */
async function unlessAnswered(tx: Tx, call: Call, f: LockedFeedback, c: Of<'answer'>): Promise<void> {
  if (c.answers === f.answers) return
  const last = await lastAnswer(tx, call.user.tenant, f.id)
  throw last && f.answers > c.answers
    ? overtakenSaying(
        `${last.actor} 已于 ${shanghaiTime(new Date(last.at * 1000))} 回复业主，请先看过再回复`,
        { name: last.actor, at: last.at },
      )
    : overtakenSaying('回复有变化，请刷新后再试')
}

/** One command on one feedback: load, refuse, move, log, tell. */
export async function changeFeedback(tx: Tx, call: Call, command: FeedbackCommand): Promise<{ id: string }> {
  const { id: me, nickname, scope, tenant } = call.user
  await endPauses(tx, tenant, command.id)
  const f = found(await lockFeedback(tx, scope, command.id))
  if (command.action === 'answer') await unlessAnswered(tx, call, f, command)
  else if (f.version !== command.version) throw overtaken('条反馈', { name: f.changedBy, at: f.changedAt })
  await claim(tx, call, f, command)
  refuse(feedbackActions.refusal(command.action, f, actorAt(call.user, f), call.now().getTime() / 1000))
  const { answer, followers = [], noted, pictures = [], to, words } = await outcome(tx, call, f, command)
  to.status = feedbackStatus.values.find((s) => s === feedbackActions.arrives(command.action, f.status))!
  if (!(await moveFeedback(tx, tenant, f, to, nickname))) throw overtaken('条反馈')
  const { label } = feedbackActions.table[command.action]
  await call.log(tx, {
    action: `${label}反馈`,
    object: 'feedback',
    objectId: f.id,
    before: stateOf(f, f),
    after: { ...stateOf(f, to), ...noted },
  })
  await tellAct(
    tx,
    call.user,
    { ...f, hidden_from: to.hidden_from },
    { act: command.action, words, pictures },
  )
  await pass(tx, call, f, { command, to, followers, me })
  return answer ?? { id: f.id }
}

const stateOf = (f: LockedFeedback, to: Pick<FeedbackChange, 'status' | 'level' | 'assignee_id'>) => ({
  no: f.no,
  site_id: f.site_id,
  status: to.status,
  level: to.level,
  assignee_id: to.assignee_id,
})

interface Passing {
  command: FeedbackCommand
  to: FeedbackChange
  followers: string[]
  me: string
}
/** Acted on, it waits in nobody's list of notices; who has to act next is told. */
async function pass(tx: Tx, call: Call, f: LockedFeedback, p: Passing): Promise<void> {
  const { tenant } = call.user
  const { action } = p.command
  const about = {
    ...noticeOf(f),
    tenant,
    actor: p.me,
    named: {
      ...namedIn({ ...f, assignee_id: p.to.assignee_id }),
      relieved: f.assignee_id,
      followers: p.followers,
    },
  }
  const what = nameOf(f)
  const by = call.user.nickname
  switch (action) {
    case 'release':
    case 'correct':
      return
    case 'score': {
      if (p.to.score! > LOW_SCORE) return
      await passTurn(tx, 'feedback', 'lowScore', {
        ...about,
        title: `${what}满意度 ${p.to.score} 分，请回访`,
      })
      return
    }
    case 'transfer': {
      await passTurn(tx, 'feedback', 'transfer', { ...about, title: `${what}由${by}转给您处理` })
      await passTurn(tx, 'feedback', 'takenOver', { ...about, title: `${what}已由${by}转给别人` })
      return
    }
    default:
      await passTurn(tx, 'feedback', action, { ...about, title: `${what}${TITLES[action]}` })
  }
  if (action !== 'reopen') return
  const supervisors = await supervisorsOf(tx, tenant, f.id)
  for (const all of Map.groupBy(supervisors, (s) => s.rung).values()) {
    const named = { ...about.named, followers: all.map((s) => s.id) }
    await passTurn(tx, 'feedback', 'reopened', { ...about, named, title: `${what}重新打开，请督促` })
  }
}
/** What who is told reads. */
const TITLES: Readonly<
  Record<Exclude<FeedbackAction, 'release' | 'correct' | 'score' | 'transfer'>, string>
> = {
  accept: '交给您处理',
  answer: '已回复业主',
  raise: '等级提高，期限提前',
  lower: '等级降低',
  escalate: '升级到您这里，请督促',
  pause: '已暂停',
  resume: '恢复计时，请继续处理',
  close: '已结案',
  thank: '已致谢结案',
  cancel: '已取消，不用再处理',
  reopen: '重新打开，请处理',
  callback: '已回访',
}
