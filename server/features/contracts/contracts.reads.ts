import type { Scope } from '../../database/connect.ts'
import { scopedStores } from '../../kit/scoped.ts'
import type { Where } from '../../kit/statement.ts'
import { matching } from './contracts.queries.ts'

/** Contracts `c` in reach by their number, customer or site. */
export const contractsBy = (scope: Scope, keyword: string | undefined): Where =>
  matching(scopedStores(scope, 'c'), keyword)
