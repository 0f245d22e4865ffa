import { pagesApi } from '@zhuguan/contract/features/pages/pages.api.ts'
import { subsystem } from '@zhuguan/contract/features/session/session.record.ts'

import { bool, int4, json, row, text, uuid } from '../../kit/row.ts'
import { serve } from '../../kit/serve.ts'
import { addPage, changePower, deletePage, editPage, powersOff, sortPages } from './pages.service.ts'

export const pagesFeature = serve(pagesApi, {
  list: ({ query }, call) =>
    call.read(async (tx) =>
      (
        await tx.query(
          'pages.list',
          row({
            id: uuid,
            parent_id: uuid.null,
            system: text.of(subsystem),
            path: text,
            name: text,
            icon: text,
            visible: bool,
            keepAlive: bool,
            memoryRouter: bool,
            alwaysShow: bool,
            componentName: text,
            component: text,
            sort: int4,
            version: int4,
            powers: json<{ label: string; name: string }[]>(),
            roles: int4,
          }),
          `SELECT p.id, p.parent_id, p.system, p.path, p.name, p.icon, p.visible, p.keep_alive AS "keepAlive", p.memory_router AS "memoryRouter", p.always_show AS "alwaysShow", p.component_name AS "componentName", p.component, p.sort, p.version,
            coalesce((SELECT json_agg(json_build_object('label', w.label, 'name', w.name) ORDER BY w.label) FROM page_powers w WHERE w.tenant_id = p.tenant_id AND w.page_id = p.id), '[]'::json) AS powers,
            (SELECT count(*)::int FROM role_pages rp WHERE rp.tenant_id = p.tenant_id AND rp.page_id = p.id) AS roles
           FROM pages p WHERE p.tenant_id = $1 AND ($2::text IS NULL OR p.system = $2) ORDER BY p.system DESC, p.sort, p.id`,
          [call.user.tenant, query.system ?? null],
        )
      ).rows.map((row) => ({ ...row, off: powersOff(row) })),
    ),
  add: ({ body }, call) => call.write((tx) => addPage(tx, call, body)),
  edit: ({ body }, call) => call.write((tx) => editPage(tx, call, body)),
  del: ({ body }, call) => call.write((tx) => deletePage(tx, call, body.id, body.version)),
  sort: ({ body }, call) => call.write((tx) => sortPages(tx, call, body.parent_id, body.ids)),
  addPower: ({ body }, call) => call.write((tx) => changePower(tx, call, 'add', body)),
  editPower: ({ body }, call) => call.write((tx) => changePower(tx, call, 'edit', body)),
  delPower: ({ body }, call) => call.write((tx) => changePower(tx, call, 'del', body)),
})
