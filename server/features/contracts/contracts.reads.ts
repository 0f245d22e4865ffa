import type { Scope } from '../../database/connect.ts'
import { scopedStores } from '../../kit/scoped.ts'
import type { Where } from '../../kit/statement.ts'
import { DUE, matching } from './contracts.queries.ts'

/** Contracts `c` in reach by their number, customer or site. */
export const contractsBy = (scope: Scope, keyword: string | undefined): Where =>
  matching(scopedStores(scope, 'c'), keyword)

/** What has fallen due of a contract `c`, for statements of others whose tenant is the value $1. */
export const CONTRACT_DUE = DUE
