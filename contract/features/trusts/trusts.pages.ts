import { type Pages, type Rights } from '../../kit/page.ts'

export const trustPages = {
  AlarmTrust: {
    path: '/image/AlarmTrust',
    title: 'AI 信任账',
    shell: 'base',
    systems: ['xc'],
    of: 'AlarmEvent',
  },
} satisfies Pages

export const trustRights = {
  AlarmTrust: {
    roles: ['hq_ops', 'branch_gm', 'pm', 'steward', 'inspector', 'service'],
    powers: {
      'alarm:pin': { title: '固定提醒', roles: ['branch_gm', 'inspector'] },
      'alarm:labels': { title: '导出训练标签', roles: ['hq_ops', 'branch_gm'] },
    },
  },
} satisfies Rights<typeof trustPages>
