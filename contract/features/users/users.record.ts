import { defineCodes } from '../../kit/codes.ts'

export const userStatus = defineCodes('userStatus', '状态', { active: [1, '启用'], disabled: [2, '停用'] })
export const principalPost = defineCodes('principalPost', '岗位', {
  steward: [1, '项目管家'],
  manager: [2, '项目经理'],
})
