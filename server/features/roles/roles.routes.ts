import { rolesApi } from '@zhuguan/contract/features/roles/roles.api.ts'

import { found } from '../../kit/refuse.ts'
import { serve } from '../../kit/serve.ts'
import { pageJson } from '../../kit/statement.ts'
import { roleDetail, rolePage } from './roles.queries.ts'
import { overReach, roleGrants } from './roles.reads.ts'
import { addRole, deleteRole, editRole } from './roles.service.ts'

export const rolesFeature = serve(rolesApi, {
  list: ({ query }, call) => call.read((tx) => pageJson(tx, rolePage(call.user, query))),
  details: ({ query }, call) => call.read(async (tx) => found(await roleDetail(tx, call.user, query.id))),
  add: ({ body }, call) => call.write((tx) => addRole(tx, call, body)),
  edit: ({ body }, call) => call.write((tx) => editRole(tx, call, body)),
  del: ({ body }, call) => call.write((tx) => deleteRole(tx, call, body.id, body.version)),
  pick: (_input, call) =>
    call.read(async (tx) =>
      [...(await roleGrants(tx, call.user.tenant)).values()]
        .sort((a, b) => a.code.localeCompare(b.code))
        .map((r) => ({
          id: r.id,
          code: r.code,
          name: r.name,
          dataScope: r.dataScope,
          why: overReach(call.user, [r]) ?? null,
        })),
    ),
})
