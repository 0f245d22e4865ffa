import { changeSource } from '../features/contracts/changes.service.ts'
import { voidSource } from '../features/contracts/ending.service.ts'
import { refundSource } from '../features/contracts/refunds.service.ts'
import type { ExamineSources } from '../features/examine/examine.service.ts'
import { goodsSource } from '../features/goods/examined.service.ts'
import { gradeSource } from '../features/goods/grading.service.ts'
import { quotationsSource } from '../features/quotations/examining.service.ts'
import { siteLife } from '../features/sites/site-life.service.ts'
import { chargeSource } from '../features/statements/charges.service.ts'
import { SITE_LIFE } from './site-lives.ts'

/** The person who takes part when something of theirs is judged, one line a kind. */
export const EXAMINE_SOURCES: ExamineSources = {
  change: changeSource,
  charge: chargeSource,
  goods: goodsSource,
  grade: gradeSource,
  quotation: quotationsSource,
  refund: refundSource,
  void: voidSource(siteLife(SITE_LIFE)),
}
