import { looksApi } from '@zhuguan/contract/features/owners/looks.api.ts'
import { homeViewColumns, lookColumns } from '@zhuguan/contract/features/owners/looks.columns.ts'

import { found } from '../../kit/refuse.ts'
import { type Call, serve } from '../../kit/serve.ts'
import { pageJson } from '../../kit/statement.ts'
import { sendList } from '../exports/exports.service.ts'
import { siteInReach } from '../sites/sites.reads.ts'
import { homeViewPage, lookPage } from './looks.queries.ts'

const near = async (call: Call, site: string) =>
  found(await call.read((tx) => siteInReach(tx, call.user.scope, site)))

export const looksFeature = serve(looksApi, {
  async looks({ query }, call) {
    await near(call, query.site_id)
    return call.read((tx) => pageJson(tx, lookPage(call.user.scope, query)))
  },
  async looksExport({ query }, call) {
    await near(call, query.site_id)
    return sendList(call, '业主观看记录', lookColumns, lookPage(call.user.scope, query))
  },
  async views({ query }, call) {
    await near(call, query.site_id)
    return call.read((tx) => pageJson(tx, homeViewPage(call.user.scope, query)))
  },
  async viewsExport({ query }, call) {
    await near(call, query.site_id)
    return sendList(call, '公司查看记录', homeViewColumns, homeViewPage(call.user.scope, query))
  },
})
