import { caseWhere } from '@zhuguan/contract/features/cases/cases.record.ts'
import { nearbyApi } from '@zhuguan/contract/features/nearby/nearby.api.ts'
import { LEAST_HOMES, type NearbyView } from '@zhuguan/contract/features/nearby/nearby.record.ts'
import { pageLabel } from '@zhuguan/contract/permissions.ts'

import { reachOf } from '../../kit/reach.ts'
import { invalid } from '../../kit/refuse.ts'
import { hasPlace, wholeGroup } from '../../kit/scoped.ts'
import { type Call, serve } from '../../kit/serve.ts'
import { publicCases } from '../cases/cases.reads.ts'
import { type Around, figuresAround, homesAround, placesCalled, pointsAround } from './nearby.queries.ts'
import { communityCalled } from './now.queries.ts'
import { casesFrom, homesNow } from './now.service.ts'

const PER_CENT = 100
/** Nothing is told more exactly, in metres: a community of one home stands where that home is. */
const COARSE = 50
const isMoved = (q: Around) => q.point !== undefined || q.east !== 0 || q.north !== 0
/**
 * Homes of the whole group as anybody may know them. A picture and the way to the site itself are told only where the
 * home agreed to it, its community among it, or the caller sees the site anyway; beside a picture the area only where
 * the home agreed to that, too.
 */
async function around(call: Call, q: Around): Promise<NearbyView> {
  if (q.community === '' && !q.point) throw invalid('community', '请选择小区')
  const said = (metres: number) => Math.round(metres / COARSE) * COARSE
  const { tenant } = call.user
  const sites = reachOf(call.user, pageLabel('SiteInfo'))
  const seesCases = reachOf(call.user, pageLabel('CaseField')) !== undefined
  return call.within(wholeGroup(tenant)).read(async (tx) => {
    const points = await pointsAround(tx, tenant, q)
    const here = isMoved(q) ? undefined : points[0]
    if (!here && !q.point && !(isMoved(q) && (await communityCalled(tx, tenant, q))))
      throw invalid('community', `没有在“${q.community}”做过工地，请换一个小区`)
    const [told, homes, cases] = await Promise.all([
      figuresAround(tx, tenant, q),
      homesAround(tx, tenant, q),
      seesCases ? publicCases(tx, tenant, caseWhere.code.store, call.now()) : [],
    ])
    // One that agreed to be shown without its community would be found by it here.
    const shown = new Map(cases.filter((k) => k.community !== null).map((k) => [k.site_id, k]))
    const { building, days, daysOf, finished, onTime, onTimeOf, styles, working } = told
    return {
      at: Math.floor(call.now().getTime() / 1_000),
      figures: {
        hereBuilding: here?.building ?? null,
        hereFinished: here?.finished ?? null,
        building,
        finished,
        working,
        typicalDays: daysOf < LEAST_HOMES ? null : days,
        typicalOf: daysOf,
        onTime: onTimeOf < LEAST_HOMES ? null : Math.round((PER_CENT * onTime) / onTimeOf),
        onTimeOf,
      },
      points: points.map((p) => ({ ...p, east: said(p.east), north: said(p.north), metres: said(p.metres) })),
      total: homes[0]?.total ?? 0,
      styles,
      homes: homes.map(({ bc_id, total: _total, ...h }) => {
        const k = shown.get(h.id)
        const newest = k?.pictures.at(-1)
        return {
          ...h,
          metres: said(h.metres),
          // Of a home that is shown nothing is told that its people kept from it.
          areaRange: k ? k.areaRange : h.areaRange,
          case: k && newest ? { id: k.id, title: k.title, cover: newest.key, day: newest.day } : null,
          inReach: !!sites && hasPlace(sites, bc_id, h.id),
        }
      }),
    }
  })
}

export const nearbyFeature = serve(nearbyApi, {
  places: ({ query }, call) => {
    const { tenant } = call.user
    return call.within(wholeGroup(tenant)).read((tx) => placesCalled(tx, tenant, query.keyword))
  },
  around: ({ query }, call) => around(call, query),
  now: ({ query }, call) => homesNow(call, query),
  cases: ({ query }, call) => casesFrom(call, query),
})
