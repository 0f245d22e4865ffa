import { grantsApi } from '@zhuguan/contract/features/owners/grants.api.ts'
import { homeVideoApi } from '@zhuguan/contract/features/owners/home-video.api.ts'
import { expect } from 'vitest'

import { boundPhone } from './homes.ts'
import type { Person, TestServer } from './start.ts'
import { dayAhead } from './time.ts'
import { gives, type TestGateway } from './video-gateway.ts'

export interface LookedHome {
  site: string
  contact: string
  version: number
  camera: string
  sn: string
}
export type HomePhone = Awaited<ReturnType<typeof boundPhone>>

const pause = (ms: number) => new Promise((done) => setTimeout(done, ms))
/** Seconds until it is so. */
export async function until(isSo: () => boolean | Promise<boolean>, most = 12_000): Promise<number> {
  const from = performance.now()
  while (!(await isSo())) {
    if (performance.now() - from > most) throw new Error('never')
    await pause(100)
  }
  return (performance.now() - from) / 1_000
}
export const DAY_LONG = { from: '00:00', to: '23:59' }
export const days = (from = 0, to = 30) => ({ fromDay: dayAhead(from), toDay: dayAhead(to) })

/** Homes of the steward whose people look by a link, as the door has it. */
export function homeLooks(server: TestServer, gateway: TestGateway, steward: Person) {
  const state = async (phone: HomePhone) =>
    (await phone.who.ask(homeVideoApi.state, { body: phone.bearer })).data
  const say = (phone: HomePhone, answer: 1 | 2) =>
    phone.who.ask(homeVideoApi.answer, { body: { ...phone.act(), answer, wording: '2026-11' } })
  const grant = (h: LookedHome, more: object = {}, who = steward) =>
    who.ask(grantsApi.grant, {
      body: { contact_id: h.contact, cameras: [h.camera], ...days(), ...DAY_LONG, ...more },
    })
  async function look(phone: HomePhone, camera: string) {
    const answer = await phone.who.ask(homeVideoApi.look, { body: { ...phone.bearer, device_id: camera } })
    return { ...answer, cookie: answer.headers.get('set-cookie')?.split(';')[0] ?? '' }
  }
  async function play(address: string, cookie: string) {
    const response = await fetch(new URL(address, server.url), { headers: { cookie } })
    return { status: response.status, text: await response.text() }
  }
  const serveHls = (sn: string) =>
    gateway.answers.set(`/${sn}/index.m3u8`, gives('#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\nseg.ts\n'))
  /** Nobody reports for it here: what listens to heartbeats would take it for silent. */
  const awake = (h: LookedHome) =>
    server.sql('UPDATE devices SET device_status = 1, last_seen = :now WHERE id = $1', [h.camera])
  return {
    state,
    say,
    grant,
    look,
    awake,
    homes: () =>
      server.sql<LookedHome & Record<string, unknown>>(
        `SELECT DISTINCT ON (w.code) w.id AS site, h.id AS contact, h.version, d.id AS camera, d.sn
         FROM sites w
         JOIN home_contacts h ON h.site_id = w.id AND h.owner_id IS NOT NULL AND h.ended_at IS NULL
         JOIN devices d ON d.site_id = w.id AND d.type = 'camera' AND d.deleted_at IS NULL
         WHERE w.steward_id = (SELECT id FROM users WHERE user_name = 'steward') AND w.status = 1
         ORDER BY w.code, d.sn`,
      ),
    /** When homes may be watched, in every branch. */
    async house(from: string, to: string) {
      await server.sql(`DELETE FROM settings WHERE key IN ('ownerVideoFrom', 'ownerVideoTo')`)
      await server.sql(
        `INSERT INTO settings (tenant_id, bc_id, key, value)
         SELECT c.tenant_id, c.bc_id, x.key, to_jsonb(x.value)
         FROM companies c, (VALUES ('ownerVideoFrom', $1), ('ownerVideoTo', $2)) x(key, value)`,
        [from, to],
      )
    },
    takeBack: (phone: HomePhone) => phone.who.ask(homeVideoApi.withdraw, { body: phone.act() }),
    keep: async (phone: HomePhone, view: string) =>
      (await phone.who.ask(homeVideoApi.keep, { body: { ...phone.bearer, views: [view] } })).data,
    /** A home as it was at first, whose contact agreed on a bound telephone and was granted its camera. */
    async ready(h: LookedHome, more: object = {}): Promise<HomePhone> {
      const phone = await boundPhone(server, steward, h)
      if ((await state(phone)).consent !== 1) expect((await say(phone, 1)).code).toBe(200)
      expect((await grant(h, more)).msg).toBe('')
      return phone
    },
    /** A look of HLS that runs. */
    async running(h: LookedHome, phone: HomePhone) {
      await awake(h)
      serveHls(h.sn)
      const opened = await look(phone, h.camera)
      expect(opened.msg).toBe('')
      const { address, view } = opened.data
      expect(await play(address!, opened.cookie)).toMatchObject({ status: 200 })
      return { view, gone: async () => (await play(address!, opened.cookie)).status !== 200 }
    },
    ended: async (view: string) =>
      (
        await server.sql<{ why: string }>('SELECT ended_for AS why FROM video_views WHERE id = $1', [view])
      )[0]!.why,
  }
}
