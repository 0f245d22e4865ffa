import type { Scope } from '../../database/connect.ts'
import { scoped } from '../../kit/scoped.ts'
import type { Where } from '../../kit/statement.ts'

/** The devices a caller may see, under the alias `d`. */
export const deviceScope = (scope: Scope): Where => scoped(scope, 'd').plain('d.deleted_at IS NULL')
