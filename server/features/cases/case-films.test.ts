import { casesApi } from '@zhuguan/contract/features/cases/cases.api.ts'
import { customersApi } from '@zhuguan/contract/features/customers/customers.api.ts'
import { linksApi } from '@zhuguan/contract/features/links/links.api.ts'
import { ownersApi } from '@zhuguan/contract/features/owners/owners.api.ts'
import { previewsApi } from '@zhuguan/contract/features/shares/previews.api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { addDays, shanghaiDay } from '../../kit/shanghai.ts'
import { caseStage, type CaseStage, type Home } from '../../testing/casing.ts'
import { uploadPhoto } from '../../testing/photo.ts'
import { customerPhone, shareBy } from '../../testing/sharing.ts'
import { type Person, startTestServer, type TestServer } from '../../testing/start.ts'
import { dayAhead, testNow } from '../../testing/time.ts'

let server: TestServer
let gm: Person
let steward: Person
let service: Person
let sales: Person
let c: CaseStage
beforeAll(async () => {
  server = await startTestServer()
  ;[gm, steward, service, sales] = await Promise.all([
    server.as('branch_gm'),
    server.as('steward'),
    server.as('service'),
    server.as('sales'),
  ])
  c = await caseStage(server, { gm, steward, service })
})
afterAll(() => server.stop())

const today = shanghaiDay(testNow())
/** So many days ago, at that time. */
const ago = (days: number, time: string) => new Date(`${addDays(today, -days)}T${time}:00+08:00`)
const inStore = async (id: string) =>
  (await sales.call(casesApi.field, { query: {} })).list.find((k) => k.id === id)!

/** A case of these pictures, all of them masked and released; which day each rendition is of. */
async function caseOf(home: Home, keys: readonly string[]) {
  const { id } = await steward.call(casesApi.add, {
    body: { site_id: home.site, title: '南北通透的家', words: '', pictures: [...keys] },
  })
  await c.maskAll(id)
  await c.releaseAll(id)
  return id
}
async function publish(id: string, home: Home) {
  expect((await c.askFor(id)).code).toBe(200)
  expect((await c.onPaper(id, home)).code).toBe(200)
  expect((await c.publish(id)).code).toBe(200)
}

test('a film is one released picture a day of one camera at one hour; what is pulled is not in it', async () => {
  const home = c.homes[0]!
  const cameras = await server.sql<{ id: string }>(`SELECT id FROM devices WHERE site_id = $1 LIMIT 2`, [
    home.site,
  ])
  const [one, other] = [cameras[0]!.id, cameras[1]!.id]
  const shot = (camera: string | null, days: number, time: string) =>
    c.siteShot(home, camera, ago(days, time))
  // By day: two of one day, of which the one nearer to six counts; one at noon; one of another camera; one of none.
  const evening = [
    await shot(one, 9, '18:00'),
    await shot(one, 8, '18:20'),
    await shot(one, 6, '17:50'),
    await shot(one, 5, '18:00'),
  ]
  const others = [
    await shot(one, 8, '18:50'),
    await shot(one, 7, '12:00'),
    await shot(other, 7, '18:00'),
    await shot(other, 4, '18:00'),
    await shot(null, 4, '18:00'),
  ]
  const id = await caseOf(home, [...others, ...evening])
  await publish(id, home)
  const sources = new Map((await c.details(id)).pictures.map((p) => [p.rendition, p.source]))
  const film = async () => (await inStore(id)).film.map((key) => sources.get(key))
  expect(await film()).toEqual(evening)
  // Behind a link it is the same, as far as its bytes open.
  const link = await shareBy(sales, { kind: 'share', target_id: id, person: '陈女士' })
  const phone = customerPhone(server, link.token)
  await phone.open()
  const page = (await phone.state()).data
  expect(page.cases[0]!.film.map((key) => sources.get(key))).toEqual(evening)
  const p = (await c.details(id)).pictures.find((x) => x.source === evening[1])!
  await gm.call(casesApi.pull, { body: { id: p.id, version: p.version, reason: '有人入镜' } })
  // The other one of that day stands in; without the day there is one less.
  expect(await film()).toEqual([evening[0], others[0], evening[2], evening[3]])
})

test('two days are no film, nor is what its people were not shown', async () => {
  const home = c.homes[1]!
  const camera = await c.cameraOf(home)
  const keys = [
    await c.siteShot(home, camera, ago(5, '18:00')),
    await c.siteShot(home, camera, ago(4, '18:00')),
    await c.siteShot(home, camera, ago(3, '18:00')),
  ]
  const id = await caseOf(home, keys.slice(0, 2))
  await publish(id, home)
  expect((await inStore(id)).pictures).toHaveLength(2)
  expect((await inStore(id)).film).toEqual([])
  const last = c.homes[2]!
  const far = await c.cameraOf(last)
  const three = [
    await c.siteShot(last, far, ago(5, '18:00')),
    await c.siteShot(last, far, ago(4, '18:00')),
    await c.siteShot(last, far, ago(3, '18:00')),
  ]
  const next = await caseOf(last, three)
  await publish(next, last)
  expect((await inStore(next)).film).toHaveLength(3)
  // Masked anew it is another picture, that nobody of the home has seen.
  const p = (await c.details(next)).pictures[2]!
  await steward.call(casesApi.mask, {
    body: { id: p.id, version: p.version, turn: 0, masks: [{ x: 0, y: 0, w: 500, h: 500 }] },
  })
  expect((await inStore(next)).film).toEqual([])
  const again = (await c.details(next)).pictures[2]!
  await gm.call(casesApi.release, { body: { id: again.id, version: again.version } })
  expect((await inStore(next)).film).toEqual([])
})

test('openings of a case are those of links that show it, by customers alone', async () => {
  const id = await c.published(c.homes[3]!)
  const elsewhere = await c.published(c.homes[4]!)
  const openings = async (who = steward) =>
    (await who.call(casesApi.list, { query: { id } })).list[0]!.openings
  expect(await openings()).toBe(0)
  const { version } = await c.details(id)
  const link = await shareBy(sales, { kind: 'share', target_id: id, person: '陈女士' })
  const look = async (token: string) => {
    const phone = customerPhone(server, token)
    await phone.open()
    await phone.read()
    // Looked at once more it is the same opening.
    await phone.read()
  }
  await look(link.token)
  await look(link.token)
  expect(await openings()).toBe(2)
  // What somebody saw before is what it was.
  expect((await c.details(id)).version).toBe(version)
  const [place] = await server.sql<{ bc_id: string; store_id: string }>(
    'SELECT bc_id, store_id FROM links WHERE id = $1',
    [link.id],
  )
  const customer = await sales.call(customersApi.add, {
    body: { ...place!, name: '王先生', phone: '13655558888', community: '', address: '' },
  })
  const preview = await sales.call(previewsApi.add, {
    body: {
      customer_id: customer.id,
      title: '',
      words: '',
      items: [
        { kind: 'case', target_id: id },
        { kind: 'case', target_id: elsewhere },
      ],
    },
  })
  const sent = await sales.call(linksApi.create, {
    body: { kind: 'preview', target_id: preview.id, person: '' },
  })
  // One of them is shown no more: only the other one was looked at.
  const gone = await c.details(elsewhere, gm)
  await gm.call(casesApi.takeDown, { body: { id: elsewhere, version: gone.version, reason: '换一张' } })
  await look(sent.token)
  expect(await openings()).toBe(3)
  expect((await gm.call(casesApi.list, { query: { id: elsewhere } })).list[0]!.openings).toBe(0)
  const list = await gm.call(casesApi.list, { query: { sort: ['-openings'] } })
  expect(list.list[0]!.id).toBe(id)
})

test('who comes too late reads who was faster and when, of the case and of a picture', async () => {
  const home = c.homes[5]!
  const id = await c.made(home, 2)
  const before = await c.details(id)
  await gm.call(casesApi.edit, {
    body: {
      id,
      version: before.version,
      title: '换了标题',
      words: '',
      pictures: before.pictures.map((p) => p.source),
    },
  })
  const [who] = await server.sql<{ nickname: string }>(
    `SELECT nickname FROM users WHERE user_name = 'branch_gm'`,
  )
  const late = await steward.ask(casesApi.edit, {
    body: { id, version: before.version, title: '我的标题', words: '', pictures: [] },
  })
  expect([late.code, late.msg]).toEqual([
    409,
    expect.stringMatching(new RegExp(`^已被 ${who!.nickname} 于 \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d 处理`)),
  ])
  const [p] = before.pictures
  const masks = [{ x: 0, y: 0, w: 500, h: 500 }]
  await steward.call(casesApi.mask, { body: { id: p!.id, version: p!.version, turn: 0, masks } })
  const [mine] = await server.sql<{ nickname: string }>(
    `SELECT nickname FROM users WHERE user_name = 'steward'`,
  )
  const second = await gm.ask(casesApi.mask, { body: { id: p!.id, version: p!.version, turn: 0, masks } })
  expect([second.code, second.msg]).toEqual([
    409,
    expect.stringMatching(new RegExp(`^已被 ${mine!.nickname} 于 \\d{4}`)),
  ])
})

test('what can be published today, and what the others lack, is what the list shows', async () => {
  const told = async () => {
    const { lackConsent, lackMasks, ready } = await gm.call(casesApi.proposals, { query: {} })
    const count = async (query: object) => (await gm.call(casesApi.list, { query })).totalCount
    expect(await count({ soon: true })).toBe(ready)
    expect(await count({ lack: 'masks' })).toBe(lackMasks)
    expect(await count({ lack: 'consent' })).toBe(lackConsent)
    return { lackConsent, lackMasks, ready }
  }
  const was = await told()
  const home = c.homes[6]!
  const id = await c.made(home)
  expect(await told()).toEqual({ ...was, lackMasks: was.lackMasks + 1 })
  await c.maskAll(id)
  expect(await told()).toEqual({ ...was, lackMasks: was.lackMasks + 1 })
  await c.releaseAll(id)
  expect(await told()).toEqual({ ...was, lackConsent: was.lackConsent + 1 })
  expect((await c.askFor(id, { until: dayAhead(2) })).code).toBe(200)
  expect(await told()).toEqual({ ...was, lackConsent: was.lackConsent + 1 })
  const spouse = await steward.call(ownersApi.addContact, {
    body: { site_id: home.site, name: '陈太太', relation: 'spouse', phone: '13700002222' },
  })
  expect((await c.onPaper(id, home)).code).toBe(200)
  expect(await told()).toEqual({ ...was, ready: was.ready + 1 })
  // Somebody of the home says no: a couple that disagrees is not ready, and the list says who.
  await server.sql(
    `INSERT INTO consents (tenant_id, id, kind, subject_type, subject_id, state, how, answered_on, scope, recorded_by,
       recorded_at)
     VALUES ($1, gen_random_uuid(), 'case', 'contact', $2, 2, 'written', :today, '', '', :now)`,
    [home.tenant, spouse.id],
  )
  expect(await told()).toEqual({ ...was, lackConsent: was.lackConsent + 1 })
  const [row] = (await gm.call(casesApi.list, { query: { id } })).list
  expect(row!.missing).toMatch(/^陈太太说过不同意/)
  expect((await c.publish(id)).msg).toMatch(/^陈太太说过不同意/)
})

test('homes propose themselves: pairs, tidiness, on time, praise; a no and a case keep them out', async () => {
  const gm2 = await server.as('branch_gm2')
  const [place] = await server.sql<{ tenant: string; bc: string }>(
    `SELECT tenant_id AS tenant, bc_id AS bc FROM companies WHERE code = 'NB'`,
  )
  const sites = await server.sql<{ id: string; contact: string }>(
    `SELECT w.id, h.id AS contact FROM sites w
     JOIN home_contacts h ON h.site_id = w.id AND h.owner_id IS NOT NULL AND h.ended_at IS NULL
     WHERE w.bc_id = $1 AND w.status = 1 ORDER BY w.code LIMIT 6`,
    [place!.bc],
  )
  await server.sql(`DELETE FROM tidiness_checks WHERE bc_id = $1`, [place!.bc])
  await server.sql(`DELETE FROM patrol_items WHERE patrol_id IN (SELECT id FROM patrols WHERE bc_id = $1)`, [
    place!.bc,
  ])
  await server.sql(`UPDATE patrols SET picture = NULL WHERE bc_id = $1`, [place!.bc])
  await server.sql(`DELETE FROM feedback WHERE bc_id = $1 AND kind = 'praise'`, [place!.bc])
  await server.sql(`UPDATE sites SET planned_finish = $2 WHERE bc_id = $1`, [place!.bc, addDays(today, 30)])
  /** Pictures of a camera on so many days, with these verdicts. */
  async function looked(i: number, cameras: number, results: readonly number[]): Promise<void> {
    for (let n = 0; n < cameras; n += 1)
      for (const [d, result] of results.entries()) {
        const key = await uploadPhoto(server.url, gm2)
        await server.sql(
          `INSERT INTO tidiness_checks (tenant_id, id, bc_id, site_id, device_id, at, result, picture)
           SELECT $1, gen_random_uuid(), $2, $3, id, $4, $5, $6 FROM devices WHERE bc_id = $2
           ORDER BY id OFFSET $7 LIMIT 1`,
          [place!.tenant, place!.bc, sites[i]!.id, ago(20 - d, '18:00'), result, key, n],
        )
      }
  }
  await looked(0, 1, [1, 1, 1, 1, 1])
  await looked(1, 2, [1, 3, 1, 4, 1])
  await looked(2, 1, [1, 3, 1, 1, 1])
  await looked(3, 1, [1, 1, 1, 1, 1])
  await looked(4, 1, [1, 1])
  await looked(5, 2, [1, 1, 1, 1, 1])
  await server.sql(`UPDATE sites SET planned_finish = $2 WHERE id = $1`, [sites[3]!.id, addDays(today, -1)])
  // Whoever of a home says no is not asked by a proposal.
  await server.sql(
    `INSERT INTO consents (tenant_id, id, kind, subject_type, subject_id, state, how, answered_on, scope, recorded_by,
       recorded_at)
     VALUES ($1, gen_random_uuid(), 'case', 'contact', $2, 2, 'written', :today, '', '', :now)`,
    [place!.tenant, sites[5]!.contact],
  )
  const proposed = async () => (await gm2.call(casesApi.proposals, { query: {} })).sites
  const of = (list: Awaited<ReturnType<typeof proposed>>) =>
    list.map((s) => [sites.findIndex((x) => x.id === s.site_id), s.pairs, s.tidy, s.tidyOf, s.onTime])
  expect(of(await proposed())).toEqual([
    [1, 2, 75, 8, true],
    [0, 1, 100, 5, true],
    [3, 1, 100, 5, false],
    [2, 1, 80, 5, true],
    [4, 1, null, 2, true],
  ])
  // A home that has a case proposes nothing any more.
  const done = c.homes[0]!.site
  const mine = (await gm.call(casesApi.proposals, { query: {} })).sites.map((k) => k.site_id)
  expect(mine).not.toContain(done)
})
