import { z } from 'zod'

import { defineApi, nothing } from '../../kit/api.ts'
import { version } from '../../kit/fields.ts'
import { flag, optional, uuid } from '../../kit/paging.ts'
import { PERMISSION_LABEL } from '../../kit/permits.ts'
import { subsystem } from '../session/session.record.ts'
import { ICONS, pageRow } from './pages.record.ts'

const id = uuid.meta({ title: '页面' })
const looks = {
  name: z.string().trim().min(2, { error: '标题至少 2 个字' }).max(20).meta({ title: '标题' }),
  icon: optional(z.enum(ICONS, { error: '没有这个图标' })).meta({ title: '图标' }),
  parent_id: optional(uuid).meta({ title: '上级' }),
  visible: flag.meta({ title: '显示' }),
  keepAlive: flag.meta({ title: '缓存' }),
  memoryRouter: flag.meta({ title: '记住路径' }),
  alwaysShow: flag.meta({ title: '总是显示' }),
}
const power = {
  page_id: id,
  label: z.string().regex(PERMISSION_LABEL, { error: '权限标签不正确' }).meta({ title: '权限标签' }),
}
const powerName = z.string().trim().min(1, { error: '请填写名称' }).max(20).meta({ title: '名称' })

export const pagesApi = defineApi({
  list: {
    method: 'POST',
    path: '/dsmcore/api/page/pagelist',
    title: '页面列表',
    access: ['page:PageList', 'page:RoleList'],
    query: z.object({ system: optional(subsystem.schema).meta({ title: '子系统' }) }),
    data: z.array(pageRow),
  },
  /** A group (with a path of its own) or a page (one of the program's components, whose path the program knows). */
  add: {
    method: 'POST',
    path: '/dsmcore/api/page/addpage',
    title: '新增页面',
    access: ['menu:edit'],
    form: true,
    body: z.object({
      ...looks,
      system: subsystem.schema.meta({ title: '子系统' }),
      componentName: optional(z.string().max(40)).meta({ title: '组件' }),
      path: optional(
        z.string().regex(/^\/[A-Za-z][A-Za-z0-9]{0,30}$/, { error: '路径以 / 开头，只用字母和数字' }),
      ).meta({ title: '路径' }),
    }),
    data: z.object({ id: z.string() }),
  },
  edit: {
    method: 'POST',
    path: '/dsmcore/api/page/editpage',
    title: '编辑页面',
    access: ['menu:edit'],
    form: true,
    body: z.object({ ...looks, id, version }),
    data: nothing,
  },
  del: {
    method: 'POST',
    path: '/dsmcore/api/page/delpage',
    title: '删除页面',
    access: ['menu:edit'],
    form: true,
    body: z.object({ id, version }),
    data: nothing,
  },
  /** The children of a parent in their new order; who is dragged in from elsewhere gets this parent. */
  sort: {
    method: 'POST',
    path: '/dsmcore/api/page/sort',
    title: '页面排序',
    access: ['menu:edit'],
    body: z.object({
      parent_id: uuid.nullable().meta({ title: '上级' }),
      ids: z.array(uuid).min(1).max(200).meta({ title: '顺序' }),
    }),
    data: nothing,
  },
  addPower: {
    method: 'POST',
    path: '/dsmcore/api/pagepower/addpagepower',
    title: '新增操作权限',
    access: ['menu:edit'],
    form: true,
    body: z.object({ ...power, name: powerName }),
    data: nothing,
  },
  editPower: {
    method: 'POST',
    path: '/dsmcore/api/pagepower/editpagepower',
    title: '编辑操作权限',
    access: ['menu:edit'],
    form: true,
    body: z.object({ ...power, name: powerName }),
    data: nothing,
  },
  delPower: {
    method: 'POST',
    path: '/dsmcore/api/pagepower/delpagepower',
    title: '删除操作权限',
    access: ['menu:edit'],
    form: true,
    body: z.object(power),
    data: nothing,
  },
})
