import { defineCodes } from '../../kit/codes.ts'

/** Every role of people.md; the demo has one user of each per branch. */
export const roleCode = defineCodes('roleCode', '角色', {
  admin: ['admin', '系统管理员'],
  hqOps: ['hq_ops', '集团运营'],
  branchGm: ['branch_gm', '分公司总经理'],
  pm: ['pm', '项目经理'],
  steward: ['steward', '项目管家'],
  inspector: ['inspector', '巡检员'],
  deviceKeeper: ['device_keeper', '设备管理员'],
  orderClerk: ['order_clerk', '下单员'],
  supplier: ['supplier', '接单商家'],
  acceptor: ['acceptor', '验收员'],
  quoter: ['quoter', '报价员'],
  examiner: ['examiner', '审核员'],
  sales: ['sales', '营销顾问'],
  service: ['service', '客服'],
})
export const userStatus = defineCodes('userStatus', '状态', { active: [1, '启用'], disabled: [2, '停用'] })
export const principalPost = defineCodes('principalPost', '岗位', {
  steward: [1, '项目管家'],
  manager: [2, '项目经理'],
})
