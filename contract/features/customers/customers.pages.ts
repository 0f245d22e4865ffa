import { type Pages, type Rights } from '../../kit/page.ts'

export const customerPages = {
  CustomerList: {
    path: '/customer/CustomerList',
    title: '客户线索',
    shell: 'base',
    systems: ['yx'],
    group: '/customer',
    keepAlive: true,
    at: 10,
  },
  CustomerInfo: {
    path: '/customer/CustomerInfo',
    title: '客户详情',
    shell: 'base',
    systems: ['yx'],
    of: 'CustomerList',
    keepAlive: true,
  },
  FollowUp: {
    path: '/customer/FollowUp',
    title: '跟进计划',
    shell: 'base',
    systems: ['yx'],
    group: '/customer',
    keepAlive: true,
    at: 20,
  },
  SigningBoard: {
    path: '/customer/SigningBoard',
    title: '签约进度',
    shell: 'base',
    systems: ['yx'],
    group: '/customer',
    keepAlive: true,
    at: 30,
  },
} satisfies Pages

const readers = ['hq_ops', 'branch_gm', 'quoter', 'sales'] as const
const writers = ['branch_gm', 'quoter', 'sales'] as const
export const customerRights = {
  CustomerList: {
    roles: readers,
    powers: {
      'customer:add': { title: '新增', roles: writers },
      'customer:edit': { title: '编辑/联系人', roles: writers },
      'customer:follow': { title: '跟进/流失/拒绝联系', roles: writers },
      'customer:claim': { title: '认领', roles: writers },
      'customer:assign': { title: '分配/转交/合并', roles: ['branch_gm'] },
      'customer:number': { title: '查看电话', roles: writers },
      'customer:import': { title: '导入', roles: ['branch_gm', 'sales'] },
      'customer:export': { title: '导出', roles: ['hq_ops', 'branch_gm'] },
    },
  },
  CustomerInfo: { roles: readers },
  FollowUp: { roles: readers },
  SigningBoard: {
    roles: readers,
    powers: { 'signing:target': { title: '设定目标', roles: ['branch_gm'] } },
  },
} satisfies Rights<typeof customerPages>
