import { z } from 'zod'

import { defineApi, nothing } from '../../kit/api.ts'
import { price } from '../../kit/decimals.ts'
import { optionalReason, reason, seen } from '../../kit/fields.ts'
import { commaList, day, keyword, listQuery, optional, paged, uuid } from '../../kit/paging.ts'
import {
  categoryFacts,
  categoryRow,
  priceRow,
  productDetail,
  productFacts,
  productKind,
  productRow,
  productStatus,
} from './products.record.ts'

/** The branch whose prices these are; the group's where none is named and more than one is in reach. */
const branch = optional(uuid).meta({ title: '分公司' })
const query = listQuery(['code', 'name', 'status'], {
  keyword,
  bc_id: branch,
  kind: commaList(productKind.schema).meta({ title: '类别' }),
  category_id: optional(uuid).meta({ title: '品类' }),
  brand: optional(z.string().trim().max(30)).meta({ title: '品牌' }),
  receiver_id: optional(uuid).meta({ title: '商家' }),
  status: commaList(productStatus.schema).meta({ title: '状态' }),
})
const one = z.object({ id: uuid.meta({ title: '商品' }), bc_id: branch })

export const productsApi = defineApi({
  list: {
    method: 'POST',
    path: '/dsmcore/api/product/list',
    title: '商品库',
    access: ['page:ProductList'],
    query,
    data: paged(productRow),
  },
  details: {
    method: 'POST',
    path: '/dsmcore/api/product/details',
    title: '商品详情',
    access: ['page:ProductList'],
    query: one,
    data: productDetail,
  },
  prices: {
    method: 'POST',
    path: '/dsmcore/api/product/prices',
    title: '价格记录',
    access: ['page:ProductList'],
    query: one,
    data: z.array(priceRow),
  },
  /** Products that can be sold: on the shelf, with a price in the branch. */
  pick: {
    method: 'POST',
    path: '/dsmcore/api/product/pick',
    title: '选择商品',
    access: ['page:ProductList'],
    query: z.object({
      keyword,
      bc_id: branch,
      category_id: optional(uuid).meta({ title: '品类' }),
      ids: commaList(uuid).meta({ title: '商品' }),
    }),
    data: z.array(productRow),
  },
  brands: {
    method: 'POST',
    path: '/dsmcore/api/product/brands',
    title: '品牌',
    access: ['page:ProductList'],
    data: z.array(z.string()),
  },
  /** Companies and stores that take orders of the caller's branches. */
  receivers: {
    method: 'POST',
    path: '/dsmcore/api/product/receivers',
    title: '商家',
    access: ['page:ProductList'],
    query: z.object({ keyword, id: optional(uuid).meta({ title: '商家' }) }),
    data: z.array(z.object({ id: z.string(), name: z.string(), bc_name: z.string() })),
  },
  add: {
    method: 'POST',
    path: '/dsmcore/api/product/add',
    title: '新增商品',
    access: ['product:add'],
    body: productFacts,
    data: z.object({ id: z.string(), code: z.string() }),
  },
  edit: {
    method: 'POST',
    path: '/dsmcore/api/product/edit',
    title: '编辑商品',
    access: ['product:edit'],
    body: productFacts.omit({ code: true, bc_id: true }).extend(seen('商品')),
    data: nothing,
  },
  /** A price from today or a later day on; without a branch the one of all that have none of their own. */
  price: {
    method: 'POST',
    path: '/dsmcore/api/product/price',
    title: '调价',
    access: ['product:price'],
    body: z.object({
      ...seen('商品'),
      bc_id: uuid.nullable().default(null).meta({ title: '分公司' }),
      from: day.meta({ title: '生效日期' }),
      price: price('售价'),
      /** Left out it stays what it is. */
      cost: price('成本价').nullable().optional(),
      reason,
    }),
    data: nothing,
  },
  state: {
    method: 'POST',
    path: '/dsmcore/api/product/state',
    title: '上架或下架',
    access: ['product:shelf'],
    body: z.object({
      ...seen('商品'),
      action: z.enum(['withdraw', 'offer'], { error: '动作只能是上架或下架' }).meta({ title: '动作' }),
      reason: optionalReason,
    }),
    data: nothing,
  },
  export: {
    method: 'POST',
    path: '/dsmcore/api/product/export',
    title: '导出商品',
    access: ['product:export'],
    query,
    data: nothing,
    raw: true,
  },
})

const category = seen('品类')
export const productCategoriesApi = defineApi({
  list: {
    method: 'POST',
    path: '/dsmcore/api/productcategory/list',
    title: '品类',
    access: ['page:ProductList'],
    data: z.array(categoryRow),
  },
  add: {
    method: 'POST',
    path: '/dsmcore/api/productcategory/add',
    title: '新增品类',
    access: ['product:category'],
    body: categoryFacts,
    data: z.object({ id: z.string() }),
  },
  edit: {
    method: 'POST',
    path: '/dsmcore/api/productcategory/edit',
    title: '编辑品类',
    access: ['product:category'],
    body: categoryFacts.omit({ parent_id: true }).extend(category),
    data: nothing,
  },
  remove: {
    method: 'POST',
    path: '/dsmcore/api/productcategory/remove',
    title: '删除品类',
    access: ['product:category'],
    body: z.object(category),
    data: nothing,
  },
})
