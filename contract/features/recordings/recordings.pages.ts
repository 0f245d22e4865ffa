import { type Pages, type Rights } from '../../kit/page.ts'

export const recordingPages = {
  videoRecord: {
    path: '/VideoRecordView',
    title: '录像回放',
    shell: 'screen',
    systems: ['xc'],
    group: '/data',
    at: 50,
  },
} satisfies Pages

export const recordingRights = {
  videoRecord: {
    roles: ['hq_ops', 'branch_gm', 'pm', 'steward', 'inspector'],
    powers: {
      'recording:clip': { title: '下载录像片段', roles: ['branch_gm', 'pm', 'inspector'] },
      'recording:hold': { title: '留存/解除留存', roles: ['branch_gm', 'inspector'] },
    },
  },
} satisfies Rights<typeof recordingPages>
