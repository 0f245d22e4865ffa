import { recordingsApi } from '@zhuguan/contract/features/recordings/recordings.api.ts'

import { examplesOf } from '../../testing/example.ts'

export const recordingsExamples = examplesOf(recordingsApi, (r) => ({
  cameras: { body: { site_id: r.site } },
  day: { body: { device_id: r.device, day: '2026-01-31' } },
  open: { body: { id: r.recording, purpose: 'patrol', said: true } },
  held: { body: { feedback_id: r.feedback } },
  openHeld: { body: { feedback_id: r.feedback, id: r.recording } },
  original: { body: { id: r.recording, purpose: 'patrol', said: true } },
  clip: {
    body: { device_id: r.device, from: 1_700_000_000, to: 1_700_000_600, purpose: 'patrol', said: true },
  },
  hold: {
    body: {
      device_id: r.device,
      from: 1_700_000_000,
      to: 1_700_000_600,
      until: '2028-12-31',
      reason: '试试看',
    },
  },
  release: { body: { id: r.hold, reason: '试试看' } },
}))
