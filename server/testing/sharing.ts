import { randomBytes, randomUUID } from 'node:crypto'

import { examineApi } from '@zhuguan/contract/features/examine/examine.api.ts'
import { linksApi } from '@zhuguan/contract/features/links/links.api.ts'
import { sharePageApi } from '@zhuguan/contract/features/shares/share-page.api.ts'
import type { BodyOf } from '@zhuguan/contract/kit/api.ts'

import type { Person } from './person.ts'
import type { Shop, Shown } from './selling.ts'

/** A customer's telephone that holds a link; `kept: false`: its browser keeps nothing. */
export function customerPhone(server: Shown, token: string, { kept = true } = {}) {
  const who = server.nobody()
  const number = randomBytes(16).toString('hex')
  const bearer = { token, pass: '', device: kept ? number : `visit-${number}` }
  return {
    bearer,
    async open(password = '') {
      const answer = await who.ask(linksApi.open, { body: { ...bearer, password } })
      if (answer.code === 200) bearer.pass = answer.data.pass
      return answer
    },
    state: (headers: Record<string, string> = {}) => who.ask(sharePageApi.state, { body: bearer }, headers),
    painted: (headers: Record<string, string> = {}) => who.ask(linksApi.painted, { body: bearer }, headers),
    /** What it shows, with somebody who looks. */
    async read(headers: Record<string, string> = {}) {
      const page = await this.state(headers)
      await this.painted(headers)
      return page
    },
    seen: (seconds: number, looked: BodyOf<typeof sharePageApi.seen>['looked']) =>
      who.ask(sharePageApi.seen, { body: { ...bearer, seconds, looked } }),
    picture: (key: string) => who.ask(linksApi.picture, { body: { ...bearer, key, size: 'medium' } }),
    interest: (
      of: Partial<BodyOf<typeof sharePageApi.interest>> = {},
      headers: Record<string, string> = {},
    ) =>
      who.ask(
        sharePageApi.interest,
        {
          body: {
            ...bearer,
            act: randomUUID(),
            name: '陈女士',
            phone: '13655550001',
            agreed: true,
            ...of,
          },
        },
        headers,
      ),
  }
}

/** A quotation that was approved, and its version. */
export async function approvedQuotation(shop: Shop, more: object = {}) {
  const id = await shop.draft(shop.quoter, more)
  const { hash, id: request, version } = await shop.submit(id)
  await shop.examiner.call(examineApi.pass, { body: { id: request, version, hash } })
  const q = await shop.seen(id)
  return q
}
type NewLink = BodyOf<typeof linksApi.create>
export const shareBy = (who: Person, body: Partial<NewLink> & Pick<NewLink, 'kind' | 'target_id'>) =>
  who.call(linksApi.create, { body })
