import { z } from 'zod'

import { defineApi, nothing } from '../../kit/api.ts'
import { amount, percent } from '../../kit/decimals.ts'
import { version } from '../../kit/fields.ts'
import { commaList, keyword, listQuery, optional, paged, uuid } from '../../kit/paging.ts'
import { PERMISSION_LABEL } from '../../kit/permits.ts'
import { dataScope, roleDetail, roleRow, roleStatus } from './roles.record.ts'

const facts = {
  code: z
    .string()
    .trim()
    .regex(/^[a-z][a-z0-9_]{1,31}$/, { error: '编码用小写字母、数字和下划线，字母开头，2-32 位' })
    .meta({ title: '编码' }),
  name: z.string().trim().min(2, { error: '角色名至少 2 个字' }).max(20).meta({ title: '角色' }),
  dataScope: dataScope.schema.meta({ title: '数据范围' }),
  remark: z.string().trim().max(100).default('').meta({ title: '备注' }),
  roundOff: amount('抹零上限（元）').default('0'),
  givePercent: percent('让利上限 %').default('0'),
  status: roleStatus.schema.default(1).meta({ title: '状态' }),
  pageIds: commaList(uuid).meta({ title: '页面' }),
  labels: commaList(z.string().regex(PERMISSION_LABEL, { error: '权限标签不正确' })).meta({
    title: '操作权限',
  }),
}
const id = uuid.meta({ title: '角色' })

export const rolesApi = defineApi({
  list: {
    method: 'POST',
    path: '/dsmcore/api/role/rolelist',
    title: '角色列表',
    access: ['page:RoleList'],
    query: listQuery(['name', 'code', 'users'], {
      keyword,
      dataScope: commaList(dataScope.schema).meta({ title: '数据范围' }),
      status: optional(roleStatus.schema).meta({ title: '状态' }),
    }),
    data: paged(roleRow),
  },
  details: {
    method: 'POST',
    path: '/dsmcore/api/role/details',
    title: '角色详情',
    access: ['page:RoleList'],
    query: z.object({ id }),
    data: roleDetail,
  },
  add: {
    method: 'POST',
    path: '/dsmcore/api/role/addrole',
    title: '新增角色',
    access: ['role:add'],
    form: true,
    body: z.object(facts),
    data: z.object({ id: z.string() }),
  },
  edit: {
    method: 'POST',
    path: '/dsmcore/api/role/editrole',
    title: '编辑角色',
    access: ['role:edit'],
    form: true,
    body: z.object({ ...facts, id, version }),
    data: nothing,
  },
  del: {
    method: 'POST',
    path: '/dsmcore/api/role/delrole',
    title: '删除角色',
    access: ['role:delete'],
    form: true,
    body: z.object({ id, version }),
    data: nothing,
  },
  /** Roles the caller may give to somebody. */
  pick: {
    method: 'POST',
    path: '/dsmcore/api/role/pick',
    title: '选择角色',
    access: ['page:UserList'],
    data: z.array(
      z.object({
        id: z.string(),
        code: z.string(),
        name: z.string(),
        dataScope: dataScope.schema,
        why: z.string().nullable(),
      }),
    ),
  },
})
