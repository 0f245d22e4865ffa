import { defineImport } from '../../kit/imports.ts'
import { toldColumn } from '../consents/notices.record.ts'
import { workerType } from './trades.record.ts'
import { workerSex } from './workers.record.ts'

const words = (codes: { options: { label: string }[] }) => codes.options.map((o) => o.label).join('、')

export const workersImport = defineImport({
  title: '工人',
  path: '/osmcore/api/worker',
  permission: 'worker:import',
  columns: [
    { key: 'w_id', title: '工号', hint: '考勤机上的编号；不填会自动生成', example: 'HZ1001' },
    { key: 'w_name', title: '姓名', required: true, hint: '2 到 20 个字', example: '王建国' },
    {
      key: 'bc_id',
      title: '分公司',
      required: true,
      hint: '分公司的名称或编号，须在您的数据范围内',
      example: '杭州分公司',
    },
    { key: 'w_type', title: '工种', required: true, hint: words(workerType), example: '瓦工' },
    { key: 'w_sex', title: '性别', hint: `${words(workerSex)}；不填按男`, example: '男' },
    { key: 'w_contact', title: '联系方式', hint: '11 位手机号，或带区号的固定电话', example: '13800138000' },
    { key: 'team', title: '班组', hint: '最多 30 个字', example: '瓦工一班' },
    toldColumn('worker', '工人'),
  ],
})
