import type { Scope } from '../../database/connect.ts'
import { scoped } from '../../kit/scoped.ts'
import type { Where } from '../../kit/statement.ts'

/** The devices a caller may see, under the alias `d`; `gone` ones too where their history is asked for. */
export const deviceScope = (scope: Scope, { gone = false } = {}): Where =>
  scoped(scope, 'd').plain(!gone && 'd.deleted_at IS NULL')
