import { defineCodes } from '../../kit/codes.ts'

/** What somebody looks at a recording for: the owner of the home will read it. */
export const viewPurpose = defineCodes('viewPurpose', '查看目的', {
  patrol: ['patrol', '巡检'],
  alarm: ['alarm', '报警'],
  acceptance: ['acceptance', '验收'],
  owner: ['owner', '业主询问'],
  complaint: ['complaint', '投诉处理'],
  other: ['other', '其他'],
})
/** The purpose of the home's own looks by their link: there is nothing to choose. */
export const lookPurpose = defineCodes('lookPurpose', '查看目的', { look: ['look', '业主查看'] })
