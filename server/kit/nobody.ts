import type { SessionUser } from './serve.ts'
import type { Scope } from './tx.ts'

/** Whoever does what nobody did: it followed from time, or from something else. */
export const SYSTEM_NAME = '系统'

/** Somebody without an account: a name in the log, a reach, and no right of their own. */
export const nobody = (tenant: string, nickname: string, scope: Scope): SessionUser => ({
  id: '',
  tenant,
  userName: nickname,
  nickname,
  roles: [],
  permissions: [],
  standsFor: [],
  pages: [],
  scope,
  holdings: [],
  branchOf: new Map(),
  mustChange: false,
  tokenHash: Buffer.alloc(0),
  version: '',
  knownAt: 0,
})
