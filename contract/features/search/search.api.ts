import { z } from 'zod'

import { defineApi } from '../../kit/api.ts'

export const searchApi = defineApi({
  all: {
    method: 'POST',
    path: '/user/api/search/all',
    title: '全局搜索',
    access: 'signedIn',
    query: z.object({
      keyword: z.string().trim().min(1, { error: '请输入关键字' }).max(50).meta({ title: '关键字' }),
    }),
    /** Records that the caller may see; `link` is the page to open, pages are searched in the browser. */
    data: z.array(
      z.object({
        kind: z.enum([
          'site',
          'device',
          'worker',
          'owner',
          'product',
          'package',
          'customer',
          'quotation',
          'contract',
          'order',
          'note',
          'sheet',
          'goodsChange',
          'statement',
          'promise',
          'question',
          'case',
          'feedback',
          'message',
        ]),
        id: z.string(),
        title: z.string(),
        detail: z.string(),
        link: z.string(),
      }),
    ),
  },
})
