import { personsApi } from '@zhuguan/contract/features/persons/persons.api.ts'

import { found } from '../../kit/refuse.ts'
import { wholeGroup } from '../../kit/scoped.ts'
import { type Call, type Feature, serve } from '../../kit/serve.ts'
import { pageJson } from '../../kit/statement.ts'
import { collectPerson } from './collecting.service.ts'
import { findPeople, personPage, requestOf } from './persons.queries.ts'
import {
  addRequest,
  executeRequest,
  type PersonsDeps,
  refuseRequest,
  requestDetails,
  revealPerson,
  verifyRequest,
} from './persons.service.ts'

/** `countSearch`: words that are a whole number are a look, counted before anybody is looked for. */
interface Deps extends PersonsDeps {
  countSearch: (call: Call, words: string) => Promise<void>
}
export const personsFeature = (deps: Deps): Feature =>
  serve(personsApi, {
    list: ({ query }, call) => call.read((tx) => pageJson(tx, personPage(call.user.scope, query))),
    details: ({ query }, call) => requestDetails(call, deps, query.id),
    find: async ({ query }, call) => {
      await deps.countSearch(call, query.keyword)
      return call.read((tx) => findPeople(tx, call.user.scope, query))
    },
    add: ({ body }, call) => call.write((tx) => addRequest(tx, call, body)),
    verify: ({ body }, call) => call.write((tx) => verifyRequest(tx, call, body)),
    refuse: ({ body }, call) => call.write((tx) => refuseRequest(tx, call, body)),
    async execute({ body }, call) {
      // What was found in one's own reach is forgotten in the whole group.
      await call.read(async (tx) => found(await requestOf(tx, call.user.scope, body.id)))
      const group = call.within(wholeGroup(call.user.tenant))
      await group.write((tx) => executeRequest(tx, group, deps, body))
      // Before anybody reads that it is done; where it cannot be written now, the job of every minute tries again.
      await deps.journal(call.user.tenant).catch(() => {})
    },
    collect: ({ query }, call) => collectPerson(call, deps, query.id),
    reveal: ({ body }, call) => call.write((tx) => revealPerson(tx, call, deps, body)),
  })
