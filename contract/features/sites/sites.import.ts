import { defineImport } from '../../kit/imports.ts'
import { toldColumn } from '../consents/notices.record.ts'

export const sitesImport = defineImport({
  title: '工地',
  path: '/osmcore/api/site',
  permission: 'site:import',
  columns: [
    {
      key: 'ws_name',
      title: '工地名称',
      required: true,
      hint: '2 到 60 个字，同一分公司内不重复',
      example: '滨江锦绣府 3 幢 502',
    },
    {
      key: 'bc_id',
      title: '分公司',
      required: true,
      hint: '分公司的名称或编号，须在您的数据范围内',
      example: '杭州分公司',
    },
    { key: 'store_id', title: '门店', hint: '该分公司的门店名称', example: '杭州旗舰店' },
    { key: 'community', title: '小区', hint: '最多 60 个字', example: '滨江锦绣府' },
    { key: 'address', title: '地址', required: true, hint: '2 到 120 个字', example: '杭州市江南大道 88 号' },
    { key: 'area', title: '面积', hint: '平方米，最多两位小数', example: '118.5' },
    { key: 'layout', title: '户型', hint: '最多 30 个字', example: '三室两厅' },
    { key: 'style', title: '风格', hint: '最多 30 个字', example: '现代简约' },
    { key: 'plannedStart', title: '计划开工', hint: '日期，例如 2026-03-01', example: '2026-03-01' },
    { key: 'plannedFinish', title: '计划完工', hint: '日期，不早于计划开工', example: '2026-06-15' },
    { key: 'steward_id', title: '项目管家', hint: '账号或姓名；有同名的人请填账号', example: '' },
    { key: 'manager_id', title: '项目经理', hint: '账号或姓名；有同名的人请填账号', example: '' },
    { key: 'owner', title: '业主', hint: '姓名，最多 20 个字', example: '李女士' },
    { key: 'ownerPhone', title: '业主电话', hint: '11 位手机号', example: '13900139000' },
    toldColumn('owner', '业主'),
  ],
})
