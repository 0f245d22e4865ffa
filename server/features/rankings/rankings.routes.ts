import { rankingsApi } from '@zhuguan/contract/features/rankings/rankings.api.ts'
import { type ReasonGiven, reasonWords } from '@zhuguan/contract/features/rankings/rankings.record.ts'
import { siteStage } from '@zhuguan/contract/features/sites/sites.record.ts'
import type { QueryOf } from '@zhuguan/contract/kit/api.ts'

import { type Call, serve } from '../../kit/serve.ts'
import { shanghaiDay } from '../../kit/shanghai.ts'
import { orderOf, pageJson, settled } from '../../kit/statement.ts'
import { sendWorkbook, timeColumn, word } from '../exports/exports.service.ts'
import { rankPage } from './rankings.queries.ts'
import { setWeight, weightsOf } from './rankings.service.ts'

const pageOf = (call: Call, query: QueryOf<(typeof rankingsApi)['list']>) =>
  rankPage(call.user.scope, query, shanghaiDay(call.now()))
/** The place of the reasons among the columns of the file. */
const REASONS = 3

export const rankingsFeature = serve(rankingsApi, {
  list: ({ query }, call) => call.read((tx) => pageJson(tx, pageOf(call, query))),
  weights: ({ query }, call) =>
    call.read((tx) => weightsOf(tx, call.user.scope, query.bc_id, shanghaiDay(call.now()))),
  setWeight: ({ body }, call) => call.write((tx) => setWeight(tx, call, body)),
  freeWeight: ({ body }, call) => call.write((tx) => setWeight(tx, call, body)),
  export: ({ query }, call) => {
    const page = pageOf(call, query)
    return sendWorkbook(call, '今日该巡', {
      from: `(SELECT ${page.columns} FROM ${page.base} ${page.joins} WHERE ${page.where.text}
        ORDER BY ${orderOf(page).join(', ')}) k`,
      where: settled(page.where),
      order: '',
      columns: [
        ['名次', 'k.rank', 'number'],
        ['工地', 'k."siteName"'],
        ['分公司', 'k.bc_name'],
        ['为什么', 'k.reasons'],
        ['阶段', word('k.stage', siteStage)],
        ['项目经理', 'k."managerName"'],
        timeColumn('上次巡检', 'to_timestamp(k."lastAt")'),
        timeColumn('当天已巡', 'to_timestamp(k."doneAt")'),
      ],
      formed: async (_tx, rows) =>
        rows.map((cells) =>
          cells.with(REASONS, (JSON.parse(cells[REASONS]!) as ReasonGiven[]).map(reasonWords).join('；')),
        ),
    })
  },
})
