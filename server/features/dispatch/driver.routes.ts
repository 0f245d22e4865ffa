import { driverApi } from '@zhuguan/contract/features/dispatch/driver.api.ts'

import type { Database } from '../../database/connect.ts'
import { allowance } from '../../kit/bound.ts'
import { invalid, Refused } from '../../kit/refuse.ts'
import { type Call, type Feature, type Handlers, serve } from '../../kit/serve.ts'
import { type FileStore, keepPicture } from '../files/files.service.ts'
import { type Bearer, bearerIn, type LinkCall, type LinkDoor, type OpenLink } from '../links/links.service.ts'
import { noteBehind } from './driver.queries.ts'
import { driverHandOver, driverNode, driverSay, driverStateOf } from './driver.service.ts'
import { codeGuesses } from './pickup-codes.service.ts'

const PICTURES = 60
const NODES = 60
const ACTS = 240
const AN_HOUR = 3_600_000
const ROLE = '司机'

/** Behind a driver's link: a trip or a note, and nothing else of the group. */
export function driverFeature({
  db,
  door,
  files,
}: {
  db: Database
  door: LinkDoor
  files: FileStore
}): Feature {
  const guesses = codeGuesses(db)
  const pictures = allowance(PICTURES, AN_HOUR, `一小时内最多上传 ${PICTURES} 张照片，请稍后再试`)
  const nodes = allowance(NODES, AN_HOUR, `一小时内最多报 ${NODES} 次到哪了，请稍后再试`)
  const acts = allowance(ACTS, AN_HOUR, '这个链接一小时内的操作太多，请稍后再试')
  /** The note that is spoken of, and the call in the reach of its two parties. */
  async function on(
    call: Call,
    said: Bearer & { at: number; note_id: string },
  ): Promise<{ link: OpenLink; own: LinkCall }> {
    const note = said.note_id
    const link = await door.enter(call, said, 'driver', { doneAt: said.at })
    acts.spend(link.id, call.now())
    const own = door.as(call, link, link, ROLE)
    const of = await own.read((tx) => noteBehind(tx, link.tenant, link.target_id, note))
    if (!of) throw new Refused('这张发货单不在这个链接里，可能已改由别的车送', 404, 404)
    return { link, own: door.as(call, link, of, ROLE) }
  }
  const senderOf = (call: Call) => door.enter(call, bearerIn(call), 'driver', { doneAt: 0 })
  const handlers: Handlers<typeof driverApi> = {
    async state({ body }, call) {
      const link = await door.enter(call, body, 'driver')
      return door.as(call, link, link, ROLE).read((tx) => driverStateOf(tx, link))
    },
    async node({ body }, call) {
      const { link, own } = await on(call, body)
      nodes.spend(link.id, call.now())
      await own.write((tx) => driverNode(tx, own, link, body))
      return null
    },
    async handOver({ body }, call) {
      const { link, own } = await on(call, body)
      return guesses(body.note_id, body.pickupCode, () =>
        own.write((tx) => driverHandOver(tx, own, link, body)),
      )
    },
    async say({ body }, call) {
      const { link, own } = await on(call, body)
      await own.write((tx) => driverSay(tx, own, link, body))
      return null
    },
    async photo(_input, call) {
      // It shows nothing by itself; what it proves says when it was done.
      const link = await senderOf(call)
      const bytes = call.request.body
      if (!Buffer.isBuffer(bytes) || bytes.length === 0) throw invalid('file', '请选择一张照片')
      pictures.spend(link.id, call.now())
      const own = door.as(call, link, link, ROLE)
      return keepPicture(own, files, bytes, link.id)
    },
  }
  return serve(driverApi, handlers, { photo: async (call) => (await senderOf(call)).id })
}
