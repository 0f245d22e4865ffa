import { randomUUID } from 'node:crypto'

import { linksApi } from '@zhuguan/contract/features/links/links.api.ts'
import { patrolsApi } from '@zhuguan/contract/features/patrols/patrols.api.ts'
import { patrolTemplatesApi } from '@zhuguan/contract/features/patrols/plans.api.ts'
import { sitesApi } from '@zhuguan/contract/features/sites/sites.api.ts'
import { stagesApi } from '@zhuguan/contract/features/sites/stages.api.ts'
import { progressApi as api } from '@zhuguan/contract/features/threads/progress.api.ts'
import { threadPageApi } from '@zhuguan/contract/features/threads/thread-page.api.ts'
import { threadsApi } from '@zhuguan/contract/features/threads/threads.api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { shanghaiDay, startOfDay } from '../../kit/shanghai.ts'
import { openDelivery } from '../../testing/delivering.ts'
import { boundPhone } from '../../testing/homes.ts'
import { uploadPhoto } from '../../testing/photo.ts'
import { type Person, startTestServer, type TestServer } from '../../testing/start.ts'

const HOUR = 3_600_000
let server: TestServer
let gm: Person, steward: Person, inspector: Person
let homes: { site: string; bc: string; contact: string; name: string }[]
let template: string
beforeAll(async () => {
  server = await startTestServer()
  server.later(startOfDay(shanghaiDay(server.now())).getTime() + 34 * HOUR - server.now().getTime())
  await enter()
  homes = await server.sql(
    `SELECT w.id AS site, w.bc_id AS bc, h.id AS contact, w.ws_name AS name FROM sites w
     JOIN home_contacts h ON h.site_id = w.id AND h.owner_id IS NOT NULL AND h.ended_at IS NULL
     JOIN users s ON s.id = w.steward_id AND s.user_name = 'steward'
     JOIN users m ON m.id = w.manager_id AND m.user_name = 'pm'
     WHERE w.status = 1 ORDER BY w.code`,
  )
  ;({ id: template } = await gm.call(patrolTemplatesApi.add, {
    body: {
      name: '进度巡检',
      bc_id: homes[0]!.bc,
      items: [
        { title: '墙面平整', hint: '', weight: 1, photo: false },
        { title: '成品保护', hint: '', weight: 1, photo: false },
      ],
    },
  }))
})
afterAll(() => server.stop())
async function enter() {
  gm = await server.as('branch_gm')
  steward = await server.as('steward')
  inspector = await server.as('inspector')
}

/** A patrol on the spot with a picture of each item; the second item may be wrong. */
async function patrol(site: string, failed = false) {
  const { id, items } = await inspector.call(patrolsApi.begin, {
    body: { site_id: site, template_id: template },
  })
  const pictures = [await uploadPhoto(server.url, inspector), await uploadPhoto(server.url, inspector)]
  await inspector.call(patrolsApi.submit, {
    body: {
      id,
      remark: '王师傅没戴安全帽',
      items: [
        { id: items[0]!.id, verdict: 'passed', pictures: [pictures[0]!] },
        {
          id: items[1]!.id,
          verdict: failed ? 'failed' : 'passed',
          pictures: [pictures[1]!],
          ...(failed ? { correction: { problem: '王师傅没有做成品保护' } } : {}),
        },
      ],
    },
  })
  return pictures as [string, string]
}
const proposal = (site: string, who = steward) => who.call(api.proposal, { query: { site_id: site } })
const send = async (site: string, more: object = {}, who = steward) =>
  who.ask(api.send, {
    body: {
      site_id: site,
      act: randomUUID(),
      after: (await proposal(site)).newest,
      words: '今天水电开工了',
      pictures: [],
      ...more,
    },
  })
const lines = async (site: string) =>
  (await gm.call(threadsApi.list, { query: { site_id: site, pageSize: 50 } })).list

test('what happened today is proposed, chosen and told; pictures come to the home as copies', async () => {
  const home = homes[0]!
  const before = await proposal(home.site)
  expect(before).toMatchObject({ siteName: home.name, sent: [], pictures: [] })
  const waiting = await server.sql<{ stage: 'tiling' }>(
    `SELECT stage FROM site_stages WHERE site_id = $1 AND actual_start IS NULL ORDER BY sort LIMIT 1`,
    [home.site],
  )
  const { version } = await gm.call(sitesApi.details, { query: { id: home.site } })
  await gm.call(stagesApi.change, {
    body: { id: home.site, version, stage: waiting[0]!.stage, action: 'begin' },
  })
  const [fine, wrong] = await patrol(home.site, true)
  const { happened, newest, pictures } = await proposal(home.site)
  expect(happened.map((h) => h.text)).toEqual([expect.stringMatching(/^.+阶段开始施工$/), '工程巡检 1 次'])
  // What was in order comes first; nothing that staff wrote, and nobody's name, stands there.
  expect(pictures.map((p) => [p.key, p.title, p.failed])).toEqual([
    [fine, '墙面平整', false],
    [wrong, '成品保护', true],
  ])
  expect(JSON.stringify([happened, pictures])).not.toContain('王师傅')
  const act = randomUUID()
  const said = { act, after: newest, words: '今天水电开工了', pictures: [fine] }
  const made = await send(home.site, said)
  expect(made.code).toBe(200)
  // Sent twice is once, whatever was said meanwhile.
  expect((await send(home.site, said)).data).toEqual(made.data)
  const told = await lines(home.site)
  expect(told.filter((l) => l.kind === 'progress')).toHaveLength(1)
  const [key] = told[0]!.pictures
  expect(key).not.toBe(fine)
  expect((await proposal(home.site)).sent).toHaveLength(1)
  const phone = await boundPhone(server, steward, home)
  const neighbour = await boundPhone(server, steward, homes[1]!)
  const own = await phone.who.call(threadPageApi.thread, { body: { ...phone.bearer, before: null } })
  expect(own.messages.at(-1)).toMatchObject({ words: '今天水电开工了', pictures: [key] })
  const looks = async (by: typeof phone, of: string) =>
    (await by.who.ask(linksApi.picture, { body: { ...by.bearer, key: of } })).code
  expect([await looks(neighbour, key!), await looks(phone, fine), await looks(phone, wrong)]).toEqual([
    403, 403, 403,
  ])
  expect((await phone.picture(key!)).status).toBe(200)
  // Taken back it leaves the thread; the patrol keeps its picture.
  await steward.call(threadsApi.takeBack, { body: { id: made.data.id } })
  expect((await phone.picture(key!)).status).toBe(403)
  expect((await proposal(home.site)).sent).toEqual([])
  expect((await proposal(home.site)).pictures.map((p) => p.key)).toContain(fine)
})

test('what is told of the day answers nothing: what the home asked waits on', async () => {
  const home = homes[1]!
  await patrol(home.site)
  await steward.call(threadsApi.hear, {
    body: { site_id: home.site, channel: 'phone', words: '瓷砖什么时候到' },
  })
  const past = await send(home.site, { after: 0 })
  expect([past.code, past.msg]).toEqual([409, expect.stringContaining('瓷砖什么时候到')])
  expect((await proposal(home.site)).waits).toBe(true)
  expect((await send(home.site)).code).toBe(200)
  const about = await gm.call(threadsApi.details, { query: { site_id: home.site } })
  expect(about.waitingSince).not.toBeNull()
  expect((await lines(home.site)).find((l) => l.side === 'owner')).toMatchObject({ waits: true })
})

test('pictures of another home, of yesterday, of a camera or of nobody are not told', async () => {
  const [home, next] = [homes[2]!, homes[3]!]
  const [theirs] = await patrol(next.site)
  const [mine] = await patrol(home.site)
  const loose = await uploadPhoto(server.url, steward)
  for (const key of [theirs, loose]) expect((await send(home.site, { pictures: [key] })).code).toBe(403)
  expect((await lines(home.site)).filter((l) => l.kind === 'progress')).toEqual([])
  await server
    .sql(
      `UPDATE patrols SET kind = 'remote', device_id = (SELECT id FROM devices LIMIT 1)
    WHERE site_id = $1 AND status = 2`,
      [home.site],
    )
    .catch(() =>
      server.sql(`UPDATE patrols SET kind = 'remote' WHERE site_id = $1 AND status = 2`, [home.site]),
    )
  expect((await proposal(home.site)).pictures).toEqual([])
  expect((await send(home.site, { pictures: [mine] })).code).toBe(403)
  server.later(24 * HOUR)
  await enter()
  expect(await proposal(next.site)).toMatchObject({ pictures: [], happened: [] })
  expect((await send(next.site, { pictures: [theirs] })).code).toBe(403)
})

test('one home after the other: those with something to tell, what was told last', async () => {
  const [a, b] = [homes[0]!, homes[1]!]
  await patrol(a.site)
  await patrol(b.site)
  const mine = async () => (await steward.call(api.homes)).map((h) => [h.site_id, h.sentAt !== null])
  expect(new Map((await mine()) as [string, boolean][])).toEqual(
    new Map([
      [a.site, false],
      [b.site, false],
    ]),
  )
  expect((await send(a.site)).code).toBe(200)
  expect((await mine()).at(-1)).toEqual([a.site, true])
  expect((await send(b.site, { words: '' })).code).toBe(400)
  // Nobody of another branch, and nobody who answers no owner.
  const elsewhere = await server.as('branch_gm2')
  expect((await send(b.site, {}, elsewhere)).code).toBe(403)
  expect((await elsewhere.call(api.homes)).map((h) => h.site_id)).not.toContain(b.site)
  expect((await (await server.as('hq_ops')).ask(api.homes)).code).toBe(401)
})

test('goods that arrived today are named', async () => {
  const { arrived, gm: theirs } = await openDelivery(server)
  const { site } = await arrived({ name: '浅灰地砖', quantity: '10' }, { name: '美缝剂', quantity: '2' })
  expect((await proposal(site, theirs)).happened.map((h) => h.text)).toEqual(['材料到货：浅灰地砖、美缝剂'])
})
