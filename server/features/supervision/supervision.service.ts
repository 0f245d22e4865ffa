import type { supervisionApi } from '@zhuguan/contract/features/supervision/supervision.api.ts'
import {
  MOST_DAYS,
  SUPERVISE_DAYS,
  type Supervision,
} from '@zhuguan/contract/features/supervision/supervision.record.ts'
import type { BodyOf, QueryOf } from '@zhuguan/contract/kit/api.ts'
import { pageLabel } from '@zhuguan/contract/permissions.ts'

import type { Tx } from '../../database/connect.ts'
import { reachOf } from '../../kit/reach.ts'
import { found, invalid, outside, Refused, unlessSeen } from '../../kit/refuse.ts'
import { hasBranch, wholeGroup } from '../../kit/scoped.ts'
import type { Call } from '../../kit/serve.ts'
import { addDays, shanghaiDay } from '../../kit/shanghai.ts'
import { upTo } from '../statistics/as-of.reads.ts'
import { branchesOf, firstBranch } from './branches.queries.ts'
import { READ_ON, type Told } from './evidence.ts'
import { addRemark, dropRemark, lockRemark, remarksOf } from './remarks.queries.ts'
export { forgetRemarks } from './remarks.queries.ts'
import { type Asked, keptCount, movers, oldestOf, supervisedOne } from './supervision.queries.ts'

interface Span {
  from?: string | undefined
  to?: string | undefined
}
/** The days that were asked for, or the last ones up to today. */
export function daysOf({ from, to }: Span, now: Date): { from: string; to: string } {
  const today = shanghaiDay(now)
  const last = to ?? today
  const first = from ?? addDays(last, 1 - SUPERVISE_DAYS)
  if (first > today) throw invalid(from ? 'from' : 'to', '开始日期不能晚于今天，以后的日子还没有记录')
  if (first > last) throw invalid('from', '开始日期不能晚于结束日期')
  if (addDays(first, MOST_DAYS) <= last) throw invalid('from', `一次最多看 ${MOST_DAYS} 天`)
  return { from: first, to: last }
}
/** What is read elsewhere is told here where it may be read there: of others in all of the branch. */
function toldTo(call: Call, bc: string, isOwn: boolean): Told {
  const told = (kind: keyof Told) => {
    const reach = reachOf(call.user, pageLabel(READ_ON[kind]))
    return reach !== undefined && (isOwn || hasBranch(reach, bc))
  }
  return {
    tasks: told('tasks'),
    corrections: told('corrections'),
    words: told('words'),
    feedback: told('feedback'),
    promises: told('promises'),
    warnings: told('warnings'),
  }
}
export const superiorReach = (call: Call) => reachOf(call.user, 'manage:supervise')

/** A branch that is looked at, and its call: all of the branch is read, whatever of it the caller reaches. */
interface AtBranch {
  asked: Asked
  at: Call
}
const atBranch = (call: Call, bc: string, span: Span, isOwn: boolean): AtBranch => {
  const { id: reader, tenant } = call.user
  return {
    asked: { tenant, bc, ...daysOf(span, call.now()), reader, told: toldTo(call, bc, isOwn) },
    at: call.within({ tenant, user: reader, bcs: [bc], sites: null }),
  }
}
/** The branch whose people a superior looks at: all of it is in their reach. */
export async function branchAsked(call: Call, q: Span & { bc_id?: string | undefined }): Promise<AtBranch> {
  const reach = superiorReach(call)
  if (!reach) throw outside()
  const { id, tenant } = call.user
  const among = q.bc_id ? [q.bc_id] : (reach.bcs ?? null)
  const bc = found(await call.within(reach).read((tx) => firstBranch(tx, tenant, id, among)))
  if (!hasBranch(reach, bc)) throw outside()
  return atBranch(call, bc, q, false)
}

interface AtPerson extends AtBranch {
  person: string
  isOwn: boolean
  branches: { bc_id: string; bc_name: string }[]
}
/**
 * Somebody in a branch of theirs. Everybody may look at themselves, also at what they have handed over since; at
 * others whoever supervises all of that branch.
 */
export async function personAsked(
  call: Call,
  q: Span & { id?: string | undefined; bc_id?: string | undefined },
): Promise<AtPerson> {
  const { id: me, tenant } = call.user
  const person = q.id ?? me
  const isOwn = person === me
  const reach = superiorReach(call)
  if (!isOwn && !reach) throw outside()
  const all = await call.within(wholeGroup(tenant)).read((tx) => branchesOf(tx, tenant, person))
  const branches = isOwn ? all : all.filter((b) => hasBranch(reach!, b.bc_id))
  if (isOwn && all.length === 0 && !q.bc_id) throw new Refused('您没有项目管家或项目经理的岗位，没有监督指标')
  const bc = found(q.bc_id ? branches.find((b) => b.bc_id === q.bc_id) : branches[0]).bc_id
  return { ...atBranch(call, bc, q, isOwn), person, isOwn, branches }
}

export async function supervisionOf(
  call: Call,
  q: QueryOf<typeof supervisionApi.person>,
): Promise<Supervision> {
  const { asked, at, branches, isOwn, person } = await personAsked(call, q)
  const own = call.user.scope
  return at.read(async (tx) => {
    const figures = found(await supervisedOne(tx, asked, person))
    return {
      asOf: upTo(call.now()),
      from: asked.from,
      to: asked.to,
      person: figures,
      branches,
      oldest: await oldestOf(tx, asked, person, own),
      movers: await movers(tx, asked, person, own),
      remarks: await remarksOf(tx, asked, person),
      kept: isOwn || !asked.told.feedback ? null : await keptCount(tx, asked, person),
    }
  })
}

/** Words to a figure of one's own, in a branch that is one's own. */
export async function say(
  call: Call,
  { bc_id, from, to, ...body }: BodyOf<typeof supervisionApi.remark>,
): Promise<{ id: string }> {
  const { asked, at, person } = await personAsked(call, { bc_id, from, to })
  const id = call.newId()
  const line = { ...body, bc_id, from: asked.from, to: asked.to }
  await at.write(async (tx) => {
    await addRemark(tx, asked.tenant, { ...body, id, bc: asked.bc, person, from: asked.from, to: asked.to })
    await call.log(tx, { action: '写监督说明', object: 'supervision', objectId: id, after: line })
  })
  return { id }
}
/** Only what one said oneself; the log keeps it. */
export async function unsay(tx: Tx, call: Call, body: BodyOf<typeof supervisionApi.unsay>): Promise<void> {
  const { id: me, tenant } = call.user
  const said = found(await lockRemark(tx, tenant, me, body.id))
  unlessSeen(said, body.version, '条说明')
  await dropRemark(tx, tenant, said.id)
  const { bc_id, figure, from, to, words } = said
  await call.log(tx, {
    action: '收回监督说明',
    object: 'supervision',
    objectId: said.id,
    before: { bc_id, figure, from, to, words },
  })
}
