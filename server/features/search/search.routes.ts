import { searchApi } from '@zhuguan/contract/features/search/search.api.ts'
import { workerType } from '@zhuguan/contract/features/workers/workers.record.ts'
import { hasPermission } from '@zhuguan/contract/kit/permits.ts'
import type { PageName } from '@zhuguan/contract/pages.ts'
import { pageLabel } from '@zhuguan/contract/permissions.ts'

import { narrowed, reachOf } from '../../kit/reach.ts'
import { int2, row, text, uuid } from '../../kit/row.ts'
import { scoped } from '../../kit/scoped.ts'
import { serve } from '../../kit/serve.ts'
import { contains } from '../../kit/statement.ts'
import { matching, workerScope } from '../workers/workers.reads.ts'

const EACH = 6

export const searchFeature = serve(searchApi, {
  all: ({ query }, call) =>
    call.read(async (tx) => {
      const reach = (page: PageName) => reachOf(call.user, pageLabel(page))
      const pattern = contains(query.keyword)
      const hits: {
        kind: 'site' | 'device' | 'worker' | 'owner'
        id: string
        title: string
        detail: string
        link: string
      }[] = []
      const sites = reach('SiteInfo')
      if (sites) {
        const where = scoped(sites, 'w', { site: 'id' })
          .plain('w.deleted_at IS NULL')
          .add((p) => `(w.search LIKE ${p} OR o.name ILIKE ${p})`, pattern)
        const { rows } = await tx.query(
          'search.sites',
          row({ id: uuid, code: text, ws_name: text, address: text }),
          `SELECT w.id, w.code, w.ws_name, w.address FROM sites w LEFT JOIN owners o ON o.tenant_id = w.tenant_id AND o.id = w.owner_id WHERE ${where.text} ORDER BY w.code LIMIT ${EACH}`,
          where.values,
        )
        hits.push(
          ...rows.map((r) => ({
            kind: 'site' as const,
            id: r.id,
            title: r.ws_name,
            detail: `${r.code} ${r.address}`,
            link: `/SiteInfo?id=${r.id}`,
          })),
        )
      }
      const workers = reach('WorkerInfo')
      if (workers) {
        const phones = hasPermission(narrowed(call.user, [pageLabel('WorkerInfo')])!, 'worker:phone')
        const where = matching(workerScope(workers), query.keyword, phones)
        const { rows } = await tx.query(
          'search.workers',
          row({ id: uuid, w_id: text, w_name: text, w_type: int2 }),
          `SELECT k.id, k.w_id, k.w_name, k.w_type FROM workers k WHERE ${where.text} ORDER BY k.status, k.w_id LIMIT ${EACH}`,
          where.values,
        )
        hits.push(
          ...rows.map((r) => ({
            kind: 'worker' as const,
            id: r.id,
            title: r.w_name,
            detail: `${r.w_id} ${workerType.label(r.w_type)}`,
            link: `/WorkerInfo?id=${r.id}`,
          })),
        )
      }
      const devices = reach('DeviceList')
      if (devices) {
        const where = scoped(devices, 'd')
          .plain('d.deleted_at IS NULL')
          .add((p) => `lower(d.sn) LIKE ${p}`, pattern)
        const { rows } = await tx.query(
          'search.devices',
          row({ id: uuid, sn: text, model: text }),
          `SELECT d.id, d.sn, d.model FROM devices d WHERE ${where.text} ORDER BY d.sn LIMIT ${EACH}`,
          where.values,
        )
        hits.push(
          ...rows.map((r) => ({
            kind: 'device' as const,
            id: r.id,
            title: r.sn,
            detail: r.model,
            link: `/device/DeviceList?keyword=${encodeURIComponent(r.sn)}`,
          })),
        )
      }
      return hits
    }),
})
