import { defineImport } from '../../kit/imports.ts'
import { deviceType } from './devices.record.ts'

export const deviceStockImport = defineImport({
  title: '设备',
  path: '/dsmcore/api/device',
  permission: 'device:stock',
  hands: {
    name: '序列号',
    secret: '密钥',
    note: '密钥只给出这一次，写进设备后设备才能上报。丢失了可以在设备台账里更换。',
  },
  columns: [
    {
      key: 'sn',
      title: '序列号',
      required: true,
      hint: '字母、数字和 . : - _，最多 64 位',
      example: 'CAM-2026-0001',
    },
    {
      key: 'type',
      title: '类型',
      required: true,
      hint: deviceType.options.map((o) => o.label).join('、'),
      example: '摄像头',
    },
    { key: 'model', title: '型号', required: true, hint: '最多 40 个字', example: 'EyeSite C6' },
    {
      key: 'bc_id',
      title: '分公司',
      hint: '分公司的名称或编号；看得到全集团的人可以不填，放进集团库存',
      example: '杭州分公司',
    },
    { key: 'remark', title: '备注', hint: '最多 200 个字', example: '' },
  ],
})
