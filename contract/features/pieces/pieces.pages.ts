import { type Pages, type Rights } from '../../kit/page.ts'

export const piecePages = {
  DeliveryBoard: {
    path: '/overview/DeliveryBoard',
    title: '交付总览',
    shell: 'base',
    systems: ['jf'],
    group: '/overview',
    keepAlive: true,
    at: 10,
  },
} satisfies Pages

export const pieceRights = {
  DeliveryBoard: { roles: ['hq_ops', 'branch_gm', 'order_clerk', 'acceptor', 'pm', 'steward'] },
} satisfies Rights<typeof piecePages>
