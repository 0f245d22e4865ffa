import { code, columnsOf, drawn, text, price } from '../../kit/columns.ts'
import { siteStage } from '../sites/sites.record.ts'
import type { productsApi } from './products.api.ts'
import { productKind, productStatus } from './products.record.ts'

const { cost, ...shown } = columnsOf<typeof productsApi.list>()({
  picture: drawn('图片'),
  code: text('编码', 'code', { sort: 'code', fixed: true }),
  name: text('名称', 'name', { sort: 'name' }),
  brand: text('品牌', 'brand'),
  model: text('型号', 'model'),
  spec: text('规格', 'spec'),
  unit: text('单位', 'unit'),
  category: text('品类', 'category'),
  receiver: text('商家', 'receiverName'),
  cost: price('成本价', 'cost'),
  price: price('售价', 'price'),
  status: code('状态', 'status', productStatus, { sort: 'status' }),
  kind: code('类别', 'kind', productKind, { wide: true }),
  stage: code('施工阶段', 'stage', siteStage, { wide: true }),
  bc: text('分公司', 'bc_name', { wide: true }),
})
/** For who may not read costs there is no such column, on the page or in the file. */
export const productColumns = (costs: boolean) => {
  const { price: selling, status, kind, stage, bc, ...before } = shown
  return { ...before, ...(costs ? { cost } : {}), price: selling, status, kind, stage, bc }
}
