import { randomBytes, randomUUID } from 'node:crypto'

import { introducePageApi } from '@zhuguan/contract/features/customers/introduce-page.api.ts'
import { linksApi } from '@zhuguan/contract/features/links/links.api.ts'
import { homeDevicesApi } from '@zhuguan/contract/features/owners/home-devices.api.ts'
import { homePageApi } from '@zhuguan/contract/features/owners/home-page.api.ts'
import { homeVideoApi } from '@zhuguan/contract/features/owners/home-video.api.ts'
import { questionPageApi } from '@zhuguan/contract/features/questions/question-page.api.ts'
import { threadPageApi } from '@zhuguan/contract/features/threads/thread-page.api.ts'

import type { Person, TestServer } from './start.ts'

type Shown = Pick<TestServer, 'nobody' | 'url'>
/** A telephone of somebody of a home, who has a link and no account; in another network, where one is said. */
export function homePhone(server: Shown, token: string, ip?: string) {
  const who = server.nobody({
    ...(ip ? { 'x-forwarded-for': ip } : {}),
    'user-agent':
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Mobile Safari/604.1',
  })
  const bearer = { token, pass: '', device: randomBytes(16).toString('hex') }
  const act = () => ({ ...bearer, act: randomUUID() })
  return {
    who,
    bearer,
    act,
    state: () => who.ask(homePageApi.state, { body: bearer }),
    alive: () => who.ask(homePageApi.alive, { body: bearer }),
    allow: (id: string) => who.ask(homePageApi.allow, { body: { ...act(), id } }),
    remove: (id: string) => who.ask(homePageApi.remove, { body: { ...act(), id } }),
    feedback: (
      words: string,
      more: { kind?: 'complaint' | 'praise'; urgent?: boolean; steward?: boolean; act?: string } = {},
    ) => who.ask(homePageApi.feedback, { body: { ...act(), kind: 'complaint', words, ...more } }),
    say: (words: string) => who.ask(threadPageApi.say, { body: { ...act(), words, pictures: [] } }),
    saw: (seq: number) => who.ask(threadPageApi.saw, { body: { ...bearer, seq } }),
    introduce: (name: string, phone: string) =>
      who.ask(introducePageApi.introduce, { body: { ...act(), name, phone, agreed: true } }),
    score: (id: string, score: number) => who.ask(homePageApi.score, { body: { ...act(), id, score } }),
    scoreVisit: (id: string, score: number, words = '') =>
      who.ask(homePageApi.scoreVisit, { body: { ...act(), id, score, words } }),
    reopen: (id: string, reason: string) => who.ask(homePageApi.reopen, { body: { ...act(), id, reason } }),
    object: (id: string, reason: string) => who.ask(homePageApi.object, { body: { ...act(), id, reason } }),
    /** Which option of a question they choose, from 1. */
    decide: (id: string, choice: number) =>
      who.ask(questionPageApi.answer, { body: { ...act(), id, choice, words: '' } }),
    video: async () => (await who.ask(homeVideoApi.state, { body: bearer })).data,
    answerVideo: (answer: 1 | 2, wording: string) =>
      who.ask(homeVideoApi.answer, { body: { ...act(), answer, wording } }),
    withdrawVideo: () => who.ask(homeVideoApi.withdraw, { body: act() }),
    picture: (key: string) => who.ask(linksApi.picture, { body: { ...bearer, key } }),
    /** What is shown once the device is bound. */
    async page() {
      const { code, data, msg } = await who.ask(homePageApi.state, { body: bearer })
      if (data?.state !== 'bound') throw new Error(`not bound: ${code} ${msg} ${JSON.stringify(data)}`)
      return data.page
    },
  }
}
/** A link of a contact, made by staff. */
export const homeLink = (staff: Person, contact: string) =>
  staff.call(linksApi.create, { body: { kind: 'owner', target_id: contact } })
/** A telephone that was let in; who makes the link and lets it in alone stands behind it, without `sender`. */
export async function boundPhone(
  server: Shown,
  staff: Person,
  of: { contact: string; site: string },
  sender = staff,
) {
  const { token } = await homeLink(sender, of.contact)
  const phone = homePhone(server, token)
  await phone.state()
  const devices = await staff.call(homeDevicesApi.list, { query: { site_id: of.site } })
  const mine = devices.find((d) => d.contact_id === of.contact && d.state === 'asking')!
  await staff.call(homeDevicesApi.allow, { body: { id: mine.id } })
  return { ...phone, token, id: mine.id }
}
