import { defineImport } from '../../kit/imports.ts'
import { siteStage } from '../sites/sites.record.ts'
import { productKind } from './products.record.ts'

const words = (codes: { options: { label: string }[] }) => codes.options.map((o) => o.label).join('、')

export const productsImport = defineImport({
  title: '商品',
  path: '/dsmcore/api/product',
  permission: 'product:import',
  columns: [
    { key: 'code', title: '编码', hint: '不填会自动生成', example: 'CZ80001' },
    { key: 'name', title: '名称', required: true, hint: '2 到 60 个字', example: '抛釉砖' },
    {
      key: 'bc_id',
      title: '分公司',
      hint: '分公司的名称或编号；全集团通用的由集团导入时留空',
      example: '杭州分公司',
    },
    { key: 'kind', title: '类别', required: true, hint: words(productKind), example: '主材' },
    {
      key: 'category_id',
      title: '品类',
      required: true,
      hint: '已有品类的名称，下级写成 主材/瓷砖',
      example: '主材/瓷砖',
    },
    { key: 'brand', title: '品牌', hint: '最多 30 个字', example: '东鹏' },
    { key: 'model', title: '型号', hint: '最多 60 个字', example: 'LN80265' },
    { key: 'spec', title: '规格', hint: '最多 60 个字', example: '800×800mm' },
    { key: 'unit', title: '单位', required: true, hint: '最多 10 个字', example: '片' },
    {
      key: 'receiver_id',
      title: '商家',
      hint: '接单的分公司或门店的名称；不填按品类',
      example: '城西建材店',
    },
    { key: 'stage', title: '施工阶段', hint: `${words(siteStage)}；不填按品类`, example: '瓦工' },
    { key: 'leadDays', title: '备货天数', hint: '整数；不填按品类', example: '7' },
    { key: 'pack', title: '每包数量', hint: '按整包下单的才填，最多 3 位小数', example: '3' },
    { key: 'least', title: '起订量', hint: '最多 3 位小数', example: '9' },
    { key: 'removalPrice', title: '减项单价', hint: '最多 6 位小数', example: '30' },
    { key: 'price', title: '售价', hint: '从今天起，最多 6 位小数', example: '58.5' },
    { key: 'cost', title: '成本价', hint: '没有查看成本权限的不能填', example: '36' },
  ],
})
