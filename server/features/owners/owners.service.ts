import type { ownersApi } from '@zhuguan/contract/features/owners/owners.api.ts'
import { contactRelation, promisesAfter } from '@zhuguan/contract/features/owners/owners.record.ts'
import type { BodyOf } from '@zhuguan/contract/kit/api.ts'
import { maskPhone } from '@zhuguan/contract/kit/masked.ts'
import { linkTo } from '@zhuguan/contract/links.ts'

import type { Tx } from '../../database/connect.ts'
import { reachOf } from '../../kit/reach.ts'
import { found, invalid, refuse, Refused, unlessSeen } from '../../kit/refuse.ts'
import { hasPlace } from '../../kit/scoped.ts'
import type { Call } from '../../kit/serve.ts'
import { endCase } from '../cases/consenting.service.ts'
import { forgetStills } from '../devices/devices.service.ts'
import { tell } from '../live/live.service.ts'
import { passTurn } from '../notifications/turns.service.ts'
import { unlessForgotten } from '../persons/forgotten.reads.ts'
import { countPromises, withdrawPromises } from '../promises/home-promises.service.ts'
import { lapseQuestions } from '../questions/questions.service.ts'
import { cancelVisits } from '../receptions/receptions.service.ts'
import { addPerson, editPerson, endContacts } from '../sites/home-contacts.service.ts'
import { correctOwner, type Owner, setOwner } from '../sites/site-owner.service.ts'
import { endWaiting } from '../threads/home-threads.service.ts'
import { endAccessOf, endAccessOfGone, endAccessOfOwner } from './home-devices.service.ts'
import { lockContact, lockHome, siteOfContact } from './owners.queries.ts'

type Api = typeof ownersApi
type Home = NonNullable<Awaited<ReturnType<typeof lockHome>>>
const MOST = 8

/** The home and one of its people, as whoever acts has seen them; the home is locked first. */
async function open(tx: Tx, call: Call, seen: { id: string; version: number }, isGone = false) {
  const { scope } = call.user
  const home = found(await lockHome(tx, scope, found(await siteOfContact(tx, scope, seen.id))))
  const contact = found(await lockContact(tx, scope, seen.id))
  unlessSeen(contact, seen.version, '位联系人')
  refuse(contact.endedAt === null ? undefined : '这位联系人已经不属于这个家了')
  // Another owner may come, and a contact go; the one who is forgotten does not come back.
  if (!isGone) unlessForgotten(contact.name)
  return { home, contact }
}
const changed = (tx: Tx, call: Call, home: Home, title?: string) =>
  tell(tx, call, {
    topic: 'site',
    bc: home.bc_id,
    site: home.id,
    id: home.id,
    ...(title ? { line: { kind: 'owner', title } } : {}),
  })

/** The first owner of a site that has none. */
export async function addOwner(tx: Tx, call: Call, body: BodyOf<Api['add']>): Promise<void> {
  const home = found(await lockHome(tx, call.user.scope, body.site_id))
  refuse(home.owner_id === null ? undefined : `工地“${home.ws_name}”已有业主；换了人请用“更换业主”`)
  await setOwner(tx, call, home, body)
  await call.log(tx, {
    action: '新增业主',
    object: 'contact',
    objectId: home.id,
    after: { site_id: home.id, name: body.name, phone: maskPhone(body.phone) },
  })
  changed(tx, call, home, `登记业主 ${body.name}`)
}

const mayChange = (call: Call, home: { bc_id: string; id: string }): boolean => {
  const reach = reachOf(call.user, 'owner:change')
  return !!reach && hasPlace(reach, home.bc_id, home.id)
}
/** Another name and another number at once, or a name that shares no sign with the one before: no slip of the pen. */
const isOther = (was: Owner, to: Owner): boolean =>
  to.name !== was.name &&
  (to.phone !== was.phone || !Array.from(to.name).some((sign) => was.name.includes(sign)))
/** The same person by their right name or number, on every home of theirs. */
export async function correct(tx: Tx, call: Call, body: BodyOf<Api['correct']>): Promise<void> {
  const { home, contact } = await open(tx, call, body)
  refuse(contact.signatory ? undefined : '只有业主本人用“更正业主”，其他联系人请直接编辑')
  const to: Owner = { name: body.name, phone: body.phone || contact.phone }
  if (to.name === contact.name && to.phone === contact.phone) throw invalid('name', '没有要更正的内容')
  if (isOther(contact, to) && !mayChange(call, home))
    throw new Refused(
      '改成这样就是另一个人了：换了业主请分公司总经理用“更换业主”，以前的留言和同意不会带过去',
    )
  await correctOwner(tx, call, home.owner_id!, to)
  if (to.phone !== contact.phone) await endAccessOfOwner(tx, call, home.owner_id!)
  await call.log(tx, {
    action: '更正业主',
    object: 'contact',
    objectId: home.id,
    before: { name: contact.name, phone: maskPhone(contact.phone) },
    after: { site_id: home.id, name: to.name, phone: maskPhone(to.phone), reason: body.reason },
  })
  changed(tx, call, home)
}

/** The home is another person's: who was of it before is not any more, and what they had here ends. */
export async function changeOwner(tx: Tx, call: Call, body: BodyOf<Api['change']>): Promise<void> {
  const { home, contact } = await open(tx, call, body, true)
  refuse(contact.signatory ? undefined : '请在业主本人上更换业主')
  if (body.phone && body.phone === contact.phone)
    throw invalid('phone', '电话和现在的业主一样；只是姓名写错，请用“更正业主”')
  const unkept = body.promises ? 0 : await countPromises(tx, call, home.id)
  if (unkept) throw invalid('promises', `还有 ${unkept} 个承诺没有兑现，请选由新业主接着，还是撤回`)
  await endCase(tx, call, home.id, '更换业主')
  await endContacts(tx, call, { site: home.id, reason: body.reason })
  await endWaiting(tx, call, home.id, '业主已更换')
  await endAccessOfGone(tx, call, home.id, '更换业主')
  await forgetStills(tx, call.user.tenant, home.id)
  await setOwner(tx, call, home, body)
  if (body.promises === promisesAfter.code.withdrawn) await withdrawPromises(tx, call, home.id, '更换业主')
  await call.log(tx, {
    action: '更换业主',
    object: 'contact',
    objectId: home.id,
    before: { name: contact.name, phone: maskPhone(contact.phone) },
    after: {
      site_id: home.id,
      name: body.name,
      phone: maskPhone(body.phone),
      ...(body.promises ? { promises: body.promises } : {}),
      reason: body.reason,
    },
  })
  // What the one before had not decided is not asked of the next.
  await lapseQuestions(tx, call, home.id, '更换业主')
  await cancelVisits(tx, call, home.id, '更换业主')
  changed(tx, call, home, `业主由${contact.name}换为${body.name}`)
  await passTurn(tx, 'owner', 'change', {
    tenant: call.user.tenant,
    actor: call.user.id,
    place: { bc_id: home.bc_id, site_id: home.id },
    link: linkTo('OwnerInfo', { site_id: home.id }),
    cause: { kind: 'owner', id: home.id },
    named: { steward: home.steward_id, manager: home.manager_id },
    title: `${home.ws_name}的业主已由${call.user.nickname}换为${body.name}：${body.reason}`,
  })
}

export async function addContact(
  tx: Tx,
  call: Call,
  body: BodyOf<Api['addContact']>,
): Promise<{ id: string }> {
  const home = found(await lockHome(tx, call.user.scope, body.site_id))
  refuse(home.owner_id === null ? `工地“${home.ws_name}”还没有业主，请先新增业主` : undefined)
  unlessOwner(body.relation)
  const id = call.newId()
  const { name, phone, relation } = body
  const person = { id, bc: home.bc_id, site: home.id, name, phone, relation }
  const hasRoom = await addPerson(tx, call, { ...person, most: MOST })
  refuse(hasRoom ? undefined : `除业主外最多 ${MOST} 位联系人`)
  await call.log(tx, {
    action: '新增联系人',
    object: 'contact',
    objectId: home.id,
    after: { site_id: home.id, name: body.name, relation: body.relation, phone: maskPhone(body.phone) },
  })
  changed(tx, call, home)
  return { id }
}
function unlessOwner(relation: string): void {
  if (relation === contactRelation.code.owner) throw invalid('relation', '业主只有一位，其他人请选别的关系')
}

export async function editContact(tx: Tx, call: Call, body: BodyOf<Api['editContact']>): Promise<void> {
  const { home, contact } = await open(tx, call, body)
  refuse(contact.signatory ? '业主本人的姓名和电话请用“更正业主”' : undefined)
  unlessOwner(body.relation)
  const phone = body.phone || contact.phone
  await editPerson(tx, call, contact.id, { name: body.name, relation: body.relation, phone })
  if (phone !== contact.phone) await endAccessOf(tx, call, contact.id)
  await call.log(tx, {
    action: '编辑联系人',
    object: 'contact',
    objectId: home.id,
    before: { name: contact.name, relation: contact.relation, phone: maskPhone(contact.phone) },
    after: { site_id: home.id, name: body.name, relation: body.relation, phone: maskPhone(phone) },
  })
  changed(tx, call, home)
}

export async function endContact(tx: Tx, call: Call, body: BodyOf<Api['endContact']>): Promise<void> {
  const { home, contact } = await open(tx, call, body, true)
  refuse(contact.signatory ? '业主本人不能移除；房子换了主人请用“更换业主”' : undefined)
  await endContacts(tx, call, { site: home.id, reason: body.reason, contact: contact.id })
  await endAccessOfGone(tx, call, home.id, '移除联系人')
  await call.log(tx, {
    action: '移除联系人',
    object: 'contact',
    objectId: home.id,
    after: { site_id: home.id, name: contact.name, relation: contact.relation, reason: body.reason },
  })
  changed(tx, call, home)
}

/** The whole number for a reason; the look is in the log before the number leaves. */
export async function readPhone(tx: Tx, call: Call, body: BodyOf<Api['phone']>): Promise<{ phone: string }> {
  const contact = found(await lockContact(tx, call.user.scope, body.id))
  await call.log(tx, {
    action: '查看联系人电话',
    object: 'contact',
    objectId: contact.site_id,
    after: { site_id: contact.site_id, name: contact.name, reason: body.reason },
  })
  return { phone: contact.phone }
}
