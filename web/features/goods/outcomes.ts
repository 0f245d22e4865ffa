import { finding, goodsOutcome } from '@zhuguan/contract/features/goods/goods.record.ts'

const { again, borne, reduce } = goodsOutcome.code
const among = (values: readonly string[]) => goodsOutcome.options.filter((o) => values.includes(o.value))
/** The possible fates of what goes back. */
export const RETURN_OUTCOMES = among([again, reduce, borne])
/** The possible claims for goods that are not fine. */
export const COMPLAINTS = finding.options.filter((o) => o.value !== finding.code.accepted)
