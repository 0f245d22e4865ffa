import { promiseState } from '@zhuguan/contract/features/promises/promises.record.ts'

import { TODAY } from '../../kit/statement.ts'

const { extended, open } = promiseState.code
/** A promise `p` that still waits to be kept. */
export const OPEN = `p.state IN ('${open}', '${extended}')`

const due = (site: string) => `FROM promises p
       WHERE p.tenant_id = $1 AND p.site_id = ${site} AND ${OPEN} AND p.due <= ${TODAY}`
/** Promises to the home `site` whose last day is today or over, in a statement whose tenant is $1. */
export const dueOf = (site: string): string => `(SELECT count(*)::int ${due(site)})`
export const isDue = (site: string): string => `EXISTS (SELECT ${due(site)})`
