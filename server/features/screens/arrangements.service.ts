import type { arrangementsApi } from '@zhuguan/contract/features/screens/arrangements.api.ts'
import {
  holidayLight,
  type Scene,
  sceneKind,
  staffScenesOf,
} from '@zhuguan/contract/features/screens/arrangements.record.ts'
import { screenActions } from '@zhuguan/contract/features/screens/screens.actions.ts'
import { screenKind } from '@zhuguan/contract/features/screens/screens.record.ts'
import type { BodyOf, DataOf, QueryOf } from '@zhuguan/contract/kit/api.ts'
import { pageLabel } from '@zhuguan/contract/permissions.ts'

import type { Tx } from '../../database/connect.ts'
import { actorAt, reachOf } from '../../kit/reach.ts'
import { found, invalid, outside, refuse, Refused, unlessSeen } from '../../kit/refuse.ts'
import { hasBranch, hasStore, whole } from '../../kit/scoped.ts'
import type { Call } from '../../kit/serve.ts'
import * as q from './arrangements.queries.ts'
import { lockScreens, sendTo } from './screens.queries.ts'
import type { ContentOf } from './wall-content.service.ts'
import { communitiesOf } from './wall-figures.queries.ts'
import { communityOf } from './wall-scenes.ts'

type Api = typeof arrangementsApi
type Seen = { id: string; version: number }
type Facts = q.Facts

const shown = ({ kind, seconds, words }: Scene) =>
  `${sceneKind.label(kind)} ${seconds} 秒${words && `（${words}）`}`
/** The log's words about a version. */
const toldOf = (facts: Facts) => ({ ...factsOf(facts), scenes: facts.scenes.map(shown) })
const factsOf = ({ closes, holidays, name, opens, scenes }: Facts): Facts => ({
  name,
  scenes,
  opens,
  closes,
  holidays,
})

/** A store in the caller's reach that goes on. */
export async function activeStore(tx: Tx, call: Call, id: string) {
  const store = found(await q.storeOf(tx, call.user.tenant, id))
  if (!hasStore(call.user.scope, store.bc_id, store.id)) throw outside()
  refuse(store.active ? undefined : `${store.name}已经停用，不能再用来放屏幕`)
  return store
}
/** Half of the hours says nothing. */
function wholeHours({ closes, opens }: Facts): void {
  if (!opens !== !closes) throw invalid(opens ? 'closes' : 'opens', '开屏和息屏时间要么都填，要么都不填')
  if (opens && opens === closes) throw invalid('closes', '开屏和息屏时间不能相同；整天亮着就都不填')
}
/** Rings stand around a community that the branch knows. */
async function knownMiddles(tx: Tx, branch: { tenant: string; bc: string }, scenes: readonly Scene[]) {
  const said = scenes.flatMap((s) => (s.kind === sceneKind.code.rings && s.words ? [s.words] : []))
  if (said.length === 0) return
  const known = new Set((await communitiesOf(tx, branch)).map((r) => communityOf(r.community)))
  const unknown = said.find((words) => !known.has(communityOf(words)))
  if (unknown !== undefined)
    throw invalid(
      'scenes',
      `这个分公司在 ${unknown} 没有标过位置的工地，周边小区画不出来；请换一个小区，或留空`,
    )
}
async function freeName(tx: Tx, tenant: string, o: { store: string; name: string; but: string | null }) {
  if (await q.isNameTaken(tx, tenant, o)) throw invalid('name', `这个门店已经有叫 ${o.name} 的编排`)
}
/** Guests see none of what is for the house: asked when it is saved, sent, paired, and again where it is painted. */
export function refuseGuests(scenes: readonly Scene[], screens: readonly string[]): void {
  const staff = staffScenesOf(scenes)
  if (staff.length && screens.length)
    throw new Refused(
      `${screens.slice(0, 3).join('、')}是对外的屏幕，不能放${staff.join('、')}；请去掉这些场景，或换一块内部的屏幕`,
    )
}

export async function addArrangement(tx: Tx, call: Call, body: BodyOf<Api['add']>): Promise<{ id: string }> {
  const { tenant } = call.user
  const store = await activeStore(tx, call, body.store_id)
  const facts = factsOf(body)
  wholeHours(facts)
  await knownMiddles(tx, { tenant, bc: store.bc_id }, facts.scenes)
  await freeName(tx, tenant, { store: store.id, name: body.name, but: null })
  const id = call.newId()
  const by = call.user.nickname
  await q.addArrangement(tx, { ...facts, tenant, id, bc: store.bc_id, store: store.id, by })
  await call.log(tx, {
    action: '新建屏幕编排',
    object: 'arrangement',
    objectId: id,
    after: { ...toldOf(facts), store: store.name },
  })
  return { id }
}

async function held(tx: Tx, call: Call, one: Seen) {
  const arrangement = found(await q.lockArrangement(tx, call.user.scope, one.id))
  unlessSeen(arrangement, one.version, '个编排')
  return arrangement
}
async function change(tx: Tx, call: Call, old: Awaited<ReturnType<typeof held>>, to: Facts, action: string) {
  const { tenant } = call.user
  wholeHours(to)
  await knownMiddles(tx, { tenant, bc: old.bc_id }, to.scenes)
  await freeName(tx, tenant, { store: old.store_id, name: to.name, but: old.id })
  const guests = await q.screensShowing(tx, tenant, old.id, screenKind.code.public)
  refuseGuests(
    to.scenes,
    guests.map((s) => s.name),
  )
  const before = factsOf(old)
  await q.editArrangement(tx, { ...to, tenant, id: old.id, by: call.user.nickname, before })
  await call.log(tx, {
    action,
    object: 'arrangement',
    objectId: old.id,
    before: toldOf(old),
    after: toldOf(to),
  })
}
export async function editArrangement(tx: Tx, call: Call, body: BodyOf<Api['edit']>): Promise<null> {
  await change(tx, call, await held(tx, call, body), factsOf(body), '编辑屏幕编排')
  return null
}
export async function undoArrangement(tx: Tx, call: Call, body: Seen): Promise<null> {
  const old = await held(tx, call, body)
  if (!old.before) throw new Refused('这个编排还没有前一版')
  await change(tx, call, old, { holidays: holidayLight.code.lit, ...old.before }, '恢复编排的前一版')
  return null
}
/** The walls that show it go on with the house's own scene. */
export async function deleteArrangement(tx: Tx, call: Call, body: Seen): Promise<null> {
  const { tenant } = call.user
  const old = await held(tx, call, body)
  const screens = await q.screensShowing(tx, tenant, old.id, null)
  await q.deleteArrangement(tx, tenant, old.id)
  const before = { ...toldOf(old), screens: screens.map((s) => s.name) }
  await call.log(tx, { action: '删除屏幕编排', object: 'arrangement', objectId: old.id, before })
  return null
}
export async function sendArrangement(tx: Tx, call: Call, body: BodyOf<Api['send']>): Promise<null> {
  const { tenant } = call.user
  const arrangement = await held(tx, call, body)
  const ids = [...new Set(body.screens)]
  const screens = await lockScreens(tx, call.user.scope, ids)
  if (screens.length < ids.length) throw outside()
  for (const screen of screens) {
    refuse(screenActions.refusal('send', screen, actorAt(call.user, screen)))
    refuse(
      screen.bc_id === arrangement.bc_id
        ? undefined
        : `${screen.name}在别的分公司，那里的数字和这个编排的不是一家`,
    )
  }
  refuseGuests(
    arrangement.scenes,
    screens.filter((s) => s.kind === screenKind.code.public).map((s) => s.name),
  )
  await sendTo(tx, tenant, arrangement.id, ids)
  await call.log(tx, {
    action: '下发屏幕编排',
    object: 'arrangement',
    objectId: arrangement.id,
    before: { screens: screens.map((s) => `${s.name}（${s.arrangement ?? '店名画面'}）`) },
    after: { name: arrangement.name, screens: screens.map((s) => s.name) },
  })
  return null
}

/** In a person's own tab: what they may open decides which scenes for the house they see. */
export async function showArrangement(
  call: Call,
  query: QueryOf<Api['show']>,
  contentOf: ContentOf,
): Promise<DataOf<Api['show']>> {
  const { scope, tenant } = call.user
  const { chosen, list, names } = await call.read(async (tx) => {
    const all = await q.arrangementsIn(tx, scope)
    const id = query.id ?? all[0]?.id
    const one = id ? found(await q.arrangementOf(tx, scope, id)) : undefined
    return { list: all, chosen: one, names: await q.groupOf(tx, tenant) }
  })
  if (!chosen) return { list, chosen: null, bc_id: null, content: null }
  const alarms = reachOf(call.user, pageLabel('AlarmEvent'))
  const total = reachOf(call.user, pageLabel('BoardTotal'))
  const { bc_id } = chosen
  const content = await contentOf(
    {
      tenant,
      bc: bc_id,
      group: names,
      store: chosen.storeName,
      arrangement: chosen,
      may: (kind) => (kind === sceneKind.code.ranking ? !!total : !!alarms && hasBranch(alarms, bc_id)),
      ranked: total && !whole(total) ? (total.bcs ?? []) : null,
    },
    call.now(),
  )
  return { list, chosen: chosen.id, bc_id, content }
}
