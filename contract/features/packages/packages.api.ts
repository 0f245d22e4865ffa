import { z } from 'zod'

import { defineApi, nothing } from '../../kit/api.ts'
import { reason, seen } from '../../kit/fields.ts'
import { commaList, keyword, listQuery, optional, paged, uuid } from '../../kit/paging.ts'
import {
  packageBranch,
  packageDetail,
  packageFacts,
  packageName,
  packageRow,
  packageStatus,
} from './packages.record.ts'

const query = listQuery(['name', 'perSquareMetre', 'from'], {
  keyword,
  bc_id: optional(uuid).meta({ title: '分公司' }),
  status: commaList(packageStatus.schema).meta({ title: '状态' }),
})
const one = seen('套餐')
const made = z.object({ id: z.string() })

export const packagesApi = defineApi({
  /** Versions; stopped ones where they are asked for. */
  list: {
    method: 'POST',
    path: '/dsmcore/api/package/list',
    title: '套餐管理',
    access: ['page:PackageList'],
    query,
    data: paged(packageRow),
  },
  details: {
    method: 'POST',
    path: '/dsmcore/api/package/details',
    title: '套餐内容',
    access: ['page:PackageList'],
    query: z.object({ id: uuid.meta({ title: '套餐' }) }),
    data: packageDetail,
  },
  add: {
    method: 'POST',
    path: '/dsmcore/api/package/add',
    title: '新增套餐',
    access: ['package:edit'],
    body: packageFacts,
    data: made,
  },
  edit: {
    method: 'POST',
    path: '/dsmcore/api/package/edit',
    title: '编辑套餐',
    access: ['package:edit'],
    body: packageFacts.omit({ bc_id: true }).extend(one),
    data: nothing,
  },
  /** The next version, as a draft with what this one holds. */
  renew: {
    method: 'POST',
    path: '/dsmcore/api/package/renew',
    title: '编辑新版本',
    access: ['package:edit'],
    body: z.object(one),
    data: made,
  },
  /** Another package with what this one holds, as a draft. */
  copy: {
    method: 'POST',
    path: '/dsmcore/api/package/copy',
    title: '复制套餐',
    access: ['package:edit'],
    body: z.object({
      id: uuid.meta({ title: '套餐' }),
      name: packageName,
      bc_id: packageBranch,
    }),
    data: made,
  },
  publish: {
    method: 'POST',
    path: '/dsmcore/api/package/publish',
    title: '发布套餐',
    access: ['package:publish'],
    body: z.object(one),
    data: nothing,
  },
  stop: {
    method: 'POST',
    path: '/dsmcore/api/package/stop',
    title: '停用套餐',
    access: ['package:publish'],
    body: z.object({ ...one, reason }),
    data: nothing,
  },
  export: {
    method: 'POST',
    path: '/dsmcore/api/package/export',
    title: '导出套餐',
    access: ['package:export'],
    query,
    data: nothing,
    raw: true,
  },
})
