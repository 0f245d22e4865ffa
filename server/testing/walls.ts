import { randomBytes } from 'node:crypto'

import { screenDoorApi } from '@zhuguan/contract/features/screens/screen-door.api.ts'
import type { BodyOf } from '@zhuguan/contract/kit/api.ts'

import type { TestServer } from './start.ts'

/** A browser on a wall: it keeps the cookie that it is given, and every byte that it got. */
export function wallOf(
  server: Pick<TestServer, 'nobody'>,
  agent = 'Mozilla/5.0 (Windows NT 10.0) Chrome/140',
) {
  let cookie = ''
  const heard: string[] = []
  const tab = randomBytes(16).toString('hex')
  const size = { width: 1920, height: 1080, bundle: 'LinkApp-test.js' }
  const who = server.nobody({ 'user-agent': agent })
  async function ask<T extends { headers: Headers; text: string }>(sent: Promise<T>): Promise<T> {
    const answer = await sent
    cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? cookie
    heard.push(answer.text)
    return answer
  }
  const headers = (): Record<string, string> => (cookie ? { cookie } : {})
  return {
    heard,
    cookie: () => cookie,
    /** Another browser with a copy of this one's cookie. */
    copied() {
      const other = wallOf(server, agent)
      other.take(cookie)
      return other
    },
    take: (copy: string) => void (cookie = copy),
    asks: (more: Partial<BodyOf<typeof screenDoorApi.look>> = {}) =>
      ask(who.ask(screenDoorApi.look, { body: { tab, ...size, ...more } }, headers())),
    async look(more: Partial<BodyOf<typeof screenDoorApi.look>> = {}) {
      const { code, data, msg } = await this.asks(more)
      if (code !== 200) throw new Error(`${code} ${msg}`)
      return data
    },
    picture: (body: BodyOf<typeof screenDoorApi.picture>) =>
      ask(who.ask(screenDoorApi.picture, { body }, headers())),
    report: (more: Partial<BodyOf<typeof screenDoorApi.report>> = {}) =>
      ask(
        who.ask(
          screenDoorApi.report,
          { body: { tab, ...size, scene: 'figures', item: '', frames: 1, age: 0, ...more } },
          headers(),
        ),
      ),
  }
}
export type Wall = ReturnType<typeof wallOf>
