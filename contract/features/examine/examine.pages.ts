import { type Pages, type Rights } from '../../kit/page.ts'

export const examinePages = {
  ExamineList: {
    path: '/package/ExamineList',
    title: '审核中心',
    shell: 'base',
    systems: ['jf'],
    group: '/package',
    keepAlive: true,
    at: 40,
  },
} satisfies Pages

export const examineRights = {
  ExamineList: {
    roles: ['hq_ops', 'branch_gm', 'order_clerk', 'quoter', 'examiner', 'cashier'],
    powers: {
      'examine:judge': { title: '通过/驳回', roles: ['examiner'] },
      /** Who has it is told of what nobody has judged in time. */
      'examine:supervise': { title: '接收超时提醒', roles: ['branch_gm'] },
      'examine:export': { title: '导出', roles: ['hq_ops', 'branch_gm', 'examiner'] },
    },
  },
} satisfies Rights<typeof examinePages>
