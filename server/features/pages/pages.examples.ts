import { pagesApi } from '@zhuguan/contract/features/pages/pages.api.ts'

import { examplesOf } from '../../testing/example.ts'

export const pagesExamples = examplesOf(pagesApi, (r) => {
  const power = { page_id: r.page, label: 'site:add' }
  const answers = { parent_id: 400 } as const
  return {
    add: {
      body: { name: '新目录', path: '/strange', icon: 'site', parent_id: r.group, system: 'xc' },
      answers,
    },
    edit: { body: { id: r.page, version: 0, name: '改名', parent_id: r.group }, answers },
    del: { body: { id: r.page, version: 0 } },
    sort: { body: { parent_id: r.group, ids: [r.page] }, answers },
    addPower: { body: { ...power, name: '新增' } },
    editPower: { body: { ...power, name: '新增' } },
    delPower: { body: power },
  }
})
