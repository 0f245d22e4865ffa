import { z } from 'zod'

import { compare, fits, MOST_DIGITS, plain, PLACES } from './money.ts'

const WRITTEN = /^\d{1,60}(\.\d{1,30})?$/
const named = (what: string, places: number) =>
  z
    .string({ error: `${what}应写成数字` })
    .trim()
    .regex(WRITTEN, { error: `${what}应是不小于 0 的数字，不带逗号和单位` })
    .refine((v) => !WRITTEN.test(v) || fits(v, places), {
      error: `${what}最多 ${places} 位小数，连小数在内最多 ${MOST_DIGITS} 位`,
    })
    // What is refused above has nothing to be written plainly.
    .transform((v) => (WRITTEN.test(v) ? plain(v) : v))
    .meta({ title: what })
/** Numbers that somebody types: text, never negative (docs/product.md, Money). */
export const price = (what: string) => named(what, PLACES.price)
export const amount = (what: string) => named(what, PLACES.amount)
export const quantity = (what: string) => named(what, PLACES.quantity)
export const measure = (what: string) => named(what, PLACES.measure)
/** Above 0, of what is written as a number. */
export const isSome = (text: string) => !/^0*(\.0*)?$/.test(text)
/** A quantity above 0. */
export const someOf = (what: string) => quantity(what).refine(isSome, { error: `${what}应大于 0` })
/** An amount above 0. */
export const somePaid = (what: string) => amount(what).refine(isSome, { error: `${what}应大于 0` })
/** In hundredths, 0 to 100. */
export const percent = (what: string) =>
  named(what, PLACES.percent).refine((v) => !WRITTEN.test(v) || compare(v, '100') <= 0, {
    error: `${what}应在 0 到 100 之间`,
  })
