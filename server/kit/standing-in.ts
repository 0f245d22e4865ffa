import { TODAY } from './statement.ts'

/** In a statement whose tenant is the value `tenant`: the absence `a` is of the person `person`, and of today. */
export const isAway = (tenant: string, person: string, a: string): string =>
  `${a}.tenant_id = ${tenant} AND ${a}.user_id = ${person} AND ${counts(a)}`
/** Not ended early, and today is one of its days. */
const counts = (a: string): string =>
  `${a}.ended_at IS NULL AND ${TODAY} BETWEEN ${a}.from_day AND ${a}.to_day`

/** `person` has an open account and is not away today. */
export const isHere = (tenant: string, person: string): string =>
  `${person}.status = 1 AND ${person}.deleted_at IS NULL AND NOT EXISTS (
         SELECT FROM absences away WHERE ${isAway(tenant, `${person}.id`, 'away')})`

/** The people for whom `person` stands in today. */
export const standsFor = (tenant: string, person: string): string =>
  `ARRAY(SELECT away.user_id::text FROM absences away
    WHERE away.tenant_id = ${tenant} AND away.deputy_id = ${person} AND ${counts('away')} ORDER BY 1)`

/** The note beside the name of somebody who is away today: until when, and who stands in; else nothing. */
export const awaySaid = (tenant: string, person: string): string =>
  `coalesce((SELECT '不在（至 ' || to_char(away.to_day, 'MM-DD') || '，由 ' || other.nickname || ' 代）'
    FROM absences away
    JOIN users other ON other.tenant_id = ${tenant} AND other.id = away.deputy_id
    WHERE ${isAway(tenant, person, 'away')}), '')`
