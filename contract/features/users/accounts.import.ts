import { defineImport } from '../../kit/imports.ts'
import { principalPost } from './users.record.ts'

export const accountsImport = defineImport({
  title: '用户',
  path: '/dsmcore/api/user',
  permission: 'user:import',
  hands: {
    name: '账号',
    secret: '初始密码',
    note: '初始密码只给出这一次，请交给本人；对方第一次登录时要改成自己的密码。丢失了可以在用户列表里重置。',
  },
  columns: [
    {
      key: 'userName',
      title: '账号',
      required: true,
      hint: '字母开头，字母、数字和 . _ -，2 到 32 位',
      example: 'wangjianguo',
    },
    { key: 'nickname', title: '昵称', required: true, hint: '2 到 20 个字', example: '王建国' },
    {
      key: 'roles',
      title: '角色',
      required: true,
      hint: '角色名称，多个用顿号分开；只能给您自己权限以内的角色',
      example: '项目经理',
    },
    {
      key: 'bc_id',
      title: '分公司',
      hint: '分公司的名称或编号，须在您的数据范围内；只有全集团的角色可以不填',
      example: '杭州分公司',
    },
    { key: 'stores', title: '门店', hint: '该分公司的门店名称，多个用顿号分开', example: '' },
    {
      key: 'post',
      title: '岗位',
      hint: `${principalPost.options.map((o) => o.label).join('、')}；其他岗位不填`,
      example: '项目经理',
    },
    { key: 'phone', title: '电话', hint: '11 位手机号', example: '13800138000' },
  ],
})
