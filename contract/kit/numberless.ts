import type { z } from 'zod'

/** A mobile number, also parted by signs, in digits of full width, behind +86; a landline with its area code. */
const MOBILE = /(?<!\d)1[3-9](?:[\s\-‐-―－.．·,，]?\d){9}(?!\d)/u
const LANDLINE = /(?<!\d)0\d{2,3}[\s\-‐-―－]?\d{7,8}(?!\d)/u
const plainDigits = (text: string): string =>
  text
    .replace(/[０-９]/gu, (c) => String.fromCharCode(c.charCodeAt(0) - 0xfee0))
    .replace(/\+?86[\s-]?(?=1[3-9])/u, ' ')

/** Whether somebody's telephone number stands in a text. */
export function hasNumber(text: string): boolean {
  const plain = plainDigits(text)
  return MOBILE.test(plain) || LANDLINE.test(plain)
}
/** Free words that everybody reads who reads the record: a number has a field of its own, which is masked. */
export const numberless = <T extends z.ZodType<string>>(schema: T) =>
  schema.refine((text) => !hasNumber(text), { error: '不能写电话号码：请登记为联系人的电话' })
