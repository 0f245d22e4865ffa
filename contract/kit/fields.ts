import { z } from 'zod'

import { uuid } from './paging.ts'

// Control characters, and marks that turn the direction of what stands after them: read they say something else.
const UNSEEN =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g
/** Text that somebody types, as it can be seen. */
export const typed = () =>
  z
    .string()
    .overwrite((text) => text.replace(UNSEEN, ''))
    .trim()
/** Text that may be left out. */
export const words = (title: string, most: number) =>
  typed()
    .max(most, { error: `${title}最多 ${most} 个字` })
    .default('')
    .meta({ title })
/** The same on one line: breaks become spaces. */
export const wordsOnALine = (title: string, most: number) =>
  typed()
    .overwrite((text) => text.replace(/\s*[\r\n]\s*/g, ' '))
    .max(most, { error: `${title}最多 ${most} 个字` })
    .default('')
    .meta({ title })
/** The version of a record that the caller has seen. Calls of the spec send it in the query, where it is text. */
export const version = z
  .union(
    [
      z.number().int().min(0),
      z
        .string()
        .regex(/^\d{1,9}$/)
        .transform(Number),
    ],
    {
      error: '版本不正确，请刷新后再试',
    },
  )
  .meta({ title: '版本' })
/** A record and the version of it that was seen. */
export const seen = (title: string) => ({ id: uuid.meta({ title }), version })
/** The reason, where a command must say it. */
export const reason = typed().min(2, { error: '请写明原因（至少 2 个字）' }).max(200).meta({ title: '原因' })
/** The reason, where it depends on the command whether it must be said. */
export const optionalReason = typed().max(200).default('').meta({ title: '原因' })
/** As telephones and tables paste a number: with spaces, and with digits of full width. */
export const plainPhone = (text: string): string =>
  text
    .replace(/[０-９－＋]/gu, (c) => String.fromCharCode(c.charCodeAt(0) - 0xfee0))
    .replace(/\s+/gu, '')
    .replace(/^(?:\+|00)?86-?(?=1\d{2}-?\d{4}-?\d{4}$)/u, '')
    .replace(/^(1\d{2})-(\d{4})-(\d{4})$/u, '$1$2$3')
const NUMBER = String.raw`1[3-9]\d{9}|0\d{2,3}-?\d{7,8}`
const WHOLE = new RegExp(`^(?:${NUMBER})$`)
/** Whether these words are one whole telephone number, as `plainPhone` writes it. */
export const isPhone = (text: string): boolean => WHOLE.test(text)
/** A telephone number, or none. */
export const phone = (title: string) =>
  z
    .string()
    .overwrite(plainPhone)
    .regex(new RegExp(`^(${NUMBER})?$`), { error: `${title}应为 11 位手机号，或带区号的固定电话` })
    .meta({ title })
/** Key of a picture or a PDF that the caller has uploaded. */
export const paper = z
  .string()
  .regex(/^[0-9a-f-]{36}\.(jpg|pdf)$/, { error: '请先上传文件' })
  .meta({ title: '文件' })
/** Key of a picture that the caller has uploaded. */
export const uploaded = z
  .string()
  .regex(/^[0-9a-f-]{36}\.jpg$/, { error: '请先上传照片' })
  .meta({ title: '照片' })
