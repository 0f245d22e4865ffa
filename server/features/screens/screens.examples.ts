import { arrangementsApi } from '@zhuguan/contract/features/screens/arrangements.api.ts'
import { screensApi } from '@zhuguan/contract/features/screens/screens.api.ts'

import { examplesOf } from '../../testing/example.ts'

const scenes = [{ kind: 'figures', seconds: 15 } as const]
export const screensExamples = [
  examplesOf(arrangementsApi, (r) => {
    const one = { id: r.arrangement, version: 0 }
    return {
      list: { query: { id: r.arrangement, bc_id: [r.bc_id], store_id: r.store } },
      details: { query: { id: r.arrangement } },
      show: { query: { id: r.arrangement } },
      add: { body: { store_id: r.store, name: '试试看', scenes } },
      edit: { body: { ...one, name: '试试看', scenes } },
      undo: { body: one },
      del: { body: one },
      picture: { body: { id: r.arrangement, case_id: r.case, key: 'none.jpg' } },
      send: { body: { ...one, screens: [r.screen] } },
    }
  }),
  examplesOf(screensApi, (r) => {
    const one = { id: r.screen, version: 0 }
    return {
      list: { query: { bc_id: [r.bc_id], store_id: r.store, arrangement_id: r.arrangement } },
      pair: {
        body: {
          code: 'ABCDEF',
          name: '试试看',
          store_id: r.store,
          kind: 'public',
          arrangement_id: r.arrangement,
        },
      },
      replace: { body: { ...one, code: 'ABCDEF' } },
      revoke: { body: { ...one, reason: '试试看' } },
    }
  }),
]
