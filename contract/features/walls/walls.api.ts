import { z } from 'zod'

import { defineApi } from '../../kit/api.ts'
import { commaList, keyword, optional, uuid } from '../../kit/paging.ts'
import { MOST_TILES, placedCamera } from './walls.record.ts'

export const wallsApi = defineApi({
  /**
   * Cameras that stand on sites of the caller's reach: first those that see something now, then those whose newest
   * still is old, at last those that are not online.
   */
  cameras: {
    method: 'POST',
    path: '/osmcore/api/wall/cameras',
    title: '六宫格摄像头',
    access: ['device:live'],
    query: z.object({
      bc_id: commaList(uuid).meta({ title: '分公司' }),
      site_id: commaList(uuid).meta({ title: '工地' }),
      /** A site's name or number, or a camera's number. */
      keyword,
      /** These alone; what is out of reach is left out. */
      ids: commaList(uuid).meta({ title: '摄像头' }),
      after: optional(
        z.string().regex(/^[012]:[0-9a-f-]{36}:[0-9a-f-]{36}$/, { error: '翻页位置不正确' }),
      ).meta({ title: '翻页位置' }),
      pageSize: z.coerce
        .number()
        .int()
        .min(1)
        .max(2 * MOST_TILES)
        .default(MOST_TILES)
        .meta({ title: '每页条数' }),
    }),
    data: z.object({
      list: z.array(placedCamera),
      next: z.string().nullable(),
      /** Values for the filters. */
      total: z.number().int(),
      /** On one of their sites nobody works now: why somebody looks has to be said. */
      asks: z.boolean(),
    }),
  },
})
