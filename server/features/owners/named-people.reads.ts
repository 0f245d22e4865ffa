import { contains, type Where } from '../../kit/statement.ts'

/** As many digits of a number as its mask leaves at the end. */
export const PHONE_END = /^\d{4}$/

/**
 * `column` of people of homes today whose name has `keyword` in it, whose whole number it is, or the last four digits
 * of whose number it is: of any other part of a number there is nobody. Each half reads an index of its own. In a
 * statement of `where`, whose tenant is $1.
 */
export function namedPeople(where: Where, keyword: string, column: 'id' | 'site_id'): string {
  const like = `$${where.values.push(contains(keyword))}`
  const whole = `$${where.values.push(keyword.trim())}`
  const number = PHONE_END.test(keyword.trim()) ? 'phone_end' : 'phone'
  const is = (of: string) => `(${of}.name ILIKE ${like} OR ${of}.phone <> '' AND ${of}.${number} = ${whole})`
  return `(SELECT x.${column} FROM home_contacts x
         WHERE x.tenant_id = $1 AND x.ended_at IS NULL AND ${is('x')}
       UNION ALL
       SELECT x.${column} FROM owners o
         JOIN home_contacts x ON x.tenant_id = $1 AND x.owner_id = o.id AND x.ended_at IS NULL
         WHERE o.tenant_id = $1 AND ${is('o')})`
}
