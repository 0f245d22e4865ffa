import { searchApi } from '@zhuguan/contract/features/search/search.api.ts'
import { hasPermission } from '@zhuguan/contract/kit/permits.ts'
import type { PageName } from '@zhuguan/contract/pages.ts'
import { pageLabel } from '@zhuguan/contract/permissions.ts'

import { narrowed, reachOf } from '../../kit/reach.ts'
import { serve } from '../../kit/serve.ts'
import type { Scope, Tx } from '../../kit/tx.ts'
import { countSearch } from '../customers/number-looks.service.ts'
import { findCases } from './find-cases.ts'
import { findCustomers } from './find-customers.ts'
import {
  findChanges,
  findDevices,
  findFeedback,
  findMessages,
  findNotes,
  findOrders,
  findOwners,
  findPackages,
  findProducts,
  findPromises,
  findQuestions,
  findQuotations,
  findContracts,
  findSheets,
  findStatements,
  findSites,
  findWorkers,
  type Hit,
} from './search.queries.ts'

type Find = (tx: Tx, scope: Scope, keyword: string) => Promise<Hit[]>
/** Each kind with the page that shows it, in their order; workers, found by more (`byPhone`), stand between. */
const BEFORE: readonly (readonly [PageName, Find])[] = [
  ['SiteInfo', findSites],
  ['OwnerInfo', findOwners],
]
const AFTER: readonly (readonly [PageName, Find])[] = [
  ['DeviceList', findDevices],
  ['ProductList', findProducts],
  ['PackageList', findPackages],
  ['CustomerInfo', findCustomers],
  ['QuotationList', findQuotations],
  ['ContractDetail', findContracts],
  ['OrderDetail', findOrders],
  ['DispatchList', findNotes],
  ['AcceptanceList', findSheets],
  ['ChangeGoods', findChanges],
  ['PromiseList', findPromises],
  ['OwnerInfo', findQuestions],
  ['CaseList', findCases],
  ['FeedbackList', findFeedback],
  ['OwnerInteract', findMessages],
  ['StatementList', findStatements],
]

/** Each kind in the reach of the page that shows it; who has no such page finds none of it. */
export const searchFeature = ({ secretKey }: { secretKey: Buffer }) =>
  serve(searchApi, {
    all: async ({ query: { keyword } }, call) => {
      if (reachOf(call.user, pageLabel('CustomerInfo'))) await countSearch(call, secretKey, keyword)
      return call.read(async (tx) => {
        const found: Hit[] = []
        const look = async (page: PageName, find: Find) => {
          const reach = reachOf(call.user, pageLabel(page))
          if (reach) found.push(...(await find(tx, reach, keyword)))
        }
        const readers = narrowed(call.user, [pageLabel('WorkerInfo')])
        const byPhone = readers !== undefined && hasPermission(readers, 'worker:phone')
        for (const [page, find] of BEFORE) await look(page, find)
        await look('WorkerInfo', (at, scope, words) => findWorkers(at, scope, words, byPhone))
        for (const [page, find] of AFTER) await look(page, find)
        return found
      })
    },
  })
