import {
  attribute,
  type DocumentInput,
  type LineInput,
  sumDocument,
} from '@zhuguan/contract/features/quotations/quotations.sum.ts'
import { TooManyDigits } from '@zhuguan/contract/kit/money.ts'

import { sized } from '../size.ts'
import { dice, type Result, signIn } from './client.ts'
import { lostDigits } from './forty-digits.ts'
import { referenceSum, type Summed } from './money-reference.ts'
import { type Stage, setStage } from './stage.ts'

const PIECE = sized(2_000, 500)
const { adjusted, added, removed, package: inPackage } = attribute.code

/** Quotations as people write them, with many that end in a half and some that are as long as a number may be. */
function quotations(seed: number) {
  const { below, pick } = dice(seed)
  const digits = (n: number) => Array.from({ length: n }, () => below(10)).join('')
  const number = (whole: number, places: number): string => {
    const cut = below(places + 1)
    const fraction = cut ? `.${digits(cut - 1)}${pick(['5', '5', String(below(10))])}` : ''
    return `${below(9) + 1}${digits(below(whole))}${fraction}`
  }
  const line = (long: boolean): LineInput => ({
    attribute: pick([inPackage, adjusted, added, removed]),
    counts: below(10) > 0,
    quantity: below(15) ? number(long ? 12 : 3, 3) : '0',
    wastePercent: pick(['0', '0', '5', '3.5', '12.25']),
    price: number(long ? pick([20, 33]) : 4, 6),
    packagePrice: below(8) ? number(4, 6) : null,
    removalPrice: below(3) ? number(3, 6) : null,
    cost: below(12) ? number(4, 6) : null,
    pack: below(2) ? pick(['1', '1.44', '0.36', '20', '2.5']) : null,
  })
  return (): DocumentInput => {
    const long = below(100) === 0
    return {
      perSquareMetre: below(6) ? number(3, 2) : null,
      area: number(2, 2),
      leastArea: pick(['0', '60', '80.5']),
      lines: Array.from({ length: below(long ? 60 : 8) }, () => line(long)),
      discounts: below(4) ? [] : [number(2, 2), number(1, 2)],
      taxPercent: pick(['0', '3', '6', '9', '13', '1.5']),
    }
  }
}

const SUMS = ['package', 'removed', 'adjusted', 'added', 'discount', 'total', 'tax', 'cost'] as const
/** By PostgreSQL's numeric alone; whole division is exact where a quotient is not. */
const SQL = `
  WITH line AS (
    SELECT x.*, round(x.q * (100 + x.w) * 0.01, 3) AS priced
    FROM unnest($1::int[], $2::int[], $3::boolean[], $4::numeric[], $5::numeric[], $6::numeric[], $7::numeric[],
      $8::numeric[], $9::numeric[], $10::numeric[]) AS x(doc, attr, counts, q, w, price, base, removal, cost, pack)
  ), worked AS (
    SELECT doc, attr, counts, cost IS NULL AND attr <> 4 AS uncosted,
      CASE attr WHEN 2 THEN round((price - coalesce(base, 0)) * priced, 2) WHEN 3 THEN round(price * priced, 2)
        WHEN 4 THEN -round(coalesce(removal, price) * priced, 2) ELSE 0 END AS amount,
      CASE WHEN attr = 4 THEN 0
        ELSE round(cost * CASE WHEN pack IS NULL THEN priced ELSE (div(priced, pack) + CASE WHEN mod(priced, pack) > 0
          THEN 1 ELSE 0 END) * pack END, 2) END AS cost
    FROM line
  ), steps AS (
    SELECT doc, sum(amount) FILTER (WHERE attr = 4) AS removed, sum(amount) FILTER (WHERE attr = 2) AS adjusted,
      sum(amount) FILTER (WHERE attr = 3) AS added, sum(cost) AS cost, count(*) FILTER (WHERE uncosted) AS uncosted
    FROM worked WHERE counts GROUP BY doc
  ), document AS (
    SELECT d.doc, round(coalesce(d.per, 0) * greatest(d.area, d.least), 2) AS package,
      coalesce(s.removed, 0) AS removed, coalesce(s.adjusted, 0) AS adjusted, coalesce(s.added, 0) AS added,
      -d.discount AS discount, coalesce(s.cost, 0) AS cost, coalesce(s.uncosted, 0) AS uncosted, d.rate
    FROM unnest($11::int[], $12::numeric[], $13::numeric[], $14::numeric[], $15::numeric[], $16::numeric[])
      AS d(doc, per, area, least, discount, rate)
    LEFT JOIN steps s ON s.doc = d.doc
  ), total AS (
    SELECT *, package + removed + adjusted + added + discount AS total FROM document
  ), taxed AS (
    SELECT *, sign(total) * div(2 * abs(total) * rate * 100 + (100 + rate), 2 * (100 + rate)) * 0.01 AS tax FROM total
  )
  SELECT doc, ${SUMS.map((name) => `round(${name}, 2)::text AS ${name}`).join(', ')}, uncosted::int AS uncosted,
    CASE WHEN uncosted = 0 AND total <> tax THEN
      round(sign((total - tax - cost) * (total - tax))
        * div(2 * abs(total - tax - cost) * 10000 + abs(total - tax), 2 * abs(total - tax)) * 0.01, 2)::text
    END AS margin
  FROM taxed ORDER BY doc`

async function byDatabase(stage: Stage, documents: readonly DocumentInput[]): Promise<Summed[]> {
  const lines = documents.flatMap((d, doc) => d.lines.map((l) => ({ doc, ...l })))
  const discount = (d: DocumentInput) => d.discounts.reduce((all, one) => all + BigInt(cents(one)), 0n)
  const { rows } = await stage.owner.query(SQL, [
    lines.map((l) => l.doc),
    lines.map((l) => l.attribute),
    lines.map((l) => l.counts),
    lines.map((l) => l.quantity),
    lines.map((l) => l.wastePercent),
    lines.map((l) => l.price),
    lines.map((l) => l.packagePrice),
    lines.map((l) => l.removalPrice),
    lines.map((l) => l.cost),
    lines.map((l) => l.pack),
    documents.map((_, doc) => doc),
    documents.map((d) => d.perSquareMetre),
    documents.map((d) => d.area),
    documents.map((d) => d.leastArea),
    documents.map((d) => `${discount(d) / 100n}.${String(discount(d) % 100n).padStart(2, '0')}`),
    documents.map((d) => d.taxPercent),
  ])
  return rows as Summed[]
}
const cents = (text: string): string => {
  const [whole, part = ''] = text.split('.')
  return whole + part.padEnd(2, '0')
}
const worked = (document: DocumentInput): Summed | 'too long' => {
  try {
    return sumDocument(document)
  } catch (error) {
    if (error instanceof TooManyDigits) return 'too long'
    throw error
  }
}
const digitsOf = (sum: Summed | 'too long') =>
  sum === 'too long' ? sum : [...SUMS.map((name) => sum[name]), sum.uncosted, sum.margin].join(' ')

/**
 * G-18: seeded quotations worked out by the product's module, by whole numbers (money-reference.ts) and by PostgreSQL's
 * numeric; every figure to the last digit, and what is too long is refused by both. A total of forty digits is then
 * followed through the product: database, answer, workbook and paper.
 * Control: a reference that rounds halves to even is found.
 */
export async function money(seed: number, count: number): Promise<Result> {
  const stage = await setStage()
  try {
    const next = quotations(seed)
    let [different, refused, even, longest] = [0, 0, 0, 0]
    for (let at = 0; at < count; at += PIECE) {
      const documents = Array.from({ length: Math.min(PIECE, count - at) }, next)
      const stored = await byDatabase(stage, documents)
      for (const [i, document] of documents.entries()) {
        const mine = worked(document)
        const reference = referenceSum(document)
        if (mine === 'too long') refused += 1
        else longest = Math.max(longest, mine.total.length)
        const same =
          digitsOf(mine) === digitsOf(reference) &&
          (mine === 'too long' || digitsOf(mine) === digitsOf(stored[i]!))
        if (!same && (different += 1) <= 5)
          console.log(
            `seed ${seed} case ${at + i}: module ${digitsOf(mine)} | integers ${digitsOf(reference)}`,
            `| database ${digitsOf(stored[i]!)} | ${JSON.stringify(document)}`,
          )
        if (digitsOf(referenceSum(document, 'even')) !== digitsOf(mine)) even += 1
      }
    }
    const { rows } = await stage.owner.query(`SELECT bc_id FROM users WHERE user_name = 'branch_gm'`)
    const { url, end } = await stage.serve()
    const lost = await lostDigits(stage, url, await signIn(url, 'branch_gm'), rows[0].bc_id)
    await end()
    return {
      value: [
        `${count} quotations, different ${different}`,
        `forty digits lost ${lost.length ? lost.join(', ') : 'nowhere'} (database, answer, xlsx, pdf, refusal)`,
        `refused as too long ${refused}, longest total ${longest} characters`,
        `control ${even > 0 ? 'found' : 'MISSED'}`,
      ].join(', '),
      ok: different === 0 && even > 0 && refused > 0 && lost.length === 0,
    }
  } finally {
    await stage.close()
  }
}
