import { type Pages, type Rights } from '../../kit/page.ts'

export const screenPages = {
  ExhibitionBoard: {
    path: '/ExhibitionBoardView',
    title: '展厅看板',
    shell: 'screen',
    systems: ['yx'],
    group: '/board',
    at: 20,
  },
  BoardSetting: {
    path: '/board/BoardSetting',
    title: '看板设置',
    shell: 'base',
    systems: ['yx'],
    group: '/board',
    keepAlive: true,
    at: 40,
  },
} satisfies Pages

export const screenRights = {
  ExhibitionBoard: { roles: ['hq_ops', 'branch_gm', 'sales'] },
  BoardSetting: {
    roles: ['hq_ops', 'branch_gm', 'sales'],
    powers: {
      'board:arrange': { title: '编排和下发', roles: ['hq_ops', 'branch_gm'] },
      'board:pair': { title: '配对和收回屏幕', roles: ['hq_ops', 'branch_gm'] },
    },
  },
} satisfies Rights<typeof screenPages>
