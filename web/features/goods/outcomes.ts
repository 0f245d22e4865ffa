import { finding, goodsOutcome } from '@zhuguan/contract/features/goods/goods.record.ts'

const { again, borne, reduce } = goodsOutcome.code
const among = (values: readonly string[]) => goodsOutcome.options.filter((o) => values.includes(o.value))
/** What may become of what goes back. */
export const RETURN_OUTCOMES = among([again, reduce, borne])
/** What may be asked of goods that are not fine. */
export const COMPLAINTS = finding.options.filter((o) => o.value !== finding.code.accepted)
