import { alarmsSource } from '../features/alarms/alarms.source.ts'
import type { CorrectionSources } from '../features/corrections/corrections.service.ts'

/** What takes part when its correction changes, one line a source. */
export const CORRECTION_SOURCES: CorrectionSources = {
  alarm: alarmsSource,
  patrol: {},
  tidiness: {},
  feedback: {},
}
