import { noWorkApi } from '@zhuguan/contract/features/no-work/no-work.api.ts'
import { noWorkColumns } from '@zhuguan/contract/features/no-work/no-work.columns.ts'

import { serve } from '../../kit/serve.ts'
import { pageJson } from '../../kit/statement.ts'
import { sendList } from '../exports/exports.service.ts'
import { noWorkPage } from './no-work.queries.ts'
import { reasonChoices, tellManager, writeReason } from './no-work.service.ts'

export const noWorkFeature = serve(noWorkApi, {
  list: ({ query }, call) => call.read((tx) => pageJson(tx, noWorkPage(call.user.scope, query))),
  reason: ({ body }, call) => call.write((tx) => writeReason(tx, call, body)),
  choices: ({ query }, call) => call.read((tx) => reasonChoices(tx, call, query.id)),
  tell: ({ body }, call) => call.write((tx) => tellManager(tx, call, body)),
  export: ({ query }, call) => sendList(call, '停工预警', noWorkColumns, noWorkPage(call.user.scope, query)),
})
