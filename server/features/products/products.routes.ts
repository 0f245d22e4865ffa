import { productCategoriesApi, productsApi } from '@zhuguan/contract/features/products/products.api.ts'
import { productColumns } from '@zhuguan/contract/features/products/products.columns.ts'
import { hasPermission } from '@zhuguan/contract/kit/permits.ts'

import type { Tx } from '../../database/connect.ts'
import { found } from '../../kit/refuse.ts'
import { type Call, type Feature, serve } from '../../kit/serve.ts'
import { shanghaiDay } from '../../kit/shanghai.ts'
import { pageJson } from '../../kit/statement.ts'
import { sendList } from '../exports/exports.service.ts'
import type { FileStore } from '../files/files.service.ts'
import { addCategory, categoriesOf, editCategory, removeCategory } from './categories.service.ts'
import {
  brandsOf,
  pickProducts,
  pricesOf,
  productDetail,
  productPage,
  type Reader,
  receiversOf,
} from './products.queries.ts'
import { branchesIn } from './products.reads.ts'
import { addProduct, editProduct, setPrice, shelve } from './products.service.ts'

/** Prices of the branch that is asked for, or of the only one in reach; otherwise the group's. */
async function readerOf(tx: Tx, { user, now }: Call, asked: string | undefined): Promise<Reader> {
  const branches = await branchesIn(tx, user.scope, asked)
  if (asked) found(branches[0])
  return {
    scope: user.scope,
    costs: hasPermission(user, 'product:cost'),
    bc: branches.length === 1 ? branches[0]! : null,
    today: shanghaiDay(now()),
  }
}

export const productsFeature = (files: FileStore): Feature =>
  serve(productsApi, {
    list: ({ query }, call) =>
      call.read(async (tx) => pageJson(tx, productPage(await readerOf(tx, call, query.bc_id), query))),
    details: ({ query }, call) =>
      call.read(async (tx) =>
        found(await productDetail(tx, await readerOf(tx, call, query.bc_id), query.id)),
      ),
    prices: ({ query }, call) =>
      call.read(async (tx) => {
        const reader = await readerOf(tx, call, query.bc_id)
        found(await productDetail(tx, reader, query.id))
        return pricesOf(tx, reader, query.id)
      }),
    pick: ({ query }, call) =>
      call.read(async (tx) => pickProducts(tx, await readerOf(tx, call, query.bc_id), query)),
    brands: (_, call) => call.read((tx) => brandsOf(tx, call.user.scope)),
    receivers: ({ query }, call) =>
      call.read(async (tx) =>
        (await receiversOf(tx, call.user.scope, query)).map(({ id, name, bc_name }) => ({
          id,
          name,
          bc_name,
        })),
      ),
    add: ({ body }, call) => call.write((tx) => addProduct(tx, call, body)),
    edit: ({ body }, call) => call.write((tx) => editProduct(tx, call, files, body)),
    price: ({ body }, call) => call.write((tx) => setPrice(tx, call, body)),
    state: ({ body }, call) => call.write((tx) => shelve(tx, call, body)),
    async export({ query }, call) {
      const reader = await call.read((tx) => readerOf(tx, call, query.bc_id))
      return sendList(call, '商品', productColumns(reader.costs), productPage(reader, query))
    },
  })

export const productCategoriesFeature = serve(productCategoriesApi, {
  list: (_, call) => call.read((tx) => categoriesOf(tx, call.user.tenant)),
  add: ({ body }, call) => call.write((tx) => addCategory(tx, call, body)),
  edit: ({ body }, call) => call.write((tx) => editCategory(tx, call, body)),
  remove: ({ body }, call) => call.write((tx) => removeCategory(tx, call, body)),
})
