import { rolesApi } from '@zhuguan/contract/features/roles/roles.api.ts'
import { dataScope, type RoleRow, roleStatus } from '@zhuguan/contract/features/roles/roles.record.ts'
import { hasPermission } from '@zhuguan/contract/kit/permits.ts'
import { useState } from 'react'

import { rowsBy } from '../../kit/ahead.ts'
import { call } from '../../kit/api.ts'
import { lazyPart } from '../../kit/lazyPart.tsx'
import { LinkTo } from '../../kit/LinkTo.tsx'
import { CodeFilter, KeywordFilter } from '../../kit/list/filters.tsx'
import { type ColumnOf, ListPage } from '../../kit/list/ListPage.tsx'
import { useList } from '../../kit/list/useList.ts'
import { State } from '../../kit/State.tsx'
import { Granted, useGranted } from '../../parts/granted.tsx'
import { useActor } from '../../parts/session.ts'
import { useLogLink } from '../../parts/useLogLink.ts'

const RoleDrawer = lazyPart(() => import('./RoleDrawer.tsx'))
const columns: ColumnOf<typeof rolesApi.list>[] = [
  { key: 'name', title: '角色', fixed: true, sort: 'name', render: (r) => r.name },
  { key: 'code', title: '编码', sort: 'code', render: (r) => r.code },
  { key: 'scope', title: '数据范围', render: (r) => dataScope.label(r.dataScope) },
  {
    key: 'users',
    title: '用户数',
    right: true,
    sort: 'users',
    render: (r) =>
      r.users ? (
        <LinkTo page="UserList" query={{ role_id: r.id }}>
          {r.users}
        </LinkTo>
      ) : (
        0
      ),
  },
  { key: 'pages', title: '页面', right: true, render: (r) => r.pages },
  { key: 'powers', title: '操作权限', right: true, render: (r) => r.powers },
  { key: 'remark', title: '备注', render: (r) => r.remark || '--' },
  {
    key: 'status',
    title: '状态',
    render: (r) => <State tone={r.status === 1 ? 'ok' : 'grey'}>{roleStatus.label(r.status)}</State>,
  },
]
const OWN = '不能修改自己所属的角色，请由其他管理员操作'

/** Fetched when a link to the list is pressed. */
export const ahead = rowsBy(rolesApi.list)

export default function RoleListPage() {
  const list = useList(rolesApi.list)
  const actor = useActor()
  const granted = useGranted()
  const logLink = useLogLink()
  const [open, setOpen] = useState<{ role: RoleRow | null; copy?: boolean } | null>(null)
  const refresh = () => void list.refresh()
  const may = (label: string) => hasPermission(actor, label)
  return (
    <>
      <ListPage
        name="角色"
        list={list}
        columns={columns}
        onOpen={(role) => setOpen({ role })}
        empty="还没有角色。"
        filters={
          <>
            <KeywordFilter list={list} placeholder="角色、编码、备注" />
            <CodeFilter list={list} field="dataScope" label="数据范围" options={dataScope.options} />
            <CodeFilter single list={list} field="status" label="状态" options={roleStatus.options} />
          </>
        }
        actions={
          <Granted needs="role:add">
            <button className="button primary" onClick={() => setOpen({ role: null })}>
              新增
            </button>
          </Granted>
        }
        actionsOf={(r) =>
          granted([
            {
              needs: 'role:edit',
              key: 'edit',
              label: '授权',
              why: r.own ? OWN : undefined,
              open: () => setOpen({ role: r }),
            },
            { needs: 'role:add', key: 'copy', label: '复制', open: () => setOpen({ role: r, copy: true }) },
            {
              needs: 'role:delete',
              key: 'delete',
              label: '删除',
              danger: true,
              why: r.own ? OWN : undefined,
              confirm: `确定删除角色 ${r.name} 吗？`,
              run: () => call(rolesApi.del, { body: { id: r.id, version: r.version } }),
            },
            ...logLink('role', r.id),
          ])
        }
      />
      {open && (
        <RoleDrawer
          {...open}
          may={may(open.role && !open.copy ? 'role:edit' : 'role:add') && !(open.role?.own && !open.copy)}
          onClose={() => setOpen(null)}
          onDone={refresh}
        />
      )}
    </>
  )
}
