import { type Pages, type Rights } from '../../kit/page.ts'

export const boardPages = {
  BoardTotal: {
    path: '/BoardTotalView',
    title: '总看板',
    shell: 'screen',
    systems: ['xc'],
    group: '/data',
    at: 30,
  },
} satisfies Pages

export const boardRights = {
  BoardTotal: { roles: ['hq_ops', 'branch_gm'] },
} satisfies Rights<typeof boardPages>
