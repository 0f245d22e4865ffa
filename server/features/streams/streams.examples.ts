import { streamsApi } from '@zhuguan/contract/features/streams/streams.api.ts'

import { examplesOf } from '../../testing/example.ts'

export const streamsExamples = examplesOf(streamsApi, (r) => ({
  open: { body: { device_id: r.device, purpose: 'patrol', said: true } },
  looking: { body: { devices: [r.device] }, answers: { devices: 200 } },
  keep: { body: { views: [r.liveView] }, answers: { views: 200 } },
  close: { body: { views: [r.liveView] }, answers: { views: 200 } },
  offer: { body: { view: r.liveView, sdp: 'v=0' } },
}))
