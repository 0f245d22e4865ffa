import type { ExamineSources } from '../features/examine/examine.service.ts'
import { quotationsSource } from '../features/quotations/examining.service.ts'

/** Who takes part when something of theirs is judged, one line a kind. */
export const EXAMINE_SOURCES: ExamineSources = { quotation: quotationsSource }
