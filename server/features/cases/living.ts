import { caseState, isCaseOver } from '@zhuguan/contract/features/cases/cases.record.ts'

const IN_HAND = caseState.values.filter((state) => !isCaseOver(state)).map((state) => `'${state}'`)
/** That the case `k` is not over: nothing of what is over is shown, to nobody. */
export const LIVING = `k.state IN (${IN_HAND.join(', ')})`
