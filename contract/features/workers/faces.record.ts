import { z } from 'zod'

import { defineCodes } from '../../kit/codes.ts'

/** Why a terminal may not know a face any more. */
export const faceWhy = defineCodes('faceWhy', '删除人脸的原因', {
  withdrawn: ['withdrawn', '本人撤回同意'],
  stopped: ['stopped', '工人已停用'],
})
/** A face that is to be taken off a terminal. */
export const faceRemoval = z.object({
  id: z.string(),
  worker_id: z.string(),
  w_name: z.string(),
  device_id: z.string(),
  deviceSn: z.string(),
  /** The place of the terminal; empty where it is bound nowhere. */
  siteName: z.string(),
  why: faceWhy.schema,
  openedAt: z.number().int(),
  version: z.number().int(),
})
export type FaceRemoval = z.output<typeof faceRemoval>
