import { subsystem } from '@zhuguan/contract/features/session/session.record.ts'
import type { userlogsApi as Api } from '@zhuguan/contract/features/userlogs/userlogs.api.ts'
import { userlogsApi } from '@zhuguan/contract/features/userlogs/userlogs.api.ts'
import { logOutcome, type LogRow } from '@zhuguan/contract/features/userlogs/userlogs.record.ts'
import type { DataOf } from '@zhuguan/contract/kit/api.ts'

import type { Scope, Tx } from '../../database/connect.ts'
import { serve } from '../../kit/serve.ts'
import { pageJson } from '../../kit/statement.ts'
import { sendWorkbook, timeColumn, word } from '../exports/exports.service.ts'
import { BEGINNING, readPlace, sealPlace, walkLog } from './log-walk.ts'
import { inWords, type KeptLine, titleOf } from './log-words.ts'
import type { Beside } from './personal.ts'
import { AFTER, BEFORE, logPage, logWhere, recentActions } from './userlogs.queries.ts'
import { chainOf } from './userlogs.service.ts'

/** So many lines take a second or two; whoever verifies more goes on with the next call. */
const LINES_OF_A_CALL = 10_000

/** The sheet's cells of a page of rows: object, its name and the changes in words. */
async function cellsInWords(tx: Tx, scope: Scope, rows: string[][]): Promise<string[][]> {
  const value = (cell: string): unknown => (cell ? JSON.parse(cell) : null)
  const afterOf = (cell: string): { after: unknown; beside: Beside | null } => JSON.parse(cell)
  const words = await inWords(
    tx,
    scope,
    rows.map((r) => ({
      object: r[5]!,
      objectId: r[6]!,
      before: value(r[8]!),
      ...afterOf(r[9]!),
      agent: r[11]!,
    })),
  )
  return rows.map((r, i) => {
    const { object, objectName, changes, terminal } = words[i]!
    const side = (of: 'before' | 'after') =>
      changes
        .filter((c) => c[of])
        .map((c) => `${c.title}：${c[of]}`)
        .join('；')
    return [
      ...r.slice(0, 5),
      titleOf(object),
      objectName,
      r[7]!,
      side('before'),
      side('after'),
      r[10]!,
      terminal,
    ]
  })
}

export const userlogsFeature = ({ secretKey }: { secretKey: Buffer }) =>
  serve(userlogsApi, {
    async list({ query }, call) {
      const page = await call.read((tx) => pageJson(tx, logPage(call.user, query)))
      const read = JSON.parse(page.text) as Omit<DataOf<(typeof Api)['list']>, 'list'> & {
        list: (KeptLine & LogRow)[]
      }
      return { ...read, list: await call.read((tx) => inWords(tx, call.user.scope, read.list)) }
    },
    actions: (_input, call) => call.read((tx) => recentActions(tx, call.user)),
    chain: (_input, call) => call.read((tx) => chainOf(tx, call.user.tenant)),
    async verify({ body }, call) {
      const { tenant } = call.user
      const from = body.next ? readPlace(secretKey, tenant, body.next) : BEGINNING
      const walked = await walkLog((look) => call.read(look), tenant, secretKey, from, LINES_OF_A_CALL)
      const { blackened, checked, of, ok, on, why } = walked
      const verdict = { ok, checked, blackened, why }
      if (on) return { ...verdict, of, next: sealPlace(secretKey, tenant, on) }
      await call.write((tx) =>
        call.log(tx, { action: '校验日志', object: 'log', objectId: '', after: verdict }),
      )
      return { ...verdict, of, next: null }
    },
    export: ({ query }, call) =>
      sendWorkbook(call, '操作日志', {
        from: 'user_logs l LEFT JOIN users u ON u.tenant_id = l.tenant_id AND u.id = l.user_id',
        where: logWhere(call.user, query),
        order: 'l.at DESC, l.id DESC',
        columns: [
          timeColumn('时间', 'l.at'),
          ['账号', 'l.user_name'],
          ['姓名', 'u.nickname'],
          ['子系统', `CASE WHEN l.system = '' THEN '' ELSE ${word('l.system', subsystem)} END`],
          ['动作', 'l.action'],
          ['对象', 'l.object'],
          ['对象名称', 'l.object_id'],
          ['结果', word('l.outcome', logOutcome)],
          ['变更前', BEFORE],
          // What stands beside the line goes along: cells are put into words outside of the statement.
          ['变更后', `jsonb_build_object('after', ${AFTER}, 'beside', l.beside)`],
          ['IP', 'l.ip'],
          ['终端', 'l.agent'],
        ],
        formed: (tx, rows) => cellsInWords(tx, call.user.scope, rows),
      }),
  })
