import { allBut, type Pages, type Rights } from '../../kit/page.ts'

export const homePages = {
  HomeMaster: {
    path: '/HomeMaster',
    title: '我想掌握的',
    shell: 'base',
    systems: ['xc'],
    keepAlive: true,
    at: 0,
  },
} satisfies Pages

export const homeRights = {
  HomeMaster: {
    roles: allBut(),
  },
} satisfies Rights<typeof homePages>
