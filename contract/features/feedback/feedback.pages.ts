import { type Pages, type Rights } from '../../kit/page.ts'

export const feedbackPages = {
  FeedbackList: {
    path: '/owner/FeedbackList',
    title: '反馈与投诉',
    shell: 'base',
    systems: ['xc'],
    group: '/owner',
    keepAlive: true,
    at: 20,
  },
  OwnerFeedback: {
    path: '/OwnerFeedback',
    title: '反馈与投诉',
    shell: 'base',
    systems: ['xc'],
    of: 'FeedbackList',
    dimension: 'owner',
    names: 'site_id',
  },
} satisfies Pages

const READERS = ['hq_ops', 'branch_gm', 'pm', 'steward', 'service'] as const
export const feedbackRights = {
  FeedbackList: {
    roles: READERS,
    powers: {
      'feedback:enter': { title: '登记', roles: ['branch_gm', 'pm', 'steward', 'service'] },
      'feedback:accept': { title: '受理/致谢结案', roles: ['branch_gm', 'steward', 'service'] },
      'feedback:handle': { title: '回复/处理', roles: ['branch_gm', 'pm', 'steward', 'service'] },
      'feedback:supervise': { title: '降级/结案/取消/重新打开/解除回避', roles: ['branch_gm', 'service'] },
      'feedback:film': { title: '看投诉留存的录像', roles: ['branch_gm', 'service'] },
      'feedback:dossier': { title: '导出卷宗', roles: ['branch_gm', 'service'] },
      'feedback:export': { title: '导出', roles: ['hq_ops', 'branch_gm', 'service'] },
    },
  },
  OwnerFeedback: { roles: READERS },
} satisfies Rights<typeof feedbackPages>
