import { type Pages } from '../../kit/page.ts'

export const errorPages = {
  Login: { path: '/login', title: '登录', shell: 'open', systems: [] },
  Preview: { path: '/Preview', title: '工地预览', shell: 'open', systems: [] },
  NotFound: { path: '/404', title: '页面不存在', shell: 'open', systems: [] },
  NoAccess: { path: '/401', title: '无权访问', shell: 'open', systems: [] },
  ServerError: { path: '/500', title: '服务器错误', shell: 'open', systems: [] },
} satisfies Pages
