import { caseWhere, type PublicCase } from '@zhuguan/contract/features/cases/cases.record.ts'
import type { nearbyApi } from '@zhuguan/contract/features/nearby/nearby.api.ts'
import {
  FARTHEST_NOW,
  type HomeNow,
  MOST_NOW,
  type NearbyMiddle,
} from '@zhuguan/contract/features/nearby/nearby.record.ts'
import type { DataOf, QueryOf } from '@zhuguan/contract/kit/api.ts'
import { metres, type Place } from '@zhuguan/contract/kit/places.ts'

import type { Tx } from '../../database/connect.ts'
import { invalid } from '../../kit/refuse.ts'
import { wholeGroup } from '../../kit/scoped.ts'
import type { Call } from '../../kit/serve.ts'
import { publicCases } from '../cases/cases.reads.ts'
import { communitiesOf, communityCalled, storeOf, tradesToday } from './now.queries.ts'

type Api = typeof nearbyApi
type Said = QueryOf<Api['now']>
const TENS = 10

/** From where it is measured. */
async function middleOf(
  tx: Tx,
  call: Call,
  { city, community }: Said,
): Promise<NearbyMiddle & { place?: Place }> {
  if (community) {
    const place = await communityCalled(tx, call.user.tenant, { community, city })
    if (!place) throw invalid('community', `没有在“${community}”做过工地，请换一个小区`)
    return { kind: 'community', name: community, place }
  }
  const store = await storeOf(tx, call.user.scope)
  return store ? { kind: 'store', name: store.name, place: store } : { kind: 'none', name: '' }
}

/**
 * What may be shown in a store, and how far the community of each is. Of a home that did not agree to its community
 * nothing is said of where it is.
 */
async function casesAround(tx: Tx, call: Call, said: Said) {
  const { tenant } = call.user
  const { place, ...middle } = await middleOf(tx, call, said)
  const cases = await publicCases(tx, tenant, caseWhere.code.store, call.now())
  const told = cases.filter((k) => k.community !== null).map((k) => k.site_id)
  const places = place && told.length ? await communitiesOf(tx, tenant, told) : new Map<string, Place>()
  const away = (k: PublicCase): number | null => {
    const at = k.community === null ? undefined : places.get(k.site_id)
    return place && at ? Math.round(metres(place, at) / TENS) * TENS : null
  }
  return { middle, cases: cases.map((k) => ({ k, metres: away(k) })) }
}

export function casesFrom(call: Call, said: Said): Promise<DataOf<Api['cases']>> {
  return call.within(wholeGroup(call.user.tenant)).read(async (tx) => {
    const { cases, middle } = await casesAround(tx, call, said)
    const list = cases.flatMap(({ k: { id }, metres: m }) => (m === null ? [] : [{ id, metres: m }]))
    return { middle, list }
  })
}

/**
 * The nearest ones in which somebody works today, none that is far; what stands nowhere comes last, the newest picture
 * first.
 */
export function homesNow(call: Call, said: Said): Promise<DataOf<Api['now']>> {
  const { tenant } = call.user
  return call.within(wholeGroup(tenant)).read(async (tx) => {
    const { cases, middle } = await casesAround(tx, call, said)
    const trades = await tradesToday(
      tx,
      tenant,
      cases.map(({ k }) => k.site_id),
    )
    const homes = cases.flatMap(({ k, metres: m }): HomeNow[] => {
      const today = trades.get(k.site_id)
      const { community, id, title } = k
      const { day, key } = k.pictures.at(-1)!
      const stage = k.stages.findLast((s) => s.to === null)?.name ?? null
      if (!today || (m !== null && m > FARTHEST_NOW)) return []
      return [
        {
          id,
          title,
          stage,
          community,
          metres: m,
          trades: today.map((t) => t.trade),
          picture: { key, day },
        },
      ]
    })
    const far = (h: HomeNow) => h.metres ?? Infinity
    const nearest = homes.toSorted((a, b) =>
      far(a) === far(b) ? b.picture.day.localeCompare(a.picture.day) : far(a) - far(b),
    )
    return {
      at: Math.floor(call.now().getTime() / 1_000),
      middle,
      homes: nearest.slice(0, MOST_NOW),
      total: homes.length,
    }
  })
}
