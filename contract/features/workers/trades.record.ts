import { defineCodes } from '../../kit/codes.ts'

export const workerType = defineCodes('workerType', '工种', {
  steward: [1, '项目管家'],
  manager: [2, '项目经理'],
  tiler: [3, '瓦工'],
  carpenter: [4, '木工'],
  painter: [5, '油工'],
  plumber: [6, '水电工'],
  other: [7, '其他'],
})
/** Their work is what their account does; other trades work with their hands. */
export const leadsSites = (w: { w_type: number }): boolean =>
  w.w_type === workerType.code.steward || w.w_type === workerType.code.manager
