import { type Pages, type Rights } from '../../kit/page.ts'

export const nearbyPages = {
  MapFieldboard: {
    path: '/MapFieldboardView',
    title: '地图看板',
    shell: 'screen',
    systems: ['yx'],
    group: '/board',
    at: 10,
  },
} satisfies Pages

export const nearbyRights = {
  MapFieldboard: { roles: ['hq_ops', 'branch_gm', 'steward', 'quoter', 'sales'] },
} satisfies Rights<typeof nearbyPages>
