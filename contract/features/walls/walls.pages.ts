import { type Pages, type Rights } from '../../kit/page.ts'

export const wallPages = {
  Index2x3: {
    path: '/Index2x3',
    title: '六宫格',
    shell: 'screen',
    systems: ['xc'],
    group: '/data',
    at: 40,
  },
} satisfies Pages

export const wallRights = {
  /** Anybody who may look through a camera (`device:live`). */
  Index2x3: { roles: ['branch_gm', 'pm', 'inspector', 'device_keeper'] },
} satisfies Rights<typeof wallPages>
