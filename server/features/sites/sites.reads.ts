import type { Scope } from '../../database/connect.ts'
import { scoped } from '../../kit/scoped.ts'
import type { Where } from '../../kit/statement.ts'

/** The sites a caller may see, under the alias `w`. */
export const siteScope = (scope: Scope): Where =>
  scoped(scope, 'w', { site: 'id' }).plain('w.deleted_at IS NULL')
