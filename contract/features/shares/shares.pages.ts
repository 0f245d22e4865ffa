import { type Pages, type Rights } from '../../kit/page.ts'

export const sharePages = {
  ShareList: {
    path: '/case/ShareList',
    title: '分享管理',
    shell: 'base',
    systems: ['yx'],
    group: '/case',
    keepAlive: true,
    at: 40,
  },
  customPreview: {
    path: '/customPreviewView',
    title: '客户预览',
    shell: 'screen',
    systems: ['yx'],
    group: '/case',
    at: 30,
  },
} satisfies Pages

const readers = ['hq_ops', 'branch_gm', 'quoter', 'sales'] as const
const writers = ['branch_gm', 'quoter', 'sales'] as const
export const shareRights = {
  ShareList: {
    roles: readers,
    powers: {
      'share:add': { title: '新建/复制/换新/收回链接', roles: writers },
      'share:export': { title: '导出', roles: ['hq_ops', 'branch_gm'] },
    },
  },
  customPreview: {
    roles: readers,
    powers: { 'preview:edit': { title: '编排/发送/结束', roles: writers } },
  },
} satisfies Rights<typeof sharePages>
