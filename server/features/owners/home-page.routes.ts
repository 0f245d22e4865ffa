import { homePageApi } from '@zhuguan/contract/features/owners/home-page.api.ts'

import type { Tx } from '../../database/connect.ts'
import { allowance } from '../../kit/bound.ts'
import { type Call, type Handlers, serve } from '../../kit/serve.ts'
import type { FileStore } from '../files/files.service.ts'
import { type Bearer, once } from '../links/links.service.ts'
import { allowDevice, removeDevice } from './home-devices.service.ts'
import type { Bound, HomeDoor } from './home-door.ts'
import {
  homeStateOf,
  objectPromise,
  reopenFeedback,
  scoreFeedback,
  scoreVisit,
  tellFeedback,
} from './home-page.service.ts'

const ACTS = 30
const AN_HOUR = 3_600_000

/** Behind an owner's link: their own home, on a device that was let in, and nothing else of the group. */
export function homePageFeature({ files, home }: { files: FileStore; home: HomeDoor }) {
  const acts = allowance(ACTS, AN_HOUR, `一小时内最多提交 ${ACTS} 次，请稍后再试；急事请打电话给您的管家`)
  /** Does what was sent once, and answers the same each time. */
  async function act(
    call: Call,
    body: Bearer & { act: string; id?: string },
    work: (tx: Tx, e: Bound) => Promise<string | void>,
  ): Promise<string> {
    const e = await home.enter(call, body)
    return e.own.write((tx) =>
      once(tx, e.link, { act: body.act, target: body.id ?? e.contact.id }, async () => {
        acts.spend(e.contact.id, call.now())
        return (await work(tx, e)) ?? ''
      }),
    )
  }
  const handlers: Handlers<typeof homePageApi> = {
    async state({ body }, call) {
      const e = await home.knock(call, body)
      return e.own.write((tx) => homeStateOf(tx, e, body.device))
    },
    async alive({ body }, call) {
      await home.enter(call, body)
      return null
    },
    async allow({ body }, call) {
      await act(call, body, (tx, e) =>
        allowDevice(tx, e.own, body.id, { link: e.link.id, hand: e.device.only_hand }),
      )
      return null
    },
    async remove({ body }, call) {
      const { id } = body
      await act(call, body, (tx, e) =>
        removeDevice(tx, e.own, { id, reason: '本人移除' }, { link: e.link.id }),
      )
      return null
    },
    async feedback({ body }, call) {
      return { no: await act(call, body, async (tx, e) => (await tellFeedback(tx, e, body)).no) }
    },
    async score({ body }, call) {
      await act(call, body, (tx, e) => scoreFeedback(tx, e, body))
      return null
    },
    async scoreVisit({ body }, call) {
      await act(call, body, (tx, e) => scoreVisit(tx, e, body))
      return null
    },
    async reopen({ body }, call) {
      await act(call, body, (tx, e) => reopenFeedback(tx, e, body))
      return null
    },
    async object({ body }, call) {
      await act(call, body, (tx, e) => objectPromise(tx, e, files, body))
      return null
    },
  }
  return serve(homePageApi, handlers)
}
