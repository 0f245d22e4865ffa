import { z } from 'zod'

import { defineApi, nothing } from '../../kit/api.ts'
import { version } from '../../kit/fields.ts'
import { commaList, flag, keyword, listQuery, optional, paged, uuid } from '../../kit/paging.ts'
import { companyRow, companyStatus, storeRow } from './companies.record.ts'

const id = uuid.meta({ title: '编号' })
const degrees = (title: string, min: number, max: number) =>
  optional(
    z.coerce
      .number({ error: `${title}应为数字` })
      .min(min, { error: `${title}应在 ${min} 到 ${max} 之间` })
      .max(max, { error: `${title}应在 ${min} 到 ${max} 之间` }),
  ).meta({ title })
const place = {
  address: z.string().trim().max(120).default('').meta({ title: '地址' }),
  principal: z.string().trim().max(20).default('').meta({ title: '负责人' }),
  phone: z
    .string()
    .trim()
    .regex(/^([\d-]{7,13})?$/, { error: '电话应为 7-13 位数字' })
    .default('')
    .meta({ title: '电话' }),
  /** GCJ-02, as everywhere (docs/product.md); China and its seas. */
  lng: degrees('经度', 72, 136),
  lat: degrees('纬度', 3, 54),
  status: companyStatus.schema.default(1).meta({ title: '状态' }),
}
const company = {
  bc_name: z.string().trim().min(2, { error: '名称至少 2 个字' }).max(30).meta({ title: '名称' }),
  code: z
    .string()
    .trim()
    .regex(/^[A-Z][A-Z0-9]{1,7}$/, { error: '编号用大写字母和数字，字母开头，2-8 位' })
    .meta({ title: '编号' }),
  city: z.string().trim().min(2, { error: '请填写城市' }).max(20).meta({ title: '城市' }),
  receivesOrders: flag.meta({ title: '接单' }),
  ...place,
}
const store = {
  name: z.string().trim().min(2, { error: '门店名至少 2 个字' }).max(30).meta({ title: '门店' }),
  bc_id: uuid.meta({ title: '分公司' }),
  receivesOrders: flag.meta({ title: '接单' }),
  ...place,
}
const filters = {
  keyword,
  city: optional(z.string().max(20)).meta({ title: '城市' }),
  status: optional(companyStatus.schema).meta({ title: '状态' }),
}
const storeQuery = listQuery(['name', 'users'], {
  keyword,
  bc_id: commaList(uuid).meta({ title: '分公司' }),
  status: optional(companyStatus.schema).meta({ title: '状态' }),
})

export const companiesApi = defineApi({
  list: {
    method: 'POST',
    path: '/dsmcore/api/company/orderlist',
    title: '分公司列表',
    access: ['page:CompanyList'],
    query: listQuery(['code', 'bc_name', 'city', 'sites', 'stores', 'sort'], filters),
    data: paged(companyRow),
  },
  add: {
    method: 'POST',
    path: '/dsmcore/api/company/addcompany',
    title: '新增分公司',
    access: ['company:add'],
    form: true,
    body: z.object(company),
    data: z.object({ id: z.string() }),
  },
  edit: {
    method: 'POST',
    path: '/dsmcore/api/company/updatecompany',
    title: '编辑分公司',
    access: ['company:edit'],
    form: true,
    body: z.object({ ...company, id, version }),
    data: nothing,
  },
  del: {
    method: 'POST',
    path: '/dsmcore/api/company/delcompany',
    title: '删除分公司',
    access: ['company:delete'],
    form: true,
    body: z.object({ id, version }),
    data: nothing,
  },
})
export const storesApi = defineApi({
  list: {
    method: 'POST',
    path: '/dsmcore/api/companystore/companystorelist',
    title: '门店列表',
    access: ['page:CompanyStore', 'page:UserList'],
    query: storeQuery,
    data: paged(storeRow),
  },
  add: {
    method: 'POST',
    path: '/dsmcore/api/companystore/addcompanystore',
    title: '新增门店',
    access: ['store:add'],
    form: true,
    body: z.object(store),
    data: z.object({ id: z.string() }),
  },
  edit: {
    method: 'POST',
    path: '/dsmcore/api/companystore/updatecompanystore',
    title: '编辑门店',
    access: ['store:edit'],
    form: true,
    body: z.object({
      ...store,
      id,
      version,
      /** It is stopped although orders wait for its answer. */
      confirmed: z.boolean().default(false).meta({ title: '没有答复的订单' }),
    }),
    data: nothing,
  },
  del: {
    method: 'POST',
    path: '/dsmcore/api/companystore/deletecompanystore',
    title: '删除门店',
    access: ['store:delete'],
    form: true,
    body: z.object({ id, version }),
    data: nothing,
  },
})
