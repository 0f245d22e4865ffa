import { promiseState } from '@zhuguan/contract/features/promises/promises.record.ts'

const { extended, open } = promiseState.code
/** A promise `p` that still waits to be kept. */
export const OPEN = `p.state IN ('${open}', '${extended}')`
