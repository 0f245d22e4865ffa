import { type Code } from '../../kit/codes.ts'
import { siteStatus } from '../sites/sites.record.ts'

/** What decides whether the cameras of a site are looked through (docs/decisions/0505). */
export interface Home {
  siteStatus: Code<typeof siteStatus>
  livedIn: boolean
}
const { finished, terminated } = siteStatus.code
/** After its end somebody else lives there. */
export const isOver = ({ siteStatus: status }: Home): boolean => status === finished || status === terminated
const ENDED: Partial<Record<Code<typeof siteStatus>, string>> = {
  [finished]: '工地已完工',
  [terminated]: '工地已终止合同',
}
export const overText = ({ siteStatus: status }: Home): string => `${ENDED[status] ?? ''}，摄像头不再看`
/** `opens`: the minute from which it is possible again, in the time of Shanghai. */
export const livedInText = (opens: string): string => `家里有人居住，下班时间不看摄像头，${opens} 以后才能看`

/**
 * The reason why a camera's picture, event or recording is not taken; the device reads it, and who looks after it.
 */
export const overRefusal = ({ siteStatus: status }: Home): string =>
  `${ENDED[status] ?? ''}，只接收摄像头的心跳，画面和事件不再接收`
export const LIVED_IN_REFUSAL = '家里有人居住，下班时间的画面和事件不接收'
