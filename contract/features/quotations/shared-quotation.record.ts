import { z } from 'zod'

const line = z.object({
  room: z.string(),
  attribute: z.string(),
  name: z.string(),
  detail: z.string(),
  remark: z.string(),
  unit: z.string(),
  quantity: z.string(),
  price: z.string(),
  amount: z.string(),
})
const sum = z.object({ title: z.string(), amount: z.string() })
/** A version of a quotation as its paper has it for the customer; what is over says no price at all. */
export const sharedQuotation = z.object({
  code: z.string(),
  number: z.number().int(),
  community: z.string(),
  area: z.string(),
  packageName: z.string(),
  validUntil: z.string(),
  expired: z.boolean(),
  /** Empty where it is over. */
  total: z.string(),
  steps: z.array(sum),
  lines: z.array(line),
  /** Alternatives that count nowhere. */
  others: z.array(line),
  sums: z.array(sum),
  remark: z.string(),
})
export type SharedQuotation = z.output<typeof sharedQuotation>
export type SharedLine = z.output<typeof line>
