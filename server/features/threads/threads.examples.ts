import { threadsApi } from '@zhuguan/contract/features/threads/threads.api.ts'

import { examplesOf } from '../../testing/example.ts'

export const threadsExamples = examplesOf(threadsApi, (r) => {
  const query = { site_id: r.site }
  const said = { site_id: r.site, words: '试试看' }
  return {
    list: { query },
    details: { query },
    export: { query },
    print: { query: { site_id: r.site } },
    say: { body: { ...said, after: 1, pictures: [r.upload] } },
    hear: { body: { ...said, contact_id: r.contact, channel: 'phone' } },
    takeBack: { body: { id: r.message } },
    silence: { body: { site_id: r.site, after: 1, reason: '试试看' } },
    become: { body: { id: r.message, kind: 'reception', record_id: r.reception } },
    writing: { body: query },
    saveTemplates: { body: { bc_id: r.bc_id, version: 0, texts: ['已收到，马上安排'] } },
  }
})
