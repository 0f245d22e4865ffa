import { z } from 'zod'

import { defineApi, nothing } from '../../kit/api.ts'
import { commaList, day, flag, keyword, listQuery, optional, paged, uuid } from '../../kit/paging.ts'
import { linkState } from '../links/links.record.ts'
import { sharedKind, shareOpening, shareRow } from './shares.record.ts'

const filters = {
  keyword,
  kind: commaList(sharedKind).meta({ title: '对象' }),
  maker_id: optional(uuid).meta({ title: '创建人' }),
  state: commaList(linkState.schema).meta({ title: '状态' }),
  bc_id: commaList(uuid).meta({ title: '分公司' }),
  customer_id: optional(uuid).meta({ title: '客户' }),
  screen_id: optional(uuid).meta({ title: '屏幕' }),
  from: optional(day).meta({ title: '创建从' }),
  to: optional(day).meta({ title: '创建至' }),
  unfollowed: flag.meta({ title: '打开未跟进' }),
  id: optional(uuid).meta({ title: '链接' }),
}
const query = listQuery(['madeAt', 'expiresAt', 'openings'], filters)
const PAGE = ['page:ShareList']

export const sharesApi = defineApi({
  list: {
    method: 'POST',
    path: '/mkscore/api/share/list',
    title: '分享管理',
    access: PAGE,
    query,
    data: paged(shareRow),
  },
  openings: {
    method: 'POST',
    path: '/mkscore/api/share/openings',
    title: '浏览记录',
    access: PAGE,
    query: z.object({ id: uuid.meta({ title: '链接' }) }),
    data: z.object({ link: shareRow, list: z.array(shareOpening) }),
  },
  export: {
    method: 'POST',
    path: '/mkscore/api/share/export',
    title: '导出分享',
    access: ['share:export'],
    query,
    data: nothing,
    raw: true,
  },
})
