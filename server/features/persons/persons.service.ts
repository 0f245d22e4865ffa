import { createHash } from 'node:crypto'

import { personActions, type PersonAction } from '@zhuguan/contract/features/persons/persons.actions.ts'
import type { personsApi } from '@zhuguan/contract/features/persons/persons.api.ts'
import {
  DUE_DAYS,
  ERASED,
  personAsk,
  type PersonDetail,
  personKind,
  type PersonPlanLine,
  personProof,
  personState,
} from '@zhuguan/contract/features/persons/persons.record.ts'
import type { BodyOf } from '@zhuguan/contract/kit/api.ts'
import { linkTo } from '@zhuguan/contract/links.ts'

import type { Tx } from '../../database/connect.ts'
import { actorAt } from '../../kit/reach.ts'
import { found, invalid, refuse } from '../../kit/refuse.ts'
import { wholeGroup } from '../../kit/scoped.ts'
import { seal, unseal } from '../../kit/secret.ts'
import type { Call, Caller } from '../../kit/serve.ts'
import { addDays, shanghaiDay } from '../../kit/shanghai.ts'
import { claimPicture, type FileStore } from '../files/files.service.ts'
import { settle } from '../notifications/notifications.service.ts'
import { passTurn } from '../notifications/turns.service.ts'
import { nextNumberIn } from '../numbers/numbers.service.ts'
import { workDayAfter } from '../settings/business-time.reads.ts'
import { systemCall } from '../userlogs/system.service.ts'
import { fasterOne } from '../userlogs/userlogs.service.ts'
import type { Erasing, PersonName } from './erasing-work.ts'
import { idsErased } from './erasures.service.ts'
import {
  openAbout,
  type PersonRequest,
  proofBy,
  requestOf,
  requestsAbout,
  restrictedRequests,
  subjectOf,
} from './persons.queries.ts'

type Api = typeof personsApi
export interface PersonsDeps {
  erasing: Erasing
  /** Writes down beside the database who was erased, so that a backup of before forgets them again. */
  journal: (tenant: string) => Promise<unknown>
  files: FileStore
  secretKey: Buffer
}
const { executed, refused, restricted, verified } = personState.code

const noticeOf = (r: { id: string; bc_id: string }) => ({
  link: linkTo('PersonRequest', { id: r.id }),
  cause: { kind: 'person', id: r.id } as const,
  place: { bc_id: r.bc_id },
})
const about = (r: Pick<PersonRequest, 'ask' | 'kind' | 'no'>): string =>
  `${r.no}：${personKind.label(r.kind)}的${personAsk.label(r.ask)}请求`
const named = (r: Pick<PersonRequest, 'ask' | 'kind' | 'no' | 'state'>) => ({
  no: r.no,
  ask: r.ask,
  kind: r.kind,
  state: r.state,
})

export { requestsAbout }
/** Somebody of ours writes down who asked and how; from a telephone of a home that we know it comes with that. */
export async function addRequest(
  tx: Tx,
  call: Call,
  body: BodyOf<Api['add']>,
  device: string | null = null,
): Promise<{ id: string }> {
  const { id: me, nickname, scope, tenant } = call.user
  // Who asks on their own telephone is known by its door.
  const reach = device ? wholeGroup(tenant) : scope
  const subject = found(await subjectOf(tx, reach, body.kind, body.subject_id))
  refuse(subject.name.startsWith(ERASED) ? '这个人的信息已经删除' : undefined)
  const open = await openAbout(tx, tenant, subject.id, body.ask)
  refuse(open ? `同样的请求 ${open} 还在办理` : undefined)
  const id = call.newId()
  const no = await nextNumberIn(tx, { tenant, kind: 'person', bc: subject.bc_id })
  const when = { tenant, bc: subject.bc_id, from: call.now(), days: DUE_DAYS }
  // A branch that never works has days all the same.
  const due = (await workDayAfter(tx, when)) ?? addDays(shanghaiDay(when.from), DUE_DAYS)
  await tx.run(
    'persons.add',
    `INSERT INTO person_requests (tenant_id, id, bc_id, no, ask, kind, subject_id, name, words, device_id, due,
       received_by, received_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, :now)`,
    [
      tenant,
      id,
      subject.bc_id,
      no,
      body.ask,
      body.kind,
      subject.id,
      subject.name,
      body.words,
      device,
      due,
      device ? '本人' : nickname,
    ],
  )
  const line = { no, ask: body.ask, kind: body.kind, state: personState.code.received }
  await call.log(tx, { action: '登记个人信息请求', object: 'person', objectId: id, after: line })
  await passTurn(tx, 'person', 'receive', {
    ...noticeOf({ id, bc_id: subject.bc_id }),
    tenant,
    ...(me ? { actor: me } : {}),
    title: `${about(line)}，请在 ${due} 前核实并答复`,
  })
  return { id }
}

/** The request as it was seen, locked, and refused where this may not be done to it now. */
async function open(tx: Tx, call: Caller, action: PersonAction, seen: { id: string; version?: number }) {
  const r = found(await requestOf(tx, call.user.scope, seen.id, true))
  if (seen.version !== undefined && seen.version !== r.version)
    throw await fasterOne(tx, call.user.tenant, 'person', r.id, '个请求')
  refuse(personActions.refusal(action, r, actorAt(call.user, r), call.now().getTime() / 1000))
  return r
}

const NO_DEVICE = {
  none: '这个请求不是从本人已确认的手机上提出的，请用签字的书面材料核实',
  alone: '这台手机的链接和确认由同一个人经手，还没有第二个人核对：请先核对这台设备，或用签字的书面材料',
}
async function proveByDevice(tx: Tx, tenant: string, r: PersonRequest): Promise<void> {
  const proved = r.device_id ? await proofBy(tx, tenant, r.device_id) : 'none'
  if (proved !== 'bound') throw invalid('proof', NO_DEVICE[proved])
}
export async function verifyRequest(tx: Tx, call: Call, body: BodyOf<Api['verify']>): Promise<void> {
  const { id: me, nickname, tenant } = call.user
  const r = await open(tx, call, 'verify', body)
  if (body.proof === personProof.code.paper) {
    if (!body.paper) throw invalid('paper', '请上传本人签字的材料')
    await claimPicture(tx, call, body.paper, 'identity', r.bc_id)
  } else await proveByDevice(tx, tenant, r)
  await tx.run(
    'persons.verify',
    `UPDATE person_requests p SET state = '${verified}', proved_by = $3, picture = $4, verified_id = $5,
       verified_by = $6, verified_at = :now, version = version + 1
     WHERE p.tenant_id = $1 AND p.id = $2`,
    [tenant, r.id, body.proof, body.proof === personProof.code.paper ? body.paper : null, me, nickname],
  )
  await call.log(tx, {
    action: '核实个人信息请求',
    object: 'person',
    objectId: r.id,
    before: { state: r.state },
    after: { ...named(r), state: verified, proof: body.proof },
  })
  await settle(tx, tenant, noticeOf(r).cause)
  await passTurn(tx, 'person', 'verify', {
    ...noticeOf(r),
    tenant,
    actor: me,
    named: { verifier: me },
    title: `${about(r)}已核实，请执行（期限 ${r.due}）`,
  })
}

export async function refuseRequest(tx: Tx, call: Call, body: BodyOf<Api['refuse']>): Promise<void> {
  const r = await open(tx, call, 'refuse', body)
  await tx.run(
    'persons.refuse',
    `UPDATE person_requests p SET state = '${refused}', refused_for = $3, version = version + 1
     WHERE p.tenant_id = $1 AND p.id = $2`,
    [call.user.tenant, r.id, body.reason],
  )
  await call.log(tx, {
    action: '驳回个人信息请求',
    object: 'person',
    objectId: r.id,
    before: { state: r.state },
    after: { ...named(r), state: refused, reason: body.reason },
  })
  await settle(tx, call.user.tenant, noticeOf(r).cause)
}

/** Over what went, in counts: the same plan has the same digest. */
const digestOf = (no: string, done: readonly PersonPlanLine[]): string =>
  createHash('sha256')
    .update(JSON.stringify([no, done]))
    .digest('hex')
const sumOf = (done: readonly PersonPlanLine[], what: 'files' | 'rows') =>
  done.reduce((sum, line) => sum + line[what], 0)
const asideOf = (secretKey: Buffer, r: PersonRequest): PersonName[] =>
  r.aside ? (JSON.parse(unseal(secretKey, r.aside)) as PersonName[]) : []

/**
 * What may go goes now, in the reach of the whole group; while something keeps the rest, the person is restricted and
 * the night asks again.
 */
export async function executeRequest(
  tx: Tx,
  call: Caller,
  { erasing, secretKey }: PersonsDeps,
  body: BodyOf<Api['execute']>,
): Promise<void> {
  const { nickname, tenant } = call.user
  const r = await open(tx, call, 'execute', body)
  const person = await erasing.find(tx, tenant, { kind: r.kind, id: r.subject_id })
  const { aside, bars, done } = await erasing.erase(tx, call, r.id, person)
  const isOver = bars.length === 0
  await keepDone(tx, tenant, r, {
    done,
    by: nickname,
    isOver,
    aside: aside.length ? seal(secretKey, JSON.stringify(aside)) : '',
  })
  const state = isOver ? executed : restricted
  await call.log(tx, {
    action: isOver ? '删除个人信息' : '限制处理个人信息',
    object: 'person',
    objectId: r.id,
    before: { state: r.state },
    after: {
      ...named(r),
      state,
      rows: sumOf(done, 'rows'),
      files: sumOf(done, 'files'),
      digest: digestOf(r.no, done),
    },
  })
  await settle(tx, tenant, noticeOf(r).cause)
}
/** The same kind of data twice is one line. */
function together(lines: readonly PersonPlanLine[]): PersonPlanLine[] {
  const all = new Map<string, PersonPlanLine>()
  for (const line of lines) {
    const was = all.get(line.data)
    all.set(line.data, {
      ...line,
      rows: line.rows + (was?.rows ?? 0),
      files: line.files + (was?.files ?? 0),
    })
  }
  return [...all.values()]
}
export async function keepDone(
  tx: Tx,
  tenant: string,
  r: PersonRequest,
  { aside, by, done, isOver }: { done: PersonPlanLine[]; by: string; isOver: boolean; aside: string },
): Promise<void> {
  const all = together([...r.done, ...done])
  await tx.run(
    'persons.execute',
    `UPDATE person_requests p SET state = $3, done = $4, digest = $5, aside = $6, name = $7,
       words = CASE WHEN $7 = '' THEN '' ELSE p.words END,
       executed_by = CASE WHEN p.executed_by = '' THEN $8 ELSE p.executed_by END,
       executed_at = CASE WHEN $3 = '${executed}' THEN :now::timestamptz END, version = version + 1
     WHERE p.tenant_id = $1 AND p.id = $2`,
    [
      tenant,
      r.id,
      isOver ? executed : restricted,
      JSON.stringify(all),
      digestOf(r.no, all),
      isOver ? '' : aside,
      isOver || aside ? '' : r.name,
      by,
    ],
  )
}

/** Throws where this is not asked for, or not to be done by who calls. */
export const mayCollect = (call: Caller, r: PersonRequest): void =>
  refuse(personActions.refusal('collect', r, actorAt(call.user, r), call.now().getTime() / 1000))
/** It has been handed over: once more gives it once more. */
export async function finishCollect(tx: Tx, call: Caller, id: string): Promise<void> {
  const { nickname, scope, tenant } = call.user
  const r = found(await requestOf(tx, scope, id, true))
  mayCollect(call, r)
  await tx.run(
    'persons.collected',
    `UPDATE person_requests p SET state = '${executed}', executed_by = $3, executed_at = :now, version = version + 1
     WHERE p.tenant_id = $1 AND p.id = $2`,
    [tenant, id, nickname],
  )
  await call.log(tx, {
    action: '汇总个人信息',
    object: 'person',
    objectId: id,
    before: { state: r.state },
    after: { ...named(r), state: executed },
  })
  await settle(tx, tenant, noticeOf(r).cause)
}

/** What is told of one request: what would go and stay now, of one that is executed what went. */
export async function requestDetails(
  call: Call,
  { erasing }: PersonsDeps,
  id: string,
): Promise<PersonDetail> {
  const { scope, tenant } = call.user
  const r = found(await call.read((tx) => requestOf(tx, scope, id)))
  const { aside: _aside, device_id, done, subject_id, ...told } = r
  const isDone = r.state === executed || r.state === refused
  const plan: PersonPlanLine[] = isDone
    ? done
    : await call.within(wholeGroup(tenant)).read(async (tx) => {
        const known = await erasing.find(tx, tenant, { kind: r.kind, id: subject_id })
        const ids = (await idsErased(tx, tenant, id)) ?? known.ids
        const now = await erasing.plan(tx, tenant, { ...known, ids })
        // What has gone is told as such; of the rest, what something keeps.
        return done.length ? [...done, ...now.filter((l) => l.bars.length || l.law)] : now
      })
  return { ...told, byDevice: device_id !== null, plan }
}

/** The number of somebody who is restricted, for whoever has to reach them; why stands in the log. */
export async function revealPerson(
  tx: Tx,
  call: Call,
  { erasing, secretKey }: PersonsDeps,
  body: BodyOf<Api['reveal']>,
): Promise<Pick<PersonName, 'name' | 'phone'>[]> {
  const r = await open(tx, call, 'reveal', { id: body.id })
  await call.log(tx, {
    action: '查看受限的联系方式',
    object: 'person',
    objectId: r.id,
    after: { no: r.no, reason: body.reason },
  })
  const aside = asideOf(secretKey, r)
  const subject = { kind: r.kind, id: r.subject_id }
  const names = aside.length ? aside : (await erasing.find(tx, call.user.tenant, subject)).names
  return names.map(({ name, phone }) => ({ name, phone }))
}

/** Whose last bar has fallen: the rest goes by itself. Answers how many are done. */
export async function finishRestricted(
  tx: Tx,
  tenant: string,
  { erasing, secretKey }: Pick<PersonsDeps, 'erasing' | 'secretKey'>,
): Promise<number> {
  let n = 0
  for (const r of await restrictedRequests(tx, tenant)) {
    const subject = { kind: r.kind, id: r.subject_id }
    const { bars, done } = await erasing.finish(tx, tenant, r.id, subject, asideOf(secretKey, r))
    const isOver = bars.length === 0
    if (!isOver && done.length === 0) continue
    await keepDone(tx, tenant, r, { done, by: r.executedBy, isOver, aside: r.aside })
    if (!isOver) continue
    n += 1
    await systemCall(tx, tenant).log(tx, {
      action: '删除个人信息',
      object: 'person',
      objectId: r.id,
      before: { state: restricted },
      after: { ...named(r), state: executed, rows: sumOf(done, 'rows'), files: sumOf(done, 'files') },
    })
  }
  return n
}
