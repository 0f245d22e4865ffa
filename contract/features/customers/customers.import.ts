import { defineImport } from '../../kit/imports.ts'
import { NOTICES } from '../consents/notices.record.ts'

export const customersImport = defineImport({
  title: '客户',
  path: '/mkscore/api/customer',
  permission: 'customer:import',
  columns: [
    { key: 'name', title: '姓名', required: true, hint: '最多 20 个字', example: '王女士' },
    {
      key: 'phone',
      title: '电话',
      required: true,
      hint: '11 位手机号，或带区号的固定电话；空格、+86、全角数字都认得',
      example: '138 0013 8000',
    },
    {
      key: 'storeName',
      title: '门店',
      hint: '门店的名称，须在您的数据范围内；不填就是分公司的',
      example: '城西店',
    },
    { key: 'bc_id', title: '分公司', hint: '填了门店可以不填', example: '杭州分公司' },
    {
      key: 'source',
      title: '来源',
      hint: '集团“自助设置”里的来源之一；不填按其他',
      example: '小区活动',
    },
    { key: 'community', title: '小区', hint: '最多 40 个字', example: '江南里' },
    { key: 'address', title: '地址', hint: '最多 100 个字', example: '3 幢 1201' },
    { key: 'area', title: '面积', hint: '平方米，最多两位小数', example: '110' },
    { key: 'budget', title: '预算', hint: '元，最多两位小数', example: '200000' },
    {
      key: 'told',
      title: '已告知',
      hint: `填“是”表示已按 ${NOTICES.customer.version} 版告知过客户；不填按没有，第一次联系时再告知`,
      example: '是',
    },
    { key: 'style', title: '风格', hint: '最多 20 个字', example: '现代' },
  ],
})
