/** A feature's own pages and who may do what on them; contract/pages.ts has a line for each feature. */
export type Dimension = 'worker' | 'visitor' | 'site' | 'owner' | 'management'
export const DIMENSION_LABEL: Record<Dimension, string> = {
  worker: '工人',
  visitor: '访客',
  site: '工地',
  owner: '业主',
  management: '管理',
}

export interface Page {
  path: string
  title: string
  /** `base` has sidebar and header, `screen` opens full screen in its own tab, `open` needs no session. */
  shell: 'base' | 'screen' | 'open'
  /** Subsystems whose menu may hold it; empty for pages that need no permission. */
  systems: readonly ('xc' | 'jf' | 'yx')[]
  /** The menu group it stands under; absent for hidden pages. */
  group?: string
  /** Its place in that group: the least comes first. */
  at?: number
  /** A hidden page goes with the page it is reached from: who has that one has this one. */
  of?: string
  dimension?: Dimension
  /** The parameter of its address that names the worker, site … it is about; `id` unless said. */
  names?: string
  keepAlive?: boolean
  /** Only workers who lead sites, or only those who do not. */
  leaders?: boolean
}
export type Pages = Record<string, Page>

/** The roles that a group begins with, in the order in which they are listed. */
export const FIRST_ROLES = {
  admin: { name: '系统管理员', scope: 'tenant' },
  hq_ops: { name: '集团运营', scope: 'tenant' },
  branch_gm: { name: '分公司总经理', scope: 'branches' },
  pm: { name: '项目经理', scope: 'ownSites' },
  steward: { name: '项目管家', scope: 'ownSites' },
  inspector: { name: '巡检员', scope: 'branches' },
  device_keeper: { name: '设备管理员', scope: 'branches' },
  order_clerk: { name: '下单员', scope: 'branches' },
  supplier: { name: '接单商家', scope: 'stores' },
  acceptor: { name: '验收员', scope: 'branches' },
  quoter: { name: '报价员', scope: 'stores' },
  examiner: { name: '审核员', scope: 'branches' },
  cashier: { name: '出纳', scope: 'branches' },
  sales: { name: '营销顾问', scope: 'stores' },
  service: { name: '客服', scope: 'branches' },
} as const
export type RoleCode = keyof typeof FIRST_ROLES
/** The administrator may do everything; the others are named where the right is. */
type Holder = Exclude<RoleCode, 'admin'>
const HOLDERS = (Object.keys(FIRST_ROLES) as RoleCode[]).filter((code): code is Holder => code !== 'admin')

/* @__NO_SIDE_EFFECTS__ */
export const allBut = (...roles: Holder[]): readonly Holder[] =>
  HOLDERS.filter((code) => !roles.includes(code))

/** Who opens each page and who may do each of its operations, in a group that begins. */
export type Rights<P extends Pages = Pages> = {
  readonly [Name in keyof P]?: {
    roles: readonly Holder[]
    /** By permission: what the role editor calls it, and who has it. */
    powers?: Readonly<Record<string, { title: string; roles: readonly Holder[] }>>
  }
}
