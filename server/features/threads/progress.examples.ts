import { progressApi } from '@zhuguan/contract/features/threads/progress.api.ts'

import { examplesOf } from '../../testing/example.ts'

const ACT = '7d1f3a52-0b1e-4c58-9c55-2f6a0d5b7a10'

export const progressExamples = examplesOf(progressApi, (r) => ({
  proposal: { query: { site_id: r.site } },
  send: { body: { site_id: r.site, act: ACT, after: 1, words: '今日进度：水电阶段开始施工' } },
}))
