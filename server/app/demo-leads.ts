import { customersApi } from '@zhuguan/contract/features/customers/customers.api.ts'
import { customerSource, lostReason } from '@zhuguan/contract/features/customers/customers.record.ts'
import { followUpsApi } from '@zhuguan/contract/features/customers/follow-ups.api.ts'
import { followKind } from '@zhuguan/contract/features/customers/follow-ups.record.ts'
import { signingBoardApi } from '@zhuguan/contract/features/customers/signing-board.api.ts'
import { sessionApi } from '@zhuguan/contract/features/session/session.api.ts'

import { type lottery, personName, phone } from '../database/seed/names.ts'
import { hourOf } from '../database/seed/stories.ts'
import { addDays, shanghaiDay } from '../kit/shanghai.ts'
import type { Door, Worker } from './demo-door.ts'
import { after, type Story } from './demo-timeline.ts'

type Lottery = ReturnType<typeof lottery>
/** Who finds customers in each branch, beside whoever leads it. */
export const CONSULTANT = { HZ: 'sales', NB: 'quoter2', SZ: 'other_quoter' } as const
/** The number that comes in a hundred days. */
const LEADS = { HZ: 180, NB: 80, SZ: 100 } as const
export type LeadBranch = keyof typeof LEADS

export interface LeadPlace {
  code: LeadBranch
  bc: string
  store: string
  communities: readonly string[]
  gm: Worker
}
const SAID = [
  '问了户型和入住时间',
  '发了同小区的案例',
  '聊了预算，偏现代',
  '加了微信，发了套餐单',
  '约周末到店',
]
const MET = ['到店看了样板间，喜欢浅色', '量了房，厨房要改门洞', '带家人到店，想要三室改两室']
const STYLES = ['现代', '原木', '奶油', '新中式', '法式']
const LOST = ['比小区门口那家贵', '朋友自己带工队', '今年不装了', '电话一直没人接', '房子卖了']
const DAYS = 100
/** Of the last so many days nothing has been lost yet, and the last of them wait for their first call. */
const LATELY = 12
const UNANSWERED = 3

/** What has happened with a lead when its story is told, by its place among all of them. */
function wayOf(
  i: number,
  of: number,
): { talks: number; met: boolean; end: 'lost' | 'open' | 'pool' | 'refuses' } {
  if (i >= of - UNANSWERED) return { talks: 0, met: false, end: 'open' }
  const isLate = i >= of - LATELY
  const turn = i % 10
  if (turn === 0) return { talks: 0, met: false, end: 'pool' }
  if (turn === 9) return { talks: 1, met: false, end: 'refuses' }
  const end = isLate || turn > 6 ? 'open' : 'lost'
  return { talks: 1 + (i % 3), met: i % 2 === 0, end }
}

interface Office extends LeadPlace {
  door: Door
  l: Lottery
  consultant: Worker
  me: string
}
const moment = (at: Date) => Math.floor(at.getTime() / 1000)
const seen = async ({ consultant }: Office, id: string) => {
  const { version } = await consultant.call(customersApi.details, { query: { id } })
  return { id, version }
}

async function enter(o: Office, i: number, own: boolean): Promise<string> {
  const { bc, communities, consultant, gm, l, me, store } = o
  const facts = {
    bc_id: bc,
    store_id: store,
    name: personName(l),
    phone: phone(l),
    source: customerSource.values[i % (customerSource.values.length - 2)]!,
    community: l.pick(communities),
    address: `${1 + l.below(20)} 幢 ${1 + l.below(18)}0${1 + l.below(4)}`,
    area: String(80 + l.below(80)),
    budget: String(80_000 + l.below(20) * 10_000),
    style: l.pick(STYLES),
  }
  const { id } = await (own ? consultant : gm).call(customersApi.add, {
    body: { ...facts, consultant_id: own ? me : null, told: i % 5 > 0 },
  })
  return id
}

/** One lead from its first day on: who has it, what was said, how it ends or what comes next. */
async function* leadOf(o: Office, i: number, of: number, until: Date): Story {
  const { consultant, door, gm, l } = o
  const today = shanghaiDay(until)
  const day = addDays(today, -Math.ceil(((of - i) * DAYS) / of))
  yield hourOf(day, 9 + (i % 8))
  const way = wayOf(i, of)
  const own = i % 3 !== 0 && way.end !== 'pool'
  const id = await enter(o, i, own)
  if (way.end === 'pool') return
  if (!own) {
    yield after(door, 2)
    await gm.call(customersApi.assign, { body: { list: [await seen(o, id)], to: o.me } })
  }
  if (i % 7 === 3) {
    const spouse = { name: personName(l), relation: 'spouse' as const, phone: phone(l) }
    await consultant.call(customersApi.addContact, { body: { ...(await seen(o, id)), ...spouse } })
  }
  const meeting = i % 4 === 0 ? followKind.code.measure : followKind.code.store
  for (let talk = 0; talk < way.talks; talk++) {
    yield hourOf(addDays(day, talk), 14 + ((i + talk) % 5))
    if (door.now() >= until) return
    const met = way.met && talk === way.talks - 1
    const kind = met ? meeting : followKind.code.phone
    await consultant.call(followUpsApi.add, {
      body: { customer_id: id, kind, at: moment(door.now()), content: l.pick(met ? MET : SAID) },
    })
  }
  if (way.end === 'lost') {
    yield hourOf(addDays(day, way.talks + 5), 16)
    if (door.now() >= until) return
    const why = lostReason.values[i % lostReason.values.length]!
    await consultant.call(customersApi.lose, { body: { ...(await seen(o, id)), why, reason: l.pick(LOST) } })
  }
  if (way.end === 'refuses')
    await consultant.call(customersApi.refuse, { body: { ...(await seen(o, id)), reason: '说不要再打电话' } })
  if (way.end === 'open' && way.talks > 0) {
    // Some are overdue by now, some are of today, most come in the next days.
    const ahead = (i % 6) - 1
    const at = hourOf(addDays(today, ahead), 10 + (i % 7))
    // What is planned lies ahead of the moment in which it is planned.
    yield hourOf(addDays(today, Math.min(ahead, 0) - 1), 17)
    await consultant.call(followUpsApi.plan, {
      body: { customer_id: id, kind: followKind.values[i % 4]!, at: moment(at), content: l.pick(SAID) },
    })
  }
}

/** Husband and wife came separately and are one home; a broker is a channel with people of their own. */
async function* pairOf(o: Office, until: Date): Story {
  const { bc, communities, consultant, gm, l, me, store } = o
  const place = { bc_id: bc, store_id: store, community: communities[0]!, address: '6 幢 602' }
  yield hourOf(addDays(shanghaiDay(until), -20), 10)
  const add = (name: string, more: object) =>
    consultant.call(customersApi.add, {
      body: { ...place, name, phone: phone(l), consultant_id: me, told: true, ...more },
    })
  const husband = await add('周明远', { source: 'walkIn' as const })
  const wife = await add('许静', { source: 'online' as const })
  await consultant.call(followUpsApi.add, {
    body: {
      customer_id: husband.id,
      kind: 'store',
      at: moment(o.door.now()),
      content: '先生到店，说太太也咨询过',
    },
  })
  yield after(o.door, 20)
  const into = await seen(o, husband.id)
  await gm.call(customersApi.merge, {
    body: {
      ...(await seen(o, wife.id)),
      into: into.id,
      intoVersion: into.version,
      reason: '夫妻两人各留了电话',
    },
  })
  const broker = await add('安居中介 小赵', { source: 'channel' as const, community: '', address: '' })
  await consultant.call(followUpsApi.add, {
    body: {
      customer_id: broker.id,
      kind: 'wechat',
      at: moment(o.door.now()),
      content: '每月介绍两三户，按渠道登记',
    },
  })
}

/** What was aimed at in the last months: one was reached, one was not, this one goes on. */
async function* targetsOf(o: Office, until: Date): Story {
  const { bc, gm, me, store } = o
  const today = shanghaiDay(until)
  const months = [-60, -30, 0].map((days) => addDays(today, days).slice(0, 7))
  for (const [i, month] of [...new Set(months)].entries()) {
    const at = hourOf(`${month}-02`, 9)
    yield at < until ? at : hourOf(addDays(today, -1), 9)
    const of = { month, bc_id: bc, reason: '按去年同期上调' }
    await gm.call(signingBoardApi.setTarget, {
      body: { ...of, people: 4 + i, money: String(600_000 + i * 100_000) },
    })
    await gm.call(signingBoardApi.setTarget, {
      body: { ...of, store_id: store, consultant_id: me, people: 2 + i, money: String(300_000 + i * 50_000) },
    })
  }
}

/** A hundred days of leads in a branch. */
export async function leadsOf(door: Door, place: LeadPlace, l: Lottery, until: Date): Promise<Story[]> {
  const consultant = await door.as(CONSULTANT[place.code])
  const { id: me } = await consultant.call(sessionApi.userdata)
  const office: Office = { ...place, door, l, consultant, me }
  const n = LEADS[place.code]
  return [
    ...Array.from({ length: n }, (_, i) => leadOf(office, i, n, until)),
    pairOf(office, until),
    targetsOf(office, until),
  ]
}
