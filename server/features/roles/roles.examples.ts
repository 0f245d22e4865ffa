import { rolesApi } from '@zhuguan/contract/features/roles/roles.api.ts'

import { examplesOf } from '../../testing/example.ts'

export const rolesExamples = examplesOf(rolesApi, (r) => {
  const role = { name: '改名', dataScope: 'ownSites', pageIds: [r.page] } as const
  const answers = { pageIds: 400 } as const
  return {
    details: { query: { id: r.role } },
    add: { body: { ...role, code: 'stranger' }, answers },
    edit: { body: { ...role, id: r.role, version: 0, code: 'pm' }, answers },
    del: { body: { id: r.role, version: 0 } },
  }
})
