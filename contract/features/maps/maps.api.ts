import { z } from 'zod'

import { defineApi } from '../../kit/api.ts'

export const mapsApi = defineApi({
  /**
   * The ground under the points: the installation's tiles (GCJ-02), or nothing but the boundaries that are shipped.
   */
  base: {
    method: 'GET',
    path: '/user/api/map/base',
    title: '地图底图',
    access: 'signedIn',
    data: z.object({ tiles: z.string().nullable(), credit: z.string() }),
  },
})
