import { casePictureState } from '@zhuguan/contract/features/cases/cases.record.ts'

/**
 * SQL: those of the masked pictures `p` that `which` chooses wait for their masks again, shown nowhere; it answers the
 * files that were `made` of them. In a statement whose tenant is $1.
 */
export const backToRaw = (which: string): string => `
  WITH chosen AS (
    SELECT p.id, p.masked_picture AS made
    FROM case_pictures p
    ${which})
  UPDATE case_pictures p
  SET state = '${casePictureState.code.raw}', masked_picture = NULL, released_by = '', released_at = NULL,
    version = version + 1
  FROM chosen
  WHERE p.tenant_id = $1 AND p.id = chosen.id
  RETURNING chosen.made`
