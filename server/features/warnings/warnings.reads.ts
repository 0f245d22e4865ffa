import { warningState } from '@zhuguan/contract/features/warnings/warnings.record.ts'

/** A warning `v` that is not closed. */
export const UNCLOSED = `v.state <> '${warningState.code.closed}'`
