import { unitPriceOf } from '@zhuguan/contract/features/quotations/quotations.sum.ts'
import { priceText } from '@zhuguan/contract/kit/digits.ts'

/** The price of one unit, behind the price of the package that it stands instead of. */
export function UnitPrice({ of: line }: { of: Parameters<typeof unitPriceOf>[0] }) {
  const unit = unitPriceOf(line)
  if (!unit) return '套餐内'
  return (
    <>
      {unit.before !== null && (
        <small className="quiet" title="套餐里的单价">
          {priceText(unit.before)} →{' '}
        </small>
      )}
      {priceText(unit.price)}
    </>
  )
}
