import { violationsApi } from '@zhuguan/contract/features/violations/violations.api.ts'
import { violationColumns } from '@zhuguan/contract/features/violations/violations.columns.ts'

import { found } from '../../kit/refuse.ts'
import { serve } from '../../kit/serve.ts'
import { pageJson } from '../../kit/statement.ts'
import { sendList } from '../exports/exports.service.ts'
import type { FileStore } from '../files/files.service.ts'
import { checksOf, placeOf, violationDetails, violationPage } from './violations.queries.ts'
import { addViolation, changeViolation, pointsNow } from './violations.service.ts'

export const violationsFeature = (files: FileStore) =>
  serve(violationsApi, {
    list: ({ query }, call) => call.read((tx) => pageJson(tx, violationPage(call.user.scope, query))),
    details: ({ query }, call) =>
      call.read(async (tx) => found(await violationDetails(tx, call.user.scope, query.id))),
    points: ({ query }, call) => call.read((tx) => pointsNow(tx, call, query)),
    add: ({ body }, call) => call.write((tx) => addViolation(tx, call, files, body)),
    handle: ({ body }, call) => call.write((tx) => changeViolation(tx, call, 'handle', body)),
    object: ({ body }, call) => call.write((tx) => changeViolation(tx, call, 'object', body)),
    uphold: ({ body }, call) => call.write((tx) => changeViolation(tx, call, 'uphold', body)),
    withdraw: ({ body }, call) => call.write((tx) => changeViolation(tx, call, 'withdraw', body)),
    tidiness: ({ query }, call) =>
      call.read(async (tx) => {
        found(await placeOf(tx, call.user.scope, query.site_id))
        return checksOf(tx, call.user.scope, query.site_id)
      }),
    export: ({ query }, call) =>
      sendList(call, '违规记录', violationColumns, violationPage(call.user.scope, query)),
  })
