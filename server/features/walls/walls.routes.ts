import { wallsApi } from '@zhuguan/contract/features/walls/walls.api.ts'

import { serve } from '../../kit/serve.ts'
import { lookings, shownOf } from '../looking/looking.reads.ts'
import { areAtWork } from '../settings/business-time.reads.ts'
import { placedCameras } from './walls.queries.ts'

export const wallsFeature = serve(wallsApi, {
  cameras: ({ query }, call) =>
    call.read(async (tx) => {
      const { scope, tenant } = call.user
      const rows = await placedCameras(tx, scope, query)
      const page = rows.slice(0, query.pageSize)
      const last = page.at(-1)
      const branches = [...new Set(page.map((c) => c.bc_id))]
      const looks = await lookings(tx, tenant, page, call.now())
      return {
        list: page.map((camera) => shownOf(camera, looks(camera))),
        next: rows.length > page.length && last ? `${last.rank}:${last.site_id}:${last.id}` : null,
        total: last?.total ?? 0,
        asks: !(await areAtWork(tx, tenant, branches, call.now())),
      }
    }),
})
