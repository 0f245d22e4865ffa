import { deviceStockApi } from '@zhuguan/contract/features/devices/device-stock.api.ts'
import { bindLogColumns } from '@zhuguan/contract/features/devices/devices.columns.ts'
import type { QueryOf } from '@zhuguan/contract/kit/api.ts'

import { serve, type SessionUser } from '../../kit/serve.ts'
import {
  epoch,
  contains,
  dayBegins,
  pageJson,
  type PageOf,
  settled,
  type Where,
} from '../../kit/statement.ts'
import { sendList } from '../exports/exports.service.ts'
import {
  bindAction,
  distribute,
  editDevice,
  rotateSecret,
  scrap,
  stockDevices,
} from './device-stock.service.ts'
import { devicePage } from './devices.queries.ts'
import { deviceScope } from './devices.reads.ts'
import { changeDevice } from './devices.service.ts'

type LogFilters = QueryOf<(typeof deviceStockApi)['bindlog']>
const LOG_JOINS = `JOIN devices d ON d.tenant_id = b.tenant_id AND d.id = b.device_id
   LEFT JOIN sites w ON w.tenant_id = b.tenant_id AND w.id = b.site_id`

/** The history of the devices one may see; of those that are gone too. */
const logWhere = ({ scope }: SessionUser, q: LogFilters): Where =>
  deviceScope(scope, { gone: true })
    .when(q.keyword || undefined, (p) => `lower(d.sn) LIKE ${p}`, contains)
    .when(q.action, (p) => `b.action = ANY(${p}::text[])`)
    .when(q.device_id, (p) => `b.device_id = ${p}::uuid`)
    .when(q.site_id, (p) => `b.site_id = ${p}::uuid`)
    .when(q.from, (p) => `b.at >= ${dayBegins(p)}`)
    .when(q.to, (p) => `b.at < ${dayBegins(p)} + interval '1 day'`)
const bindLogPage = (user: SessionUser, query: LogFilters): PageOf => ({
  name: 'stock.log',
  base: `device_bindings b JOIN devices d ON d.tenant_id = b.tenant_id AND d.id = b.device_id`,
  alias: 'b',
  joins: LOG_JOINS,
  where: logWhere(user, query),
  sort: query.sort,
  otherwise: 'b.at DESC',
  tie: 'b.id DESC',
  columns: `b.id, b.device_id, d.sn, d.type, b.action, b.site_id, coalesce(w.ws_name, '') AS "siteName", b.actor,
    ${epoch('b.at')} AS at, b.remark`,
  sortable: { at: 'b.at', sn: 'd.sn' },
  filled: ['at', 'sn'],
  pageNo: query.pageNo,
  pageSize: query.pageSize,
})
const TOTALS = {
  inStock: 'count(*) FILTER (WHERE d.device_status = 6)',
  spare: 'count(*) FILTER (WHERE d.device_status = 5)',
  bound: 'count(*) FILTER (WHERE d.bind_status = 2 AND d.device_status <> 4)',
  faulty: 'count(*) FILTER (WHERE d.device_status = 4)',
  total: 'count(*)',
}

export const deviceStockFeature = ({ secretKey }: { secretKey: Buffer }) =>
  serve(deviceStockApi, {
    list: ({ query }, call) => call.read((tx) => pageJson(tx, devicePage(call.user.scope, query))),
    stock: ({ body }, call) => call.write((tx) => stockDevices(tx, call, body, secretKey)),
    distribution: ({ body }, call) => call.write((tx) => distribute(tx, call, body)),
    bindaction: ({ body }, call) => call.write((tx) => bindAction(tx, call, body)),
    scrap: ({ body }, call) => call.write((tx) => scrap(tx, call, body)),
    deldevice: ({ body }, call) => call.write((tx) => changeDevice(tx, call, { ...body, action: 'remove' })),
    updatedevice: ({ body }, call) => call.write((tx) => editDevice(tx, call, body)),
    secret: ({ body }, call) => call.write((tx) => rotateSecret(tx, call, body, secretKey)),
    totals: ({ query }, call) =>
      call.read((tx) => {
        const where = deviceScope(call.user.scope)
          .when(query.type, (p) => `d.type = ANY(${p}::text[])`)
          .when(query.model || undefined, (p) => `lower(d.model) LIKE ${p}`, contains)
          .when(query.bc_id, (p) => `d.bc_id = ANY(${p}::uuid[])`)
        const counts = Object.entries(TOTALS)
          .map(([name, sql]) => `${sql}::int AS "${name}"`)
          .join(', ')
        const base = `(SELECT d.type || '|' || d.model || '|' || coalesce(d.bc_id::text, '') AS id, d.tenant_id, d.type,
               d.model, d.bc_id, ${counts} FROM devices d WHERE ${where.text} GROUP BY d.tenant_id, d.type,
               d.model, d.bc_id)`
        return pageJson(tx, {
          name: 'stock.totals',
          base: `${base} t`,
          alias: 't',
          joins: 'LEFT JOIN companies c ON c.tenant_id = t.tenant_id AND c.bc_id = t.bc_id',
          where: settled(where),
          columns: `t.id, t.model, t.type, t.bc_id, coalesce(c.bc_name, '集团仓库') AS bc_name, t."inStock", t.spare,
               t.bound, t.faulty, t.total`,
          sortable: {
            model: 't.model',
            type: 't.type',
            inStock: 't."inStock"',
            spare: 't.spare',
            bound: 't.bound',
            faulty: 't.faulty',
            total: 't.total',
          },
          filled: ['model', 'type', 'inStock', 'spare', 'bound', 'faulty', 'total'],
          sort: query.sort,
          otherwise: 't.type, t.model, t.bc_id',
          tie: 't.id',
          pageNo: query.pageNo,
          pageSize: query.pageSize,
        })
      }),
    bindlog: ({ query }, call) => call.read((tx) => pageJson(tx, bindLogPage(call.user, query))),
    bindlogExport: ({ query }, call) =>
      sendList(call, '绑定记录', bindLogColumns, bindLogPage(call.user, query)),
  })
