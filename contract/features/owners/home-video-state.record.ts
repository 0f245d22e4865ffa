import { defineCodes } from '../../kit/codes.ts'

/** Of a home, the furthest that one of its people has come. */
export const homeVideo = defineCodes('homeVideo', '视频授权', {
  granted: ['granted', '已授权'],
  stopped: ['stopped', '已停止'],
  agreed: ['agreed', '已同意，待授权'],
  none: ['none', '未授权'],
})
