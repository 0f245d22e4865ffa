import type { absencesApi } from '@zhuguan/contract/features/users/absences.api.ts'
import { absenceState, LONGEST_ABSENCE } from '@zhuguan/contract/features/users/absences.record.ts'
import type { BodyOf } from '@zhuguan/contract/kit/api.ts'

import type { Tx } from '../../database/connect.ts'
import { found, invalid, refuse, Refused, unlessSeen } from '../../kit/refuse.ts'
import type { Call } from '../../kit/serve.ts'
import { addDays, shanghaiDay } from '../../kit/shanghai.ts'
import { leadersOf, notify } from '../notifications/notifications.service.ts'
import { inWords, roleGrants } from '../roles/roles.reads.ts'
import { tellAccess } from '../session/access.service.ts'
import {
  absenceWithin,
  colleaguesOf,
  deputyships,
  lockAbsence,
  lockPair,
  namedRightsOf,
  type OfPair,
} from './absences.queries.ts'
import { accountRefusal, oneAccount } from './accounts.queries.ts'

type When = BodyOf<(typeof absencesApi)['away']>
const span = ({ from, to }: { from: string; to: string }) => (from === to ? from : `${from} 至 ${to}`)

/** Whoever may edit an account may say that its person is away. */
export async function editable(tx: Tx, call: Call, id: string): Promise<string> {
  const account = found(await oneAccount(tx, call.user, id, false))
  refuse(accountRefusal(call.user, account, await roleGrants(tx, call.user.tenant)))
  return account.id
}

/**
 * Who leads sites is named by all that happens there, and who stands in can do all of it; others are named by choice,
 * and who stands in can do some of it. What a record asks for beyond that goes the next step.
 */
function lacking(
  rights: Awaited<ReturnType<typeof namedRightsOf>>,
  person: string,
  deputy: Pick<OfPair, 'id' | 'nickname'>,
): string | undefined {
  const theirs = rights.filter((r) => r.user_id === person)
  const has = (label: string) => rights.some((r) => r.user_id === deputy.id && r.label === label)
  const missing = theirs.filter((r) => !has(r.label))
  const led = missing.filter((r) => r.led)
  const lacks = missing.length === theirs.length ? missing : led
  if (lacks.length === 0) return undefined
  const titles = lacks.map(({ label }) => `“${inWords(label)}”`)
  return `${deputy.nickname}没有${titles.slice(0, 3).join('、')}${titles.length > 3 ? '等' : ''}权限，请换一位代班人`
}

const MOST_OFFERED = 50
/** Who would be taken: they see something of what the person keeps, and have the rights; the likely ones first. */
export async function deputiesFor(tx: Tx, tenant: string, person: string, keyword: string | undefined) {
  const all = (await colleaguesOf(tx, tenant, person, keyword)).filter((d) => d.kept === 0 || d.seen > 0)
  const rights = await namedRightsOf(tx, tenant, [person, ...all.map((d) => d.id)])
  return all
    .filter((d) => lacking(rights, person, d) === undefined)
    .slice(0, MOST_OFFERED)
    .map(({ id, nickname, post }) => ({ id, nickname, post }))
}

/** The person whom somebody stands in for who leaves. */
export const deputyBesides = async (tx: Tx, tenant: string, of: { id: string; nickname: string }) =>
  (await deputyships(tx, tenant, of.id)).map(
    (a) =>
      `${a.nickname} ${span(a)} 不在，由${of.nickname}代班：停用后没有人代班，会告诉${a.nickname}和总经理`,
  )
/** The account of who stands in has ended: who is away hears, and who leads the branch. */
export async function tellAbsent(tx: Tx, call: Call, of: { id: string; nickname: string }): Promise<void> {
  const { id: actor, tenant } = call.user
  for (const a of await deputyships(tx, tenant, of.id)) {
    const leaders = await leadersOf(tx, { tenant, page: null, place: { bc_id: a.bc_id } })
    await notify(tx, {
      tenant,
      user: [a.user_id, ...leaders],
      actor,
      title: `代班人${of.nickname}的账号已停用：${a.nickname} ${span(a)} 不在，没有人代班，请换一位`,
      link: '',
      personal: true,
    })
  }
}

/** From the first day to the last, new work and escalations of this person go to the deputy. */
export async function goAway(
  tx: Tx,
  call: Call,
  person: string,
  body: When,
): Promise<{ id: string; warning: string }> {
  const { nickname, tenant } = call.user
  const { deputy_id, from, to } = body
  const pair = await lockPair(tx, tenant, person, deputy_id)
  const who = found(pair.find((p) => p.id === person))
  const deputy = found(pair.find((p) => p.id === deputy_id && (p.colleague || p.id === person)))
  if (deputy.id === person) throw invalid('deputy_id', '不能由本人代班，请选一位同事')
  if (to < from) throw invalid('to', '最后一天不能早于第一天')
  if (to < shanghaiDay(call.now())) throw invalid('to', '这几天已经过去')
  if (addDays(from, LONGEST_ABSENCE) <= to) throw invalid('to', `一次最多 ${LONGEST_ABSENCE} 天`)
  if (!deputy.open) throw invalid('deputy_id', `${deputy.nickname}的账号已停用，请换一位代班人`)
  const own = await absenceWithin(tx, tenant, person, from, to)
  if (own) throw new Refused(`${who.nickname}已登记 ${span(own)} 不在，日子不能重叠`)
  const theirs = await absenceWithin(tx, tenant, deputy_id, from, to)
  if (theirs) throw invalid('deputy_id', `${deputy.nickname} ${span(theirs)} 自己也不在，请换一位代班人`)
  const { kept, seen } = deputy
  if (kept > 0 && seen === 0)
    throw invalid('deputy_id', `${deputy.nickname}看不到${who.nickname}的 ${kept} 个工地，请换一位代班人`)
  const lacks = lacking(await namedRightsOf(tx, tenant, [person, deputy_id]), person, deputy)
  if (lacks) throw invalid('deputy_id', lacks)
  const id = call.newId()
  await tx.run(
    'absences.add',
    `INSERT INTO absences (tenant_id, id, user_id, deputy_id, from_day, to_day, entered_by, entered_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, :now)`,
    [tenant, id, person, deputy_id, from, to, nickname],
  )
  await call.log(tx, {
    action: '登记不在',
    object: 'user',
    objectId: person,
    after: { nickname: who.nickname, away: span(body), deputy: deputy.nickname },
  })
  // Who stands in may do from that day on what is asked of the person.
  tellAccess(tx, call)
  await notify(tx, {
    tenant,
    user: deputy_id,
    actor: call.user.id,
    title: `${who.nickname} ${span(body)} 不在，这几天由你代班`,
    link: '',
    personal: true,
  })
  const unseen = kept - seen
  const warning = unseen
    ? `${deputy.nickname}看不到其中 ${unseen} 个工地，那里的事交给下一级，最后是分公司总经理`
    : ''
  return { id, warning }
}

const { away, back, called, coming, over } = absenceState.code
const ENDED = { [back]: '已经提前结束', [called]: '已经取消', [over]: '已经过去' }
/** Back before the last day, or not going at all; what the deputy was told stays with them. */
export async function comeBack(
  tx: Tx,
  call: Call,
  { id, version }: BodyOf<(typeof absencesApi)['back']>,
  whose: 'own' | 'others',
): Promise<void> {
  const absence = found(await lockAbsence(tx, call.user, id, whose))
  if (whose === 'others') await editable(tx, call, absence.user_id)
  if (absence.state !== away && absence.state !== coming)
    throw new Refused(`这次“不在”${ENDED[absence.state]}，不用再结束`)
  unlessSeen(absence, version, '条不在')
  await tx.run(
    'absences.end',
    `UPDATE absences SET ended_at = :now, ended_by = $3, version = version + 1
     WHERE tenant_id = $1 AND id = $2`,
    [call.user.tenant, id, call.user.nickname],
  )
  await call.log(tx, {
    action: absence.state === away ? '结束不在' : '取消不在',
    object: 'user',
    objectId: absence.user_id,
    before: { nickname: absence.nickname, away: span(absence), deputy: absence.deputyName },
    after: { away: absence.state === away ? '已回来' : '已取消' },
  })
  tellAccess(tx, call)
}
