import { subsystem } from '@zhuguan/contract/features/session/session.record.ts'
import type { userlogsApi as Api } from '@zhuguan/contract/features/userlogs/userlogs.api.ts'
import { userlogsApi } from '@zhuguan/contract/features/userlogs/userlogs.api.ts'
import { logObject, logOutcome } from '@zhuguan/contract/features/userlogs/userlogs.record.ts'
import type { QueryOf } from '@zhuguan/contract/kit/api.ts'

import { withoutPhones } from '../../kit/masked.ts'
import { reaching } from '../../kit/scoped.ts'
import { serve, type SessionUser } from '../../kit/serve.ts'
import { epoch, contains, dayBegins, pageJson, type PageOf, type Where } from '../../kit/statement.ts'
import { sendWorkbook, timeColumn, word } from '../exports/exports.service.ts'
import { verifyLog } from './userlogs.service.ts'

// Lines from before the log kept no numbers stand in the chain as they are: they are hidden when they are read.
const BEFORE = withoutPhones('l.before')
const AFTER = withoutPhones('l.after')
type Filters = QueryOf<(typeof Api)['list']>

/** Lines of people of the caller's branches; of single sites, one's own. Lines without a person belong to the group. */
const logWhere = ({ scope, id }: SessionUser, q: Filters): Where =>
  reaching(scope, 'l', {
    branch: (p) =>
      `l.user_id IN (SELECT k.id FROM users k WHERE k.tenant_id = l.tenant_id AND k.bc_id = ANY(${p}::uuid[]))`,
    site: (p) => `l.user_id = ${p}::uuid`,
    own: id,
  })
    .when(
      q.keyword || undefined,
      (p) => `(l.action ILIKE ${p} OR l.user_name ILIKE ${p} OR l.ip ILIKE ${p} OR l.object ILIKE ${p})`,
      contains,
    )
    .when(q.user_id, (p) => `l.user_id = ${p}::uuid`)
    .when(q.object, (p) => `l.object = ANY(${p}::text[])`)
    .when(q.object_id || undefined, (p) => `l.object_id = ${p}`)
    .when(q.outcome, (p) => `l.outcome = ${p}`)
    .when(q.system, (p) => `l.system = ${p}`)
    .when(q.from, (p) => `l.at >= ${dayBegins(p)}`)
    .when(q.to, (p) => `l.at < ${dayBegins(p)} + interval '1 day'`)

/** All of a group's lines: the sealed ones are numbered without a gap, the others are those of the last second. */
const LINES = `SELECT coalesce((SELECT max(k.seq) FROM user_logs k WHERE k.tenant_id = $1), 0)
  + (SELECT count(*) FROM user_logs k WHERE k.tenant_id = $1 AND k.seq IS NULL)`
/** What is asked where nothing is: no filter, and the reach of the whole group. */
const OF_GROUP = 'l.tenant_id = $1::uuid'
/** One page of the log, newest first. */
export function logPage(user: SessionUser, query: Filters): PageOf {
  const where = logWhere(user, query)
  return {
    name: 'userlogs.page',
    base: 'user_logs l',
    joins: 'LEFT JOIN users u ON u.tenant_id = l.tenant_id AND u.id = l.user_id',
    where,
    known: where.text === OF_GROUP ? LINES : undefined,
    sort: query.sort,
    otherwise: 'l.at DESC',
    tie: 'l.id DESC',
    sortable: { at: 'l.at' },
    filled: ['at'],
    pageNo: query.pageNo,
    pageSize: query.pageSize,
    columns: `l.id, ${epoch('l.at')} AS at, l.user_id, l.user_name AS "userName",
      coalesce(u.nickname, '') AS nickname, l.system, l.action, l.object, l.object_id AS "objectId", l.outcome, l.ip,
      l.agent, ${BEFORE} AS before, ${AFTER} AS after, l.seq`,
  }
}

export const userlogsFeature = ({ secretKey }: { secretKey: Buffer }) =>
  serve(userlogsApi, {
    list: ({ query }, call) => call.read((tx) => pageJson(tx, logPage(call.user, query))),
    verify: (_input, call) =>
      call.write(async (tx) => {
        const verdict = await verifyLog(tx, call.user.tenant, secretKey)
        await call.log(tx, { action: '校验日志', object: 'log', objectId: '', after: verdict })
        return verdict
      }),
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
          [
            '对象',
            `CASE
               WHEN l.object IN (${logObject.values.map((v) => `'${v}'`).join(', ')}) THEN ${word('l.object', logObject)} ELSE l.object END`,
          ],
          ['对象编号', 'l.object_id'],
          ['结果', word('l.outcome', logOutcome)],
          ['变更前', BEFORE],
          ['变更后', AFTER],
          ['IP', 'l.ip'],
          ['终端', 'l.agent'],
        ],
      }),
  })
