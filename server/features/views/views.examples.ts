import { viewsApi } from '@zhuguan/contract/features/views/views.api.ts'

import { examplesOf } from '../../testing/example.ts'

export const viewsExamples = examplesOf(viewsApi, (r) => ({
  save: { body: { name: 'example', value: {} } },
  keep: { body: { page: 'SiteList', title: '我的', search: '?status=1' } },
  change: { body: { id: r.view, title: '改名' } },
  drop: { body: { id: r.view } },
}))
