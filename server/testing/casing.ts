import { randomUUID } from 'node:crypto'

import { casePageApi } from '@zhuguan/contract/features/cases/case-page.api.ts'
import { casesApi } from '@zhuguan/contract/features/cases/cases.api.ts'
import type { CaseMask, HomeCase } from '@zhuguan/contract/features/cases/cases.record.ts'
import sharp from 'sharp'

import { publicPicture } from '../features/cases/cases.reads.ts'
import { wholeGroup } from '../kit/scoped.ts'
import { boundPhone } from './homes.ts'
import { uploadPhoto } from './photo.ts'
import type { Person, TestServer } from './start.ts'
import { dayAhead } from './time.ts'

export interface Home {
  [name: string]: unknown
  site: string
  contact: string
  tenant: string
  bc: string
  community: string
  address: string
}
export const FACE: CaseMask = { x: 2_500, y: 2_500, w: 2_000, h: 2_000 }
export const first = <T>(list: readonly T[]): T => list[0]!
const ALL = ['photos', 'community', 'layout', 'price', 'praise'] as const

function ok({ code, msg }: { code: number; msg: string }): void {
  if (code !== 200) throw new Error(msg)
}

/** Homes of the steward of which cases can be made, and each step of it by those who do it. */
export async function caseStage(
  server: TestServer,
  { gm, steward, service }: { gm: Person; steward: Person; service: Person },
) {
  const homes = await server.sql<Home>(
    `SELECT w.id AS site, h.id AS contact, w.tenant_id AS tenant, w.bc_id AS bc, w.community, w.address
     FROM sites w
     JOIN home_contacts h ON h.site_id = w.id AND h.owner_id IS NOT NULL AND h.ended_at IS NULL
     WHERE w.steward_id = (SELECT id FROM users WHERE user_name = 'steward') AND w.status = 1
     ORDER BY w.code LIMIT 9`,
  )
  await server.sql(`UPDATE sites SET area = 93, layout = '三室两厅', style = '现代简约'`)
  await server.sql(`UPDATE home_contacts SET since = since - interval '1 year'`)
  await server.sql(`UPDATE sessions SET expires_at = expires_at + interval '900 days'`)

  /** A picture whose every part is another colour, as a camera of the site has taken it. */
  async function siteShot(home: Home, device: string | null = null, at = server.now()): Promise<string> {
    const [width, height] = [1_920, 1_080]
    const raw = Buffer.alloc(width * height * 3)
    for (let i = 0; i < width * height; i += 1) {
      const [x, y] = [i % width, Math.floor(i / width)]
      raw[i * 3] = (x >> 2) & 255
      raw[i * 3 + 1] = (y >> 2) & 255
      raw[i * 3 + 2] = ((x + y) >> 3) & 255
    }
    const bytes = await sharp(raw, { raw: { width, height, channels: 3 } })
      .withExif({ IFD0: { Make: 'Canon', Copyright: 'secret-owner' } })
      .jpeg({ quality: 95 })
      .toBuffer()
    const key = await uploadPhoto(server.url, steward, bytes)
    await server.sql('UPDATE files SET site_id = $2, bc_id = $3, user_id = NULL WHERE key = $1', [
      key,
      home.site,
      home.bc,
    ])
    await server.sql(
      `INSERT INTO tidiness_checks (tenant_id, id, bc_id, site_id, device_id, at, result, picture)
       VALUES ($1, gen_random_uuid(), $2, $3, $4, $5, 1, $6)`,
      [home.tenant, home.bc, home.site, device, at, key],
    )
    return key
  }
  const cameraOf = async (home: Home) =>
    (await server.sql<{ id: string }>('SELECT id FROM devices WHERE site_id = $1 LIMIT 1', [home.site]))[0]!
      .id

  const details = (id: string, who = steward) => who.call(casesApi.details, { query: { id } })

  async function made(home: Home, shots = 1): Promise<string> {
    const pictures: string[] = []
    for (let i = 0; i < shots; i += 1) pictures.push(await siteShot(home))
    const { id } = await steward.call(casesApi.add, {
      body: { site_id: home.site, title: '南北通透的家', words: '小户型住出大空间', pictures },
    })
    return id
  }
  async function maskAll(id: string, masks: CaseMask[] = [FACE]): Promise<void> {
    for (const p of (await details(id)).pictures)
      await steward.call(casesApi.mask, { body: { id: p.id, version: p.version, turn: 0, masks } })
  }
  async function releaseAll(id: string, who = gm): Promise<void> {
    for (const p of (await details(id)).pictures)
      await who.call(casesApi.release, { body: { id: p.id, version: p.version } })
  }
  async function askFor(id: string, more: { scope?: readonly string[]; until?: string } = {}) {
    const { version } = await details(id)
    const until = more.until ?? dayAhead(300)
    const scope = [...(more.scope ?? ALL)] as ('photos' | 'community')[]
    return steward.ask(casesApi.ask, { body: { id, version, scope, places: ['store', 'link'], until } })
  }
  async function asked(home: Home, shots = 1): Promise<string> {
    const id = await made(home, shots)
    await maskAll(id)
    await releaseAll(id)
    ok(await askFor(id))
    return id
  }
  const phoneOf = (home: Home, contact = home.contact) =>
    boundPhone(server, steward, { contact, site: home.site }, service)
  type Phone = Awaited<ReturnType<typeof phoneOf>>
  const seenBy = async (phone: Phone): Promise<HomeCase> =>
    first((await phone.who.ask(casePageApi.cases, { body: phone.bearer })).data)
  const say = async (phone: Phone, answer: 1 | 2, act = randomUUID()) => {
    const { id, version, wording } = await seenBy(phone)
    return phone.who.ask(casePageApi.answer, {
      body: { ...phone.bearer, act, id, answer, version, wording },
    })
  }
  const takeBack = async (phone: Phone) =>
    phone.who.ask(casePageApi.withdraw, { body: { ...phone.act(), id: (await seenBy(phone)).id } })
  async function publish(id: string) {
    const { version } = await details(id, gm)
    return gm.ask(casesApi.publish, { body: { id, version } })
  }
  /** On paper, by the signatory. */
  async function onPaper(id: string, home: Home, answer: 1 | 2 = 1) {
    const { version } = await details(id)
    return steward.ask(casesApi.answer, {
      body: {
        id,
        version,
        contact_id: home.contact,
        answer,
        how: 'written',
        answeredOn: dayAhead(0),
        proof: await uploadPhoto(server.url, steward),
      },
    })
  }
  async function published(home: Home): Promise<string> {
    const id = await asked(home)
    ok(await onPaper(id, home))
    ok(await publish(id))
    return id
  }
  /** Whether its bytes are told to strangers there. */
  const isOpen = async (home: Home, id: string, where: 'link' | 'screen' | 'store', key: string) =>
    (await server.db.tx(wholeGroup(home.tenant), (tx) =>
      publicPicture(tx, home.tenant, id, key, where, server.now()),
    )) !== undefined
  return {
    homes,
    siteShot,
    cameraOf,
    details,
    made,
    maskAll,
    releaseAll,
    askFor,
    asked,
    phoneOf,
    seenBy,
    say,
    takeBack,
    publish,
    onPaper,
    published,
    isOpen,
  }
}
export type CaseStage = Awaited<ReturnType<typeof caseStage>>
