import { warningsApi } from '@zhuguan/contract/features/warnings/warnings.api.ts'
import { warningColumns } from '@zhuguan/contract/features/warnings/warnings.columns.ts'

import { found } from '../../kit/refuse.ts'
import { serve } from '../../kit/serve.ts'
import { pageJson } from '../../kit/statement.ts'
import { sendList } from '../exports/exports.service.ts'
import { warningDetails, warningPage } from './warnings.queries.ts'
import { changeWarning, foreseeWarnings } from './warnings.service.ts'

export const warningsFeature = serve(warningsApi, {
  list: ({ query }, call) => call.read((tx) => pageJson(tx, warningPage(call.user.scope, query))),
  details: ({ query }, call) =>
    call.read(async (tx) => found(await warningDetails(tx, call.user.scope, query.id))),
  take: ({ body }, call) => call.write((tx) => changeWarning(tx, call, { action: 'take', ...body })),
  close: ({ body }, call) => call.write((tx) => changeWarning(tx, call, { action: 'close', ...body })),
  foresee: ({ query }, call) => call.read((tx) => foreseeWarnings(tx, call, query)),
  export: ({ query }, call) =>
    sendList(call, '工期与质量预警', warningColumns, warningPage(call.user.scope, query)),
})
