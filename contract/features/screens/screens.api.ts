import { z } from 'zod'

import { defineApi, nothing } from '../../kit/api.ts'
import { reason, seen, typed } from '../../kit/fields.ts'
import { commaList, listQuery, optional, paged, uuid } from '../../kit/paging.ts'
import { askingBrowser, CODE_FAULT, PAIR_CODE, screenKind, screenRow, screenState } from './screens.record.ts'

const code = z
  .string()
  .overwrite((text) => text.replaceAll(/[\s-]/g, '').toUpperCase())
  .regex(PAIR_CODE, { error: CODE_FAULT })
  .meta({ title: '配对码' })

export const screensApi = defineApi({
  list: {
    method: 'POST',
    path: '/mkscore/api/screen/list',
    title: '屏幕',
    access: ['page:BoardSetting'],
    query: listQuery(['name', 'saidAt'], {
      bc_id: commaList(uuid).meta({ title: '分公司' }),
      store_id: optional(uuid).meta({ title: '门店' }),
      arrangement_id: optional(uuid).meta({ title: '编排' }),
      kind: commaList(screenKind.schema).meta({ title: '类型' }),
      state: commaList(screenState.schema).meta({ title: '状态' }),
    }),
    data: paged(screenRow),
  },
  /** The browser that shows this code, for who stands before it. */
  find: {
    method: 'POST',
    path: '/mkscore/api/screen/find',
    title: '查配对码',
    access: ['board:pair'],
    query: z.object({ code }),
    data: askingBrowser,
  },
  pair: {
    method: 'POST',
    path: '/mkscore/api/screen/pair',
    title: '配对屏幕',
    access: ['board:pair'],
    body: z.object({
      code,
      name: typed()
        .min(2, { error: '请填名称（至少 2 个字）' })
        .max(40, { error: '名称最多 40 个字' })
        .meta({ title: '名称' }),
      store_id: uuid.meta({ title: '门店' }),
      kind: screenKind.schema.meta({ title: '类型' }),
      arrangement_id: uuid.nullable().default(null).meta({ title: '编排' }),
    }),
    data: z.object({ id: z.string() }),
  },
  /** The browser that shows the code takes the place of one that has lost its cookie; kind and store stay. */
  replace: {
    method: 'POST',
    path: '/mkscore/api/screen/replace',
    title: '替换原屏',
    access: ['board:pair'],
    body: z.object({ ...seen('屏幕'), code }),
    data: nothing,
  },
  revoke: {
    method: 'POST',
    path: '/mkscore/api/screen/revoke',
    title: '收回屏幕',
    access: ['board:pair'],
    body: z.object({ ...seen('屏幕'), reason }),
    data: nothing,
  },
})
