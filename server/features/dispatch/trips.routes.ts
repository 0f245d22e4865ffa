import { tripsApi } from '@zhuguan/contract/features/dispatch/trips.api.ts'
import { MOST_DAYS } from '@zhuguan/contract/features/dispatch/trips.record.ts'

import { onParties } from '../../kit/parties.ts'
import { found, invalid } from '../../kit/refuse.ts'
import { serve } from '../../kit/serve.ts'
import { addDays } from '../../kit/shanghai.ts'
import { partiesOfNote } from './notes.queries.ts'
import { arrivalsOf, tripList } from './trips.queries.ts'
import { addTrip, replanNote } from './trips.service.ts'

export const tripsFeature = serve(tripsApi, {
  list: ({ query }, call) => call.read((tx) => tripList(tx, call.user.scope, query)),
  add: ({ body }, call) => call.write((tx) => addTrip(tx, call, body)),
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
