import { videoApi } from '@zhuguan/contract/features/video/video.api.ts'

import { examplesOf } from '../../testing/example.ts'

export const videoExamples = examplesOf(videoApi, (r) => {
  const week = { query: { site_id: r.site, from: '2026-01-01', to: '2026-01-07' } }
  return { online: week, outagesExport: week }
})
