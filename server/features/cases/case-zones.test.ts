import { casesApi } from '@zhuguan/contract/features/cases/cases.api.ts'
import type { CaseMask } from '@zhuguan/contract/features/cases/cases.record.ts'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { caseStage, type CaseStage, FACE, first, type Home } from '../../testing/casing.ts'
import { type Person, startTestServer, type TestServer } from '../../testing/start.ts'
import { openFileStore } from '../files/file-store.ts'

let server: TestServer
let gm: Person
let steward: Person
let c: CaseStage
let homes: Home[]
beforeAll(async () => {
  server = await startTestServer()
  const service = await server.as('service')
  ;[gm, steward] = await Promise.all([server.as('branch_gm'), server.as('steward')])
  c = await caseStage(server, { gm, steward, service })
  homes = c.homes
})
afterAll(() => server.stop())

const DAY = 86_400_000
/** Where a camera writes its number and the time. */
const LETTERS: CaseMask = { x: 0, y: 0, w: 10_000, h: 650 }
const daysAgo = (days: number) => new Date(server.now().getTime() - days * DAY)
/** A case of pictures of its own camera, of so many days ago; the oldest first. */
async function ofDays(home: Home, days: readonly number[]) {
  const camera = await c.cameraOf(home)
  const pictures: string[] = []
  for (const ago of days) pictures.push(await c.siteShot(home, camera, daysAgo(ago)))
  const { id } = await steward.call(casesApi.add, {
    body: { site_id: home.site, title: '同一个机位', words: '', pictures },
  })
  return { id, camera, pictures: async () => (await c.details(id)).pictures }
}
const fix = (p: { id: string; version: number }, masks: CaseMask[], who = steward) =>
  who.ask(casesApi.zones, { body: { id: p.id, version: p.version, masks } })
const mask = (p: { id: string; version: number }, more: object = {}) =>
  steward.ask(casesApi.mask, { body: { id: p.id, version: p.version, turn: 0, masks: [FACE], ...more } })
async function pixelsOf(rendition: string) {
  const bytes = await openFileStore(server.dataDir).read(rendition)
  const { data, info } = await sharp(bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  const at = (x: number, y: number) => [
    ...data.subarray((y * info.width + x) * 3, (y * info.width + x) * 3 + 3),
  ]
  /** Of the picture, whose colours lie apart, and not one of the two greys. */
  const shows = (x: number, y: number) => Math.max(...at(x, y)) - Math.min(...at(x, y)) > 30
  return { ...info, shows }
}
const anyShown = ({ shows }: Awaited<ReturnType<typeof pixelsOf>>, xs: number[], ys: number[]) =>
  xs.some((x) => ys.some((y) => shows(x, y)))
const ALONG = Array.from({ length: 15 }, (_, i) => 20 + i * 105)

test('what a camera never shows is covered on each of its pictures, whatever is drawn on them', async () => {
  const k = await ofDays(homes[0]!, [3, 2, 1])
  const [one] = await k.pictures()
  expect(one).toMatchObject({ fixed: [], moved: false })
  expect((await fix(one!, [LETTERS])).code).toBe(200)
  for (const p of await k.pictures())
    expect(p).toMatchObject({ fixed: [LETTERS], moved: false, state: 'raw' })
  // The page sends its own rectangles alone.
  for (const p of await k.pictures()) expect((await mask(p)).code).toBe(200)
  for (const p of await k.pictures()) {
    const out = await pixelsOf(p.rendition!)
    expect([out.width, out.height]).toEqual([1_600, 900])
    expect(anyShown(out, ALONG, [2, 20, 40, 56])).toBe(false)
    expect(anyShown(out, [500, 600], [300, 350])).toBe(false)
    expect(out.shows(1_400, 200)).toBe(true)
  }
  // Nothing else to be covered: the zones alone are a masked picture.
  const [again] = await k.pictures()
  expect((await mask(again!, { masks: [] })).code).toBe(200)
  const { log } = await c.details(k.id)
  expect(log.map((l) => l.act)).toContain('zones')
  expect(log.find((l) => l.act === 'mask')!.text).toBe('机位固定 1 处')
  // On a turned picture they lie where its camera's edge has gone.
  const [turning] = await k.pictures()
  expect((await mask(turning!, { turn: 90, masks: [] })).code).toBe(200)
  const turned = await pixelsOf((await k.pictures())[0]!.rendition!)
  expect([turned.width, turned.height]).toEqual([1_080, 1_920])
  expect(anyShown(turned, [1_016, 1_040, 1_078], ALONG)).toBe(false)
  expect(turned.shows(200, 1_400)).toBe(true)
  // Taken away, they cover nothing from then on.
  const [last] = await k.pictures()
  expect((await fix(last!, [])).code).toBe(200)
  for (const p of await k.pictures()) expect(p.fixed).toEqual([])
  // Fixed when pictures of the view are public, it takes them back to their masks, and no door opens the old file.
  for (const p of await k.pictures()) expect((await mask(p)).code).toBe(200)
  await c.releaseAll(k.id)
  const open = await k.pictures()
  expect(open.map((p) => p.state)).toEqual(['released', 'released', 'released'])
  expect((await fix(open[0]!, [LETTERS])).code).toBe(200)
  for (const p of await k.pictures()) expect(p).toMatchObject({ state: 'raw', fixed: [LETTERS] })
  const files = openFileStore(server.dataDir)
  for (const p of open) await expect(files.read(p.rendition!)).rejects.toThrow(/已经不在/)
  // Masked with it by now, they stay public when it is taken away.
  for (const p of await k.pictures()) expect((await mask(p)).code).toBe(200)
  await c.releaseAll(k.id)
  expect((await fix((await k.pictures())[0]!, [])).code).toBe(200)
  expect((await k.pictures()).map((p) => p.state)).toEqual(['released', 'released', 'released'])
})

test('a camera that was moved has none: an alarm, a verdict, put up anew; a mistake moved nothing', async () => {
  const k = await ofDays(homes[1]!, [5, 4, 1])
  const ofOldest = async () => (await k.pictures()).map((p) => [p.fixed.length, p.moved])
  expect((await fix(first(await k.pictures()), [LETTERS])).code).toBe(200)
  expect(await ofOldest()).toEqual([
    [1, false],
    [1, false],
    [1, false],
  ])
  const [alarm] = await server.sql<{ id: string }>(
    `INSERT INTO alarms (tenant_id, id, bc_id, site_id, device_id, type, confidence, at, last_seen, seen, due_at)
     SELECT d.tenant_id, gen_random_uuid(), d.bc_id, d.site_id, d.id, 'cameraproblem', 0.9, $2, $2, 1, $2
     FROM devices d WHERE d.id = $1 RETURNING id`,
    [k.camera, daysAgo(2)],
  )
  // Of the view before it what was said stands, of the one after it nothing does.
  expect(await ofOldest()).toEqual([
    [1, false],
    [1, false],
    [0, true],
  ])
  const [, , moved] = await k.pictures()
  expect((await mask(moved!, { masks: [] })).msg).toContain('请框出人脸')
  await server.sql('UPDATE alarms SET correction_status = 4, closed_at = $2 WHERE id = $1', [
    alarm!.id,
    daysAgo(1.5),
  ])
  expect((await ofOldest())[2]).toEqual([1, false])
  await server.sql(
    `INSERT INTO tidiness_checks (tenant_id, id, bc_id, site_id, device_id, at, result)
     SELECT d.tenant_id, gen_random_uuid(), d.bc_id, d.site_id, d.id, $2, 4 FROM devices d WHERE d.id = $1`,
    [k.camera, daysAgo(4.5)],
  )
  expect(await ofOldest()).toEqual([
    [1, false],
    [0, true],
    [0, true],
  ])
  // Drawn anew on the new view, each view has its own.
  const [, second] = await k.pictures()
  expect((await fix(second!, [FACE])).code).toBe(200)
  expect((await k.pictures()).map((p) => p.fixed)).toEqual([[LETTERS], [FACE], [FACE]])
  // Taken down and put up again, it looks another way.
  await server.sql(
    `INSERT INTO device_stands (tenant_id, device_id, site_id, from_at)
     SELECT d.tenant_id, d.id, d.site_id, $2 FROM devices d WHERE d.id = $1`,
    [k.camera, daysAgo(2.5)],
  )
  expect((await k.pictures()).map((p) => p.fixed)).toEqual([[LETTERS], [FACE], []])
})

test('what is cut off is not in the file, and a picture of no camera has no zones', async () => {
  const home = homes[2]!
  const k = await ofDays(home, [1])
  const [p] = await k.pictures()
  const half = { x: 0, y: 650, w: 5_000, h: 9_350 }
  const little = await mask(p!, { crop: { x: 0, y: 0, w: 1_000, h: 9_000 } })
  expect([little.code, little.msg]).toEqual([400, '裁剪后剩得太少，请留大一些'])
  expect((await mask(p!, { crop: half })).code).toBe(200)
  const cut = first(await k.pictures())
  expect(cut).toMatchObject({ crop: half, state: 'masked' })
  const out = await pixelsOf(cut.rendition!)
  expect([out.width, out.height]).toEqual([800, 841])
  // The mask is where it was drawn, of the whole picture.
  expect(anyShown(out, [450, 600, 700], [250, 300])).toBe(false)
  expect(out.shows(100, 800)).toBe(true)
  await gm.call(casesApi.release, { body: { id: cut.id, version: cut.version } })
  // Cut anew it is another picture, which nobody has seen.
  const released = first(await k.pictures())
  expect((await mask(released)).code).toBe(200)
  expect(first(await k.pictures())).toMatchObject({ crop: null, state: 'masked', releasedBy: '' })
  // A zone is drawn on a picture as it was seen, by who may mask, and of a camera.
  const now = first(await k.pictures())
  expect((await fix({ ...now, version: now.version - 1 }, [FACE])).code).toBe(409)
  expect((await fix(now, [FACE], await server.as('quoter'))).code).toBe(401)
  expect((await fix(now, [FACE], await server.as('branch_gm2'))).code).not.toBe(200)
  expect(
    (
      await fix(
        now,
        Array.from({ length: 11 }, () => FACE),
      )
    ).msg,
  ).toBe('固定遮挡：一个机位最多固定 10 处')
  const walked = await c.made(homes[3]!)
  const byHand = first((await c.details(walked)).pictures)
  expect((await fix(byHand, [FACE])).msg).toBe('这张照片不是摄像头拍的，没有机位')
})
