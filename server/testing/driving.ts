import { randomBytes, randomUUID } from 'node:crypto'

import { driverApi } from '@zhuguan/contract/features/dispatch/driver.api.ts'
import { linksApi } from '@zhuguan/contract/features/links/links.api.ts'
import type { BodyOf, InputOf } from '@zhuguan/contract/kit/api.ts'

import type { Person } from './person.ts'
import { plainJpeg } from './photo.ts'
import type { Shown } from './selling.ts'

type NewLink = NonNullable<InputOf<typeof linksApi.create>['body']>
/** A telephone that holds a link and nothing else. */
export function telephone(server: Shown, token: string) {
  const who = server.nobody()
  const bearer = { token, pass: '', device: randomBytes(16).toString('hex') }
  const done = () => ({ ...bearer, act: randomUUID(), at: Math.floor(server.now().getTime() / 1_000) })
  async function photo(bytes?: Buffer, sent: Partial<typeof bearer> = {}) {
    const said = { ...bearer, ...sent }
    const response = await fetch(server.url + driverApi.photo.path, {
      method: 'POST',
      headers: {
        'x-link': said.token,
        'x-link-pass': said.pass,
        'x-link-device': said.device,
        'content-type': 'image/jpeg',
      },
      body: new Uint8Array(bytes ?? (await plainJpeg())),
    })
    return (await response.json()) as { code: number; msg: string; data: { key: string } }
  }
  return {
    bearer,
    done,
    photo,
    async open(password = '') {
      const answer = await who.ask(linksApi.open, { body: { ...bearer, password } })
      if (answer.code === 200) bearer.pass = answer.data.pass
      return answer
    },
    painted: () => who.ask(linksApi.painted, { body: bearer }),
    state: () => who.ask(driverApi.state, { body: bearer }),
    node: (note_id: string, place: string, more: object = {}) =>
      who.ask(driverApi.node, { body: { ...done(), note_id, place, ...more } }),
    async handOver(note_id: string, more: Partial<BodyOf<typeof driverApi.handOver>> = {}) {
      const key = more.photo ?? (await photo()).data.key
      return who.ask(driverApi.handOver, {
        body: {
          ...done(),
          note_id,
          photo: key,
          place: '3 幢楼下',
          reason: more.lines ? '电梯坏了' : '',
          ...more,
        },
      })
    },
    /** At the door; without `photo` a new one is taken. */
    async say(
      note_id: string,
      word: BodyOf<typeof driverApi.say>['word'],
      more: Partial<BodyOf<typeof driverApi.say>> = {},
    ) {
      const key = more.photo === undefined ? (await photo()).data.key : more.photo
      return who.ask(driverApi.say, {
        body: { ...done(), note_id, word, reason: '业主不要了', place: '3 幢楼下', ...more, photo: key },
      })
    },
  }
}
/** Somebody who may makes a link; the telephone that it is sent to. */
export async function linkFrom(server: Shown, who: Person, target_id: string, more: Partial<NewLink> = {}) {
  const made = await who.call(linksApi.create, {
    body: { kind: 'driver', target_id, person: '王师傅', ...more },
  })
  return { ...made, phone: telephone(server, made.token) }
}
