import { packagesApi } from '@zhuguan/contract/features/packages/packages.api.ts'
import { packageColumns } from '@zhuguan/contract/features/packages/packages.columns.ts'

import { found } from '../../kit/refuse.ts'
import { serve } from '../../kit/serve.ts'
import { pageJson } from '../../kit/statement.ts'
import { sendList } from '../exports/exports.service.ts'
import { packageDetail, packagePage } from './packages.queries.ts'
import {
  addPackage,
  copyPackage,
  editPackage,
  publishPackage,
  renewPackage,
  stopPackage,
} from './packages.service.ts'

export const packagesFeature = serve(packagesApi, {
  list: ({ query }, call) =>
    call.read(async (tx) => pageJson(tx, await packagePage(tx, call.user.scope, query))),
  details: async ({ query }, call) =>
    found(await call.read((tx) => packageDetail(tx, call.user.scope, query.id))),
  add: ({ body }, call) => call.write((tx) => addPackage(tx, call, body)),
  edit: ({ body }, call) => call.write((tx) => editPackage(tx, call, body)),
  renew: ({ body }, call) => call.write((tx) => renewPackage(tx, call, body)),
  copy: ({ body }, call) => call.write((tx) => copyPackage(tx, call, body)),
  publish: ({ body }, call) => call.write((tx) => publishPackage(tx, call, body)),
  stop: ({ body }, call) => call.write((tx) => stopPackage(tx, call, body)),
  async export({ query }, call) {
    const page = await call.read((tx) => packagePage(tx, call.user.scope, query))
    return sendList(call, '套餐', packageColumns, page)
  },
})
