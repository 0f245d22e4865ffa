import { z } from 'zod'

import { defineCodes } from '../../kit/codes.ts'
import { logged } from '../../kit/logged.ts'

/** A telephone or computer that opened an owner's link: until somebody who knows it says so, it is shown nothing. */
export const homeDeviceState = defineCodes('homeDeviceState', '设备状态', {
  asking: ['asking', '等待确认'],
  bound: ['bound', '已确认'],
  removed: ['removed', '已移除'],
})
/** Of one contact, that are bound; and that may ask before somebody looks at them. */
export const MOST_DEVICES = 3
export const MOST_ASKING = 5
/** Of those, from one network: whoever has a link that was passed on leaves room for its owner. */
export const MOST_ASKING_NEAR = 3

export const homeDevice = z.object({
  id: z.string(),
  /** The kind of device, in words: 苹果手机 · 微信. */
  name: z.string(),
  /** Four digits that stand on its screen while it asks, so that nobody lets in another one. */
  code: z.string(),
  state: homeDeviceState.schema,
  askedAt: z.number().int(),
  boundAt: z.number().int().nullable(),
  boundBy: z.string(),
  /** Of the company, who alone stands behind it: made its link and let it in. Empty once somebody else vouched. */
  onlyHand: z.string(),
  lastSeenAt: z.number().int(),
})
export type HomeDevice = z.output<typeof homeDevice>

const UNVOUCHED = '（链接和设备一人经手，未经第二人核对）'
/** Names whoever alone vouches for the device that an answer came from. */
export const byOneHand = (hand: string): string => hand && `${hand}${UNVOUCHED}`
export const isUnvouched = (by: string): boolean => by.endsWith(UNVOUCHED)
/** Says that staff did `verb` for the owner, or that nobody else vouched for the device. */
export const writtenBy = (by: string, verb: string): string => (isUnvouched(by) ? by : `${by}${verb}`)

export const homeDeviceLog = logged('业主的设备', {
  site_id: ['工地', 'site'],
  person: ['联系人', 'personal'],
  name: ['设备', 'personal'],
  state: ['状态', homeDeviceState],
  reason: '原因',
})
