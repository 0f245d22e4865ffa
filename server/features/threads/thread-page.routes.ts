import { threadPageApi } from '@zhuguan/contract/features/threads/thread-page.api.ts'

import { allowance } from '../../kit/bound.ts'
import { invalid } from '../../kit/refuse.ts'
import { type Call, type Feature, type Handlers, serve } from '../../kit/serve.ts'
import { type FileStore, keepPicture } from '../files/files.service.ts'
import { type Bearer, bearerIn, type LinkCall, once, type OpenLink } from '../links/links.service.ts'
import type { Contact } from './own-thread.queries.ts'
import { ownerSaw, ownerSays, ownerTakesBack, ownerThread } from './own-thread.service.ts'

/** The way in for somebody of a home. */
export interface HomeEntry {
  enter(
    call: Call,
    bearer: Bearer,
  ): Promise<{ link: OpenLink; own: LinkCall; contact: Contact; alone: boolean }>
}
const WORDS = 30
const PICTURES = 60
const AN_HOUR = 3_600_000

/** The thread behind an owner's link: what the home may read, and what it says. */
export function threadPageFeature({ files, home }: { files: FileStore; home: HomeEntry }): Feature {
  const words = allowance(WORDS, AN_HOUR, `一小时最多发 ${WORDS} 条留言，请稍后再发；急事请打电话`)
  // Whoever takes a word back may still say it right.
  const backs = allowance(WORDS, AN_HOUR, `一小时最多撤回 ${WORDS} 条留言，请稍后再试；急事请打电话`)
  const pictures = allowance(PICTURES, AN_HOUR, `一小时内最多上传 ${PICTURES} 张照片，请稍后再试`)
  const handlers: Handlers<typeof threadPageApi> = {
    async thread({ body }, call) {
      const { contact, own } = await home.enter(call, body)
      return own.read((tx) => ownerThread(tx, own, contact, body.before))
    },
    async say({ body }, call) {
      const { contact, link, own } = await home.enter(call, body)
      await own.write((tx) =>
        once(tx, link, { act: body.act, target: contact.site_id }, async () => {
          words.spend(contact.id, call.now())
          await ownerSays(tx, own, link, contact, { words: body.words, pictures: body.pictures })
          return ''
        }),
      )
      return null
    },
    async takeBack({ body }, call) {
      const { contact, own } = await home.enter(call, body)
      backs.spend(contact.id, call.now())
      await own.write((tx) => ownerTakesBack(tx, own, files, contact, body.id))
      return null
    },
    async saw({ body }, call) {
      const { alone, contact, own } = await home.enter(call, body)
      // Nobody knows that it was the owner who read it there.
      if (!alone) await own.write((tx) => ownerSaw(tx, own, contact, body.seq))
      return null
    },
    async photo(_input, call) {
      const { contact, link, own } = await home.enter(call, bearerIn(call))
      const bytes = call.request.body
      if (!Buffer.isBuffer(bytes) || bytes.length === 0) throw invalid('file', '请选择一张照片')
      pictures.spend(contact.id, call.now())
      return keepPicture(own, files, bytes, link.id)
    },
  }
  return serve(threadPageApi, handlers, {
    photo: async (call) => (await home.enter(call, bearerIn(call))).link.id,
  })
}
