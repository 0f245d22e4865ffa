import { type Pages, type Rights } from '../../kit/page.ts'

export const companyPages = {
  CompanyList: {
    path: '/system/CompanyList',
    title: '分公司管理',
    shell: 'base',
    systems: ['jf'],
    group: '/system',
    keepAlive: true,
    at: 10,
  },
  CompanyStore: {
    path: '/system/CompanyStore',
    title: '门店管理',
    shell: 'base',
    systems: ['jf'],
    group: '/system',
    keepAlive: true,
    at: 20,
  },
} satisfies Pages

export const companyRights = {
  CompanyList: {
    roles: ['hq_ops'],
    powers: {
      'company:add': { title: '新增', roles: [] },
      'company:edit': { title: '编辑', roles: [] },
      'company:delete': { title: '删除', roles: [] },
    },
  },
  CompanyStore: {
    roles: ['branch_gm'],
    powers: {
      'store:add': { title: '新增', roles: ['branch_gm'] },
      'store:edit': { title: '编辑', roles: ['branch_gm'] },
      'store:delete': { title: '删除', roles: ['branch_gm'] },
    },
  },
} satisfies Rights<typeof companyPages>
