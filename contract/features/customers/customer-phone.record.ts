import { phone } from '../../kit/fields.ts'

/** By which somebody can be called; alone, since the page behind a customer's link asks for it and for no more. */
export const customerPhone = phone('电话').min(1, { error: '电话不能为空' })
