import { supervisionApi } from '@zhuguan/contract/features/supervision/supervision.api.ts'
import {
  peopleColumns,
  recordColumns,
  visitColumns,
} from '@zhuguan/contract/features/supervision/supervision.columns.ts'
import {
  figure,
  type MapFigures,
  UNVISITED_DAYS,
} from '@zhuguan/contract/features/supervision/supervision.record.ts'
import type { QueryOf } from '@zhuguan/contract/kit/api.ts'

import { found, outside } from '../../kit/refuse.ts'
import { wholeGroup } from '../../kit/scoped.ts'
import { type Call, serve } from '../../kit/serve.ts'
import { Json, pageJson, type PageOf } from '../../kit/statement.ts'
import { branchName } from '../companies/companies.reads.ts'
import { sendList } from '../exports/exports.service.ts'
import { upTo } from '../statistics/as-of.reads.ts'
import { unledSites } from './branches.queries.ts'
import { checkInsOf, managersOf, unvisitedSites } from './map.queries.ts'
import { peoplePage, recordsPage } from './supervision.queries.ts'
import {
  branchAsked,
  daysOf,
  personAsked,
  say,
  superiorReach,
  supervisionOf,
  unsay,
} from './supervision.service.ts'
import { visitPage } from './visits.queries.ts'

/** A list, and the call in whose reach it is read. */
interface Listed {
  at: Call
  page: PageOf
}
const recordsOf = async (call: Call, query: QueryOf<typeof supervisionApi.records>): Promise<Listed> => {
  const { asked, at, isOwn, person } = await personAsked(call, query)
  // What is kept from somebody is kept from them here as well.
  if (isOwn && query.figure === figure.code.kept) throw outside()
  return { at, page: recordsPage(asked, query, person, call.user.scope) }
}
/** Everybody in reach for who supervises; oneself, wherever it was, for everybody else. */
const visitsOf = (call: Call, query: QueryOf<typeof supervisionApi.visits>): Listed => {
  const { id: me, scope: own, tenant } = call.user
  const span = query.from || query.to ? query : { ...query, ...daysOf(query, call.now()) }
  const reach = superiorReach(call)
  if (!reach || query.id === me) {
    if (query.id && query.id !== me) throw outside()
    const all = wholeGroup(tenant)
    return { at: call.within(all), page: visitPage(all, span, { person: me, own }) }
  }
  return { at: call.within(reach), page: visitPage(reach, span, { person: query.id, own }) }
}
async function mapOf(call: Call, query: QueryOf<typeof supervisionApi.map>): Promise<MapFigures> {
  const isAll = !query.id && superiorReach(call) !== undefined
  const { asked, at } = isAll ? await branchAsked(call, query) : await personAsked(call, query)
  const person = isAll ? null : (query.id ?? call.user.id)
  const { bc, tenant } = asked
  const days = query.days ?? UNVISITED_DAYS
  return at.read(async (tx) => {
    const where = { tenant, bc, person }
    const people = await managersOf(tx, where)
    const last = await checkInsOf(tx, where, 'last')
    const today = Map.groupBy(await checkInsOf(tx, where, 'today'), (c) => c.id)
    const bare = ({ id: _id, ...c }: (typeof last)[number]) => c
    return {
      bc_name: found(await branchName(tx, tenant, bc)),
      asOf: upTo(call.now()),
      days,
      people: people.map((p) => {
        const its = last.find((c) => c.id === p.id)
        return { ...p, last: its ? bare(its) : null, today: (today.get(p.id) ?? []).map(bare) }
      }),
      unvisited: await unvisitedSites(tx, where, days),
    }
  })
}
const answer = async ({ at, page }: Listed) => at.read((tx) => pageJson(tx, page))

export const supervisionFeature = serve(supervisionApi, {
  async people({ query }, call) {
    const { asked, at } = await branchAsked(call, query)
    return at.read(async (tx) => {
      const unled = await unledSites(tx, asked.tenant, asked.bc)
      const { text } = await pageJson(tx, peoplePage(asked, query))
      return new Json(`${JSON.stringify({ asOf: upTo(call.now()), unled }).slice(0, -1)},${text.slice(1)}`)
    })
  },
  person: ({ query }, call) => supervisionOf(call, query),
  records: async ({ query }, call) => answer(await recordsOf(call, query)),
  visits: ({ query }, call) => answer(visitsOf(call, query)),
  map: ({ query }, call) => mapOf(call, query),
  remark: ({ body }, call) => say(call, body),
  unsay: ({ body }, call) => call.write((tx) => unsay(tx, call, body)),
  async peopleExport({ query }, call) {
    const { asked, at } = await branchAsked(call, query)
    return sendList(at, '管理监督', peopleColumns, peoplePage(asked, query))
  },
  async recordsExport({ query }, call) {
    const { at, page } = await recordsOf(call, query)
    return sendList(at, `监督记录（${figure.label(query.figure)}）`, recordColumns, page)
  },
  async visitsExport({ query }, call) {
    const { at, page } = visitsOf(call, query)
    return sendList(at, '管理巡查', visitColumns, page)
  },
})
