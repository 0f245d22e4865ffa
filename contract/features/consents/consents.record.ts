import { z } from 'zod'

import { defineCodes } from '../../kit/codes.ts'
import { uploaded } from '../../kit/fields.ts'
import { day } from '../../kit/paging.ts'

/** The subject that somebody is asked to agree to. */
export const consentKind = defineCodes('consentKind', '同意事项', {
  face: ['face', '采集人脸'],
  ownerVideo: ['ownerVideo', '手机看现场'],
  case: ['case', '公开为案例'],
})
export const consentSubject = defineCodes('consentSubject', '同意的人', {
  worker: ['worker', '工人'],
  contact: ['contact', '业主联系人'],
})
export const consentHow = defineCodes('consentHow', '答复方式', {
  written: ['written', '书面'],
  spoken: ['spoken', '当面'],
  electronic: ['electronic', '电子'],
})
export const consentState = defineCodes('consentState', '同意', {
  given: [1, '同意'],
  refused: [2, '不同意'],
  withdrawn: [3, '已撤回'],
})
/** The answer that somebody gives when they are asked. */
export const consentAnswer = defineCodes('consentAnswer', '本人答复', {
  given: [consentState.code.given, '同意'],
  refused: [consentState.code.refused, '不同意'],
})

/** An answer with its time, its subject and its proof. */
export const consentFields = {
  how: consentHow.schema.meta({ title: '答复方式' }),
  answeredOn: day.meta({ title: '答复日期' }),
  scope: z
    .string()
    .trim()
    .min(4, { error: '请写明用途（至少 4 个字）' })
    .max(100, { error: '用途最多 100 个字' })
    .meta({ title: '用途' }),
  /** A signed paper has a picture. */
  proof: uploaded.nullable().default(null).meta({ title: '凭证照片' }),
}

/** One answer of somebody; the newest counts. */
export const consentRow = z.object({
  id: z.string(),
  state: consentState.schema,
  how: consentHow.schema,
  answeredOn: z.string(),
  /** The purpose that it is given for, in the words that the person agreed to. */
  scope: z.string(),
  /** The version of the notice, or of the words that were shown; empty: nobody said so. */
  wording: z.string(),
  /** Key of the picture that proves it, for who may see it. */
  proof: z.string().nullable(),
  recordedBy: z.string(),
  recordedAt: z.number().int(),
  withdrawnBy: z.string().nullable(),
  withdrawnAt: z.number().int().nullable(),
  withdrawnWhy: z.string().nullable(),
})
export type ConsentRow = z.output<typeof consentRow>
