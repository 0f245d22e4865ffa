import { pagesApi } from '@zhuguan/contract/features/pages/pages.api.ts'

import { serve } from '../../kit/serve.ts'
import { addPage, changePower, deletePage, editPage, pagesOf, sortPages } from './pages.service.ts'

export const pagesFeature = serve(pagesApi, {
  list: ({ query }, call) => call.read((tx) => pagesOf(tx, call.user.tenant, query.system)),
  add: ({ body }, call) => call.write((tx) => addPage(tx, call, body)),
  edit: ({ body }, call) => call.write((tx) => editPage(tx, call, body)),
  del: ({ body }, call) => call.write((tx) => deletePage(tx, call, body.id, body.version)),
  sort: ({ body }, call) => call.write((tx) => sortPages(tx, call, body.parent_id, body.ids)),
  addPower: ({ body }, call) => call.write((tx) => changePower(tx, call, 'add', body)),
  editPower: ({ body }, call) => call.write((tx) => changePower(tx, call, 'edit', body)),
  delPower: ({ body }, call) => call.write((tx) => changePower(tx, call, 'del', body)),
})
