import { tripsApi } from '@zhuguan/contract/features/dispatch/trips.api.ts'
import { MOST_DAYS } from '@zhuguan/contract/features/dispatch/trips.record.ts'

import { onParties } from '../../kit/parties.ts'
import { found, invalid } from '../../kit/refuse.ts'
import { serve } from '../../kit/serve.ts'
import { addDays } from '../../kit/shanghai.ts'
import { partiesOfNote } from './notes.queries.ts'
import { arrivalsOf, ownTrip, tripList } from './trips.queries.ts'
import { addTrip, editTrip, replanNote } from './trips.service.ts'

export const tripsFeature = serve(tripsApi, {
  list: ({ query }, call) => call.read((tx) => tripList(tx, call.user.scope, query)),
  add: ({ body }, call) => call.write((tx) => addTrip(tx, call, body)),
  edit: async ({ body }, call) => {
    const { id: user, scope, tenant } = call.user
    const { bcs, receiver_id } = found(await call.read((tx) => ownTrip(tx, scope, body.id, body.stops)))
    // A trip may carry goods of several branches; each of them has orders that it concerns.
    const own = call.within({ tenant, user, bcs, sites: null, receivers: [receiver_id] })
    return own.write((tx) => editTrip(tx, own, receiver_id, body))
  },
  arrivals: async ({ query }, call) => {
    if (query.to < query.from) throw invalid('to', '结束日期不能早于开始日期')
    if (query.to > addDays(query.from, MOST_DAYS)) throw invalid('to', `一次最多看 ${MOST_DAYS} 天`)
    const list = await call.read((tx) => arrivalsOf(tx, call.user.scope, query))
    return { at: Math.floor(call.now().getTime() / 1000), list }
  },
  replan: async ({ body }, call) => {
    const parties = found(await call.read((tx) => partiesOfNote(tx, call.user.scope, body.id)))
    return onParties(call, parties, (tx, at) => replanNote(tx, at, parties.order_id, body))
  },
})
