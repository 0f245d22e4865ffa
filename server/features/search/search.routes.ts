import { searchApi } from '@zhuguan/contract/features/search/search.api.ts'
import { hasPermission } from '@zhuguan/contract/kit/permits.ts'
import type { PageName } from '@zhuguan/contract/pages.ts'
import { pageLabel } from '@zhuguan/contract/permissions.ts'

import { narrowed, reachOf } from '../../kit/reach.ts'
import { serve } from '../../kit/serve.ts'
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
} from './search.queries.ts'

/** Each kind in the reach of the page that shows it; who has no such page finds none of it. */
export const searchFeature = serve(searchApi, {
  all: ({ query: { keyword } }, call) =>
    call.read(async (tx) => {
      const reach = (page: PageName) => reachOf(call.user, pageLabel(page))
      const [sites, workers, devices] = [reach('SiteInfo'), reach('WorkerInfo'), reach('DeviceList')]
      const [products, packages] = [reach('ProductList'), reach('PackageList')]
      const [quotations, contracts] = [reach('QuotationList'), reach('ContractDetail')]
      const [orders, notes] = [reach('OrderDetail'), reach('DispatchList')]
      const [sheets, changes] = [reach('AcceptanceList'), reach('ChangeGoods')]
      const [statements, owners] = [reach('StatementList'), reach('OwnerInfo')]
      const [customers, promises] = [reach('CustomerInfo'), reach('PromiseList')]
      const [feedback, threads] = [reach('FeedbackList'), reach('OwnerInteract')]
      const readers = narrowed(call.user, [pageLabel('WorkerInfo')])
      const byPhone = readers !== undefined && hasPermission(readers, 'worker:phone')
      return [
        ...(sites ? await findSites(tx, sites, keyword) : []),
        ...(owners ? await findOwners(tx, owners, keyword) : []),
        ...(workers ? await findWorkers(tx, workers, keyword, byPhone) : []),
        ...(devices ? await findDevices(tx, devices, keyword) : []),
        ...(products ? await findProducts(tx, products, keyword) : []),
        ...(packages ? await findPackages(tx, packages, keyword) : []),
        ...(customers ? await findCustomers(tx, customers, keyword) : []),
        ...(quotations ? await findQuotations(tx, quotations, keyword) : []),
        ...(contracts ? await findContracts(tx, contracts, keyword) : []),
        ...(orders ? await findOrders(tx, orders, keyword) : []),
        ...(notes ? await findNotes(tx, notes, keyword) : []),
        ...(sheets ? await findSheets(tx, sheets, keyword) : []),
        ...(changes ? await findChanges(tx, changes, keyword) : []),
        ...(promises ? await findPromises(tx, promises, keyword) : []),
        ...(owners ? await findQuestions(tx, owners, keyword) : []),
        ...(feedback ? await findFeedback(tx, feedback, keyword) : []),
        ...(threads ? await findMessages(tx, threads, keyword) : []),
        ...(statements ? await findStatements(tx, statements, keyword) : []),
      ]
    }),
})
