import { alarmsSource } from '../features/alarms/alarms.source.ts'
import type { CorrectionSources } from '../features/corrections/corrections.service.ts'

/** The sources that take part when their correction changes, a line each. */
export const CORRECTION_SOURCES: CorrectionSources = {
  alarm: alarmsSource,
  patrol: {},
  tidiness: {},
  feedback: {},
}
