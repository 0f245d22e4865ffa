import { api } from '@zhuguan/contract/api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { closeDemoDay } from './app/demo-days.ts'
import { dealDemo } from './app/demo-deals.ts'
import { openFileStore } from './features/files/file-store.ts'
import { shanghaiDay } from './kit/shanghai.ts'
import { type Person, startTestServer, type TestServer } from './testing/start.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
  const files = openFileStore(server.dataDir)
  const most = { sites: 0, deals: 0, delivered: 0, leads: 0 }
  await dealDemo(server.logins, { files, secretKey: server.secretKey, now: server.now(), most })
  await closeDemoDay(server.db, shanghaiDay(server.now()), true)
}, 600_000)
afterAll(() => server.stop())

test('in both groups of the demo promises stand in every state, and their rates are of enough of them', async () => {
  for (const name of ['branch_gm', 'branch_gm2', 'other']) {
    const who = await server.as(name)
    const { list } = await who.call(api.promises.list, { query: { pageSize: 100 } })
    const states = new Set(list.map((p) => p.state))
    expect([...states].toSorted(), name).toEqual(['broken', 'extended', 'kept', 'open', 'withdrawn'])
    expect(list.some((p) => p.objected) && list.some((p) => p.state === 'open' && p.lateDays), name).toBe(
      true,
    )
    expect(
      list.some((p) => p.extensions === 2),
      name,
    ).toBe(true)
    const rates = await who.call(api.promises.rates, { query: {} })
    expect(rates.first.n, name).toBeGreaterThanOrEqual(5)
    expect(rates.first.kept, name).toBeLessThan(rates.first.n)
    const { figures } = await who.call(api.home.cards)
    expect(figures.find((f) => f.card === 'promises')!.value, name).toBeGreaterThan(0)
  }
})

test('in both groups of the demo somebody was away and somebody will be, and others stood in', async () => {
  for (const name of ['branch_gm', 'branch_gm2', 'other']) {
    const states = await server.sql<{ over: boolean }>(
      `SELECT a.to_day < :today AS over FROM absences a JOIN users d ON d.id = a.deputy_id
       WHERE d.user_name = $1 ORDER BY a.from_day`,
      [name],
    )
    expect(states, name).toEqual([{ over: true }, { over: false }])
  }
})

test('in both groups of the demo stages were warned of and accepted, and something is wrong now', async () => {
  for (const name of ['branch_gm', 'branch_gm2', 'other']) {
    const who = await server.as(name)
    const of = async (state: 'closed' | 'open') =>
      (await who.call(api.warnings.list, { query: { state: [state], pageSize: 100 } })).list
    const past = await of('closed')
    expect(
      past.every((w) => w.end === 'done' && w.deviation >= 3 && w.closedAt! > w.openedAt),
      name,
    ).toBe(true)
    expect(past.length, name).toBeGreaterThan(0)
    expect((await of('open')).length, name).toBeGreaterThan(0)
  }
})

test('in both groups of the demo homes wait for an answer, one of them too long, and others have theirs', async () => {
  for (const name of ['branch_gm', 'branch_gm2', 'other']) {
    const who = await server.as(name)
    const { list } = await who.call(api.owners.list, { query: { waiting: true, sort: ['waitingSince'] } })
    expect(
      list.map((h) => h.replyLate),
      name,
    ).toEqual([true, false])
    const thread = await who.call(api.threads.details, { query: { site_id: list[0]!.id } })
    expect(thread.templates.length, name).toBeGreaterThan(2)
    const lines = await server.sql<{ kind: string; side: string }>(
      `SELECT DISTINCT m.kind, m.side FROM thread_messages m
       JOIN users u ON u.tenant_id = m.tenant_id AND u.user_name = $1`,
      [name],
    )
    expect(lines, name).toHaveLength(4)
  }
})

/** Who leads each branch: of the first group two, of the second its only one; and who keeps most of its homes. */
const BRANCHES = [
  { gm: 'branch_gm', steward: 'steward' },
  { gm: 'branch_gm2', steward: 'steward2' },
  { gm: 'other', steward: 'other_steward' },
] as const
const homesOf = async (who: Person) => (await who.call(api.owners.list, { query: { pageSize: 100 } })).list
const kindsOf = (list: readonly unknown[]) => [...new Set(list)].toSorted()

test('sixty people live in homes: couples, one that was sold, a buyer in two branches, one lived in', async () => {
  let people = 0
  const buyers: { name: string; phone: string }[][] = []
  for (const { gm } of BRANCHES) {
    const who = await server.as(gm)
    const homes = await homesOf(who)
    const details = await Promise.all(
      homes.map((h) => who.call(api.owners.details, { query: { site_id: h.id } })),
    )
    const living = details.flatMap((d) => d.contacts.filter((c) => c.endedAt === null))
    people += living.length
    expect(living.filter((c) => c.relation === 'spouse').length, gm).toBeGreaterThan(2)
    const [sold, ...others] = details.filter((d) => d.contacts.some((c) => c.endedFor.includes('房子卖了')))
    expect(others, gm).toEqual([])
    const [former] = sold!.contacts.filter((c) => c.endedAt !== null && c.relation === 'owner')
    const buyer = sold!.contacts.find((c) => c.signatory && c.endedAt === null)!
    expect(former!.name, gm).not.toBe(buyer.name)
    buyers.push([{ name: buyer.name, phone: buyer.phone }])
    const sites = await Promise.all(homes.map((h) => who.call(api.sites.details, { query: { id: h.id } })))
    expect(sites.filter((w) => w.livedIn).length, gm).toBe(1)
  }
  expect(people).toBeGreaterThanOrEqual(60)
  // One person has a home in each branch of the first group.
  expect(buyers[1]).toEqual(buyers[0])
  expect(buyers[2]).not.toEqual(buyers[0])
})

test('in both groups some agreed to look and some did not; who may has looked, as others of us have', async () => {
  for (const { gm } of BRANCHES) {
    const who = await server.as(gm)
    const homes = await homesOf(who)
    expect(kindsOf(homes.map((h) => h.video)), gm).toEqual(['agreed', 'granted', 'none', 'stopped'])
    const asked = await Promise.all(homes.map((h) => who.call(api.grants.home, { query: { site_id: h.id } })))
    const contacts = asked.flatMap((home) => home.contacts)
    // 同意, 不同意, 已撤回, and who was never asked.
    expect(new Set(contacts.map((c) => c.consent)), gm).toEqual(new Set([1, 2, 3, null]))
    const granted = homes.filter((h) => h.video === 'granted')
    expect(granted.length, gm).toBe(2)
    for (const home of granted) {
      expect(home.lastLookAt, gm).not.toBeNull()
      const looks = await who.call(api.looks.looks, { query: { site_id: home.id } })
      expect(
        looks.list.every((l) => l.seconds > 20 && !l.running && /手机/.test(l.device)),
        gm,
      ).toBe(true)
      expect(looks.totalCount, gm).toBeGreaterThan(0)
      const views = await who.call(api.looks.views, { query: { site_id: home.id } })
      expect(views.totalCount, gm).toBeGreaterThan(0)
      expect(
        views.list.every((v) => v.seconds > 60 && v.userName && v.post),
        gm,
      ).toBe(true)
    }
    const devices = await Promise.all(
      homes.map((h) => who.call(api.homeDevices.list, { query: { site_id: h.id } })),
    )
    expect(kindsOf(devices.flat().map((d) => d.state)), gm).toEqual(['asking', 'bound'])
  }
})

test('in both groups homes are told of their day and visited, and an owner answers on the own telephone', async () => {
  for (const { gm } of BRANCHES) {
    const who = await server.as(gm)
    const homes = await homesOf(who)
    const states = new Set<string>()
    let lines: { kind: string; side: string; channel: string; at: number; seenAt: number | null }[] = []
    for (const { id: site_id } of homes) {
      const visits = await who.call(api.receptions.list, { query: { site_id } })
      for (const visit of visits.list) states.add(visit.state)
      lines = [...lines, ...(await who.call(api.threads.list, { query: { site_id } })).list]
    }
    expect([...states].toSorted(), gm).toEqual(['arrived', 'cancelled', 'done', 'missed', 'planned'])
    const told = lines.filter((l) => l.kind === 'progress')
    const now = Math.floor(server.now().getTime() / 1000)
    expect([told.length, told.filter((l) => now - l.at < 3_600).length], gm).toEqual([5, 2])
    const own = lines.filter((l) => l.side === 'owner' && l.channel === 'page')
    expect(own.length, gm).toBe(1)
    expect(
      lines.some((l) => l.seenAt !== null),
      gm,
    ).toBe(true)
    const questions = await who.call(api.questions.list, { query: { pageSize: 100 } })
    // By telephone nothing proves it; where nobody else has vouched for the device, it is that one hand's.
    const phoned = questions.list.flatMap((q) => q.answers).filter((a) => a.pictures.length === 0)
    expect(phoned.length, gm).toBeGreaterThan(0)
    if (gm === 'branch_gm') expect(phoned.map((a) => a.recordedBy)).toContain('')
  }
})

test('in both groups complaints stand at every level: paused, reopened, scored, kept from a steward', async () => {
  for (const { gm, steward } of BRANCHES) {
    const who = await server.as(gm)
    const feedback = (await who.call(api.feedback.list, { query: { pageSize: 100 } })).list
    expect(kindsOf(feedback.map((f) => f.status)), gm).toEqual([1, 2, 3, 4])
    expect(kindsOf(feedback.map((f) => f.kind)), gm).toEqual(['complaint', 'praise', 'repair', 'suggestion'])
    const complaints = feedback.filter((f) => f.kind === 'complaint')
    expect(kindsOf(complaints.map((f) => f.level)), gm).toEqual([1, 2, 3])
    expect(kindsOf(feedback.map((f) => f.pauseFor)).filter(Boolean), gm).toEqual(['owner', 'third'])
    expect(
      complaints.some((f) => f.status === 2 && f.round === 2 && f.closedAt === null),
      gm,
    ).toBe(true)
    expect(
      complaints.some((f) => f.overdue && f.rung === 2),
      gm,
    ).toBe(true)
    expect(
      complaints.some((f) => f.channel === 'link' && f.score === 5 && f.scoredBy === ''),
      gm,
    ).toBe(true)
    const [hidden, ...more] = complaints.filter((f) => f.hidden)
    expect(more, gm).toEqual([])
    const keeper = await server.sql<{ user_name: string }>('SELECT user_name FROM users WHERE id = $1', [
      hidden!.about_id,
    ])
    for (const name of new Set([keeper[0]!.user_name, steward])) {
      const list = await (await server.as(name)).call(api.feedback.list, { query: { pageSize: 100 } })
      expect(
        list.list.some((f) => f.id === hidden!.id),
        name,
      ).toBe(false)
      expect(list.list.length, name).toBeGreaterThan(0)
    }
    expect(
      (await homesOf(who)).some((h) => h.scores > 0 && h.score === 5),
      gm,
    ).toBe(true)
  }
})

test('in both groups owners are asked: overdue, answered, withdrawn and asked anew', async () => {
  for (const name of ['branch_gm', 'branch_gm2', 'other']) {
    const who = await server.as(name)
    const { list } = await who.call(api.questions.list, { query: { pageSize: 100 } })
    const states = new Set(list.map((q) => q.state))
    expect([...states].toSorted(), name).toEqual(['answered', 'open', 'withdrawn'])
    expect(
      list.some((q) => q.lateDays && q.stage && q.pictures.length === 1),
      name,
    ).toBe(true)
    expect(list.filter((q) => q.againOf).length, name).toBe(1)
    expect(
      list.some((q) => q.state === 'answered' && q.costs && q.answers[0]!.recordedBy),
      name,
    ).toBe(true)
    const { figures } = await who.call(api.home.cards)
    expect(figures.find((f) => f.card === 'questions')!.parts[0]!.value, name).toBeGreaterThan(0)
  }
})
