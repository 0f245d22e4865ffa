import { randomBytes, randomUUID } from 'node:crypto'

import { api } from '@zhuguan/contract/api.ts'
import type { Endpoint } from '@zhuguan/contract/kit/api.ts'

import { addDays, shanghaiDay } from '../../server/kit/shanghai.ts'
import { type Caller, caller, fitting, signIn } from './client.ts'
import type { Write } from './found-written.ts'
import type { Machine } from './machine-records.ts'
import { PAYLOADS } from './payloads.ts'
import type { Stage } from './stage.ts'

/** Times that a call is written which leaves a record behind. */
const FEW = 20
/** A telephone does so much in an hour, all acts together. */
const BY_PHONE = 7

/** The telephone of somebody of a home that was let in. */
export interface HomePhone {
  site: string
  token: string
  device: string
}

/** What is said about a home and by its people: by staff, and on a telephone that was let in. */
export async function writeHome(
  write: Write,
  stage: Stage,
  url: string,
  admin: Caller,
  machines: Record<string, Machine>,
  of: Record<'bc' | 'manager' | 'site', string>,
): Promise<HomePhone> {
  const one = async <R = { id: string }>(text: string, values: unknown[] = [of.site]) =>
    (await stage.owner.query(text, values)).rows[0] as R
  const until = addDays(shanghaiDay(new Date()), 1)

  const feedback = machines.feedbackActions!.id!
  const said = (command: keyof typeof api.feedback, situation: string, more: object = {}) => {
    const endpoint: Endpoint = api.feedback[command]
    return write(endpoint, async () => {
      await machines.feedbackActions!.put(situation)
      return fitting<object>(endpoint, {
        id: feedback,
        version: 7,
        answers: 0,
        pictures: [],
        assignee_id: of.manager,
        pauseFor: 'third',
        until,
        ...more,
      })
    })
  }
  await said('answer', '2 mine')
  await said('transfer', '2 theirs')
  await said('raise', '2 theirs', { level: 3 })
  await said('lower', '2 theirs', { level: 1 })
  await said('escalate', '2 theirs')
  await said('pause', '2 mine')
  await said('close', '2 mine answered', { cause: 'works' })
  await said('thank', '1 praise')
  await said('cancel', '1 complaint', { cause: 'withdrawn', cancelled: [], kept: [] })
  await said('score', '3 lately', { score: 5 })
  await said('callback', '3 lately scored low')
  await said('reopen', '3 lately')
  await said('correct', '2 mine')
  await machines.feedbackActions!.put('4')
  const heard = { site_id: of.site, kind: 'complaint', level: 1, about: 'work', channel: 'phone' } as const
  await write(api.feedback.enter, () => ({ ...heard, pictures: [] }))

  const { id: contact } = await one(
    'SELECT id FROM home_contacts WHERE site_id = $1 AND owner_id IS NOT NULL AND ended_at IS NULL',
  )
  const versionOf = async (id: string) =>
    (await one<{ version: number }>('SELECT version FROM home_contacts WHERE id = $1', [id])).version
  const seen = async (id: string) => ({ id, version: await versionOf(id) })
  await write(api.owners.phone, () => ({ id: contact }), FEW)
  await write(api.owners.correct, () => seen(contact))
  const { id: spouse } = await one(
    `SELECT id FROM home_contacts WHERE site_id = $1 AND name = '逐项联系人' AND ended_at IS NULL`,
  )
  await write(api.owners.editContact, async () => ({ ...(await seen(spouse)), relation: 'spouse' }))
  const { id: grant } = await one('SELECT id FROM video_grants WHERE contact_id = $1', [spouse])
  await write(api.grants.stop, async () => {
    await machines.grantActions!.put('active')
    return { id: grant, version: 7 }
  })
  await write(api.grants.withdraw, async () => {
    await machines.grantActions!.put('active')
    return { contact_id: spouse }
  })
  // Sites without an owner.
  const empty: string[] = []
  for (const n of PAYLOADS.keys()) {
    const { data } = await admin.ask(api.sites.add, {
      body: { ws_name: `空房 ${n}`, bc_id: of.bc, address: '某路' },
    })
    empty.push((data as { id: string }).id)
  }
  await write(api.owners.add, (n) => ({ site_id: empty[n], phone: '' }))
  await write(api.owners.change, async (n) => ({
    ...(await one<{ id: string; version: number }>(
      'SELECT id, version FROM home_contacts WHERE site_id = $1 AND owner_id IS NOT NULL AND ended_at IS NULL',
      [empty[n]],
    )),
    phone: '',
  }))
  await write(api.sites.livedIn, async (n) => ({
    ...(await one<{ id: string; version: number }>('SELECT id, version FROM sites WHERE id = $1', [
      empty[n],
    ])),
    livedIn: true,
  }))
  const manager = await signIn(url, 'pm')
  const { bc } = await one<{ bc: string }>(`SELECT bc_id AS bc FROM users WHERE user_name = 'pm'`, [])
  const span = { from: addDays(until, -8), to: addDays(until, -2) }
  await write(api.supervision.remark, () => ({ bc_id: bc, figure: 'open', ...span }), FEW, manager)
  const newest = async () =>
    (
      await one<{ n: number }>(
        'SELECT coalesce(max(seq), 0)::int AS n FROM thread_messages WHERE site_id = $1',
      )
    ).n
  await write(api.progress.send, async () => ({
    site_id: of.site,
    act: randomUUID(),
    after: await newest(),
    pictures: [],
  }))
  await write(api.threads.silence, async () => {
    const body = { site_id: of.site, channel: 'phone', words: '几点来', pictures: [] } as const
    await admin.ask(api.threads.hear, { body })
    return { site_id: of.site, after: await newest() }
  })

  // Others of the home leave, and the owner has a telephone.
  await write(
    api.owners.endContact,
    async () => {
      const body = { site_id: of.site, name: '周先生', relation: 'other', phone: '' } as const
      await admin.ask(api.owners.addContact, { body })
      return one<{ id: string; version: number }>(
        `SELECT id, version FROM home_contacts
         WHERE site_id = $1 AND owner_id IS NULL AND name <> '逐项联系人' AND ended_at IS NULL
         ORDER BY since DESC, id DESC LIMIT 1`,
      )
    },
    FEW,
  )
  const made = await admin.ask(api.links.create, { body: { kind: 'owner', target_id: contact } })
  const bearer = {
    token: (made.data as { token: string }).token,
    pass: '',
    device: randomBytes(16).toString('hex'),
  }
  const phone = caller(url, {})
  const act = () => ({ ...bearer, act: randomUUID() })
  await phone.ask(api.homePage.state, { body: bearer })
  const { data: devices } = await admin.ask(api.homeDevices.list, { query: { site_id: of.site } })
  const asking = (devices as { id: string; state: string }[]).find((d) => d.state === 'asking')!
  await admin.ask(api.homeDevices.allow, { body: { id: asking.id } })
  await write(api.homePage.feedback, () => ({ ...act(), kind: 'complaint' }), BY_PHONE, phone)
  await write(api.threadPage.say, () => ({ ...act(), pictures: [] }), BY_PHONE, phone)
  await write(
    api.homePage.reopen,
    async () => {
      await machines.feedbackActions!.put('3 lately')
      return { ...act(), id: feedback }
    },
    BY_PHONE,
    phone,
  )
  const promise = machines.promiseActions!.id!
  await write(
    api.homePage.object,
    async () => {
      await machines.promiseActions!.put('kept')
      return { ...act(), id: promise }
    },
    BY_PHONE,
    phone,
  )
  const reception = machines.receptionActions!.id!
  await write(
    api.homePage.scoreVisit,
    async () => {
      await machines.receptionActions!.put('done')
      return { ...act(), id: reception, score: 2 }
    },
    BY_PHONE,
    phone,
  )
  const question = machines.questionActions!.id!
  await write(
    api.questionPage.answer,
    async () => {
      await machines.questionActions!.put('open')
      await stage.owner.query(`UPDATE questions SET options = '{}' WHERE id = $1`, [question])
      return { ...act(), id: question, choice: null }
    },
    BY_PHONE,
    phone,
  )
  await write(
    api.homeDevices.remove,
    async () => {
      const device = randomBytes(16).toString('hex')
      await phone.ask(api.homePage.state, { body: { ...bearer, device } })
      const { data: asked } = await admin.ask(api.homeDevices.list, { query: { site_id: of.site } })
      return { id: (asked as { id: string; state: string }[]).find((d) => d.state === 'asking')?.id }
    },
    FEW,
  )
  return { site: of.site, token: bearer.token, device: bearer.device }
}
