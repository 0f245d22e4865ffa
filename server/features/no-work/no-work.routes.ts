import { noWorkApi } from '@zhuguan/contract/features/no-work/no-work.api.ts'
import { likelyCause, stopReason } from '@zhuguan/contract/features/no-work/no-work.record.ts'
import { noWork } from '@zhuguan/contract/features/sites/sites.record.ts'

import { serve } from '../../kit/serve.ts'
import { pageJson } from '../../kit/statement.ts'
import { instant, sendWorkbook, word } from '../exports/exports.service.ts'
import { LAST_AT, LIKELY, NO_WORK_JOINS, noWorkPage, noWorkWhere } from './no-work.queries.ts'
import { tellManager, writeReason } from './no-work.service.ts'

export const noWorkFeature = serve(noWorkApi, {
  list: ({ query }, call) => call.read((tx) => pageJson(tx, noWorkPage(call.user.scope, query))),
  reason: ({ body }, call) => call.write(async (tx) => (await writeReason(tx, call, body), null)),
  tell: ({ body }, call) => call.write(async (tx) => (await tellManager(tx, call, body), null)),
  export: ({ query }, call) =>
    sendWorkbook(call, '停工预警', {
      from: `sites w ${NO_WORK_JOINS}`,
      where: noWorkWhere(call.user.scope, query),
      order: 'w.no_work_run DESC, w.code',
      columns: [
        ['工地编号', 'w.code'],
        ['工地', 'w.ws_name'],
        ['分公司', 'c.bc_name'],
        ['项目经理', 'm.nickname'],
        ['停工类型', `(SELECT string_agg(${word('x', noWork)}, '、' ORDER BY x) FROM unnest(w.no_work) x)`],
        ['停工天数', 'w.no_work_run'],
        ['累计天数', 'w.no_work_sum'],
        ['最近出勤', instant(LAST_AT)],
        ['原因', `CASE WHEN w.stop_reason IS NULL THEN '' ELSE ${word('w.stop_reason', stopReason)} END`],
        ['可能原因', word(`(${LIKELY})`, likelyCause)],
        ['备注', 'w.stop_remark'],
      ],
    }),
})
