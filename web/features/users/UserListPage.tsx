import { useQuery } from '@tanstack/react-query'
import { rolesApi } from '@zhuguan/contract/features/roles/roles.api.ts'
import { accountsApi } from '@zhuguan/contract/features/users/accounts.api.ts'
import { accountColumns } from '@zhuguan/contract/features/users/accounts.columns.ts'
import type { AccountRow } from '@zhuguan/contract/features/users/accounts.record.ts'
import { principalPost, userStatus } from '@zhuguan/contract/features/users/users.record.ts'
import { hasAnyPermission, hasPermission } from '@zhuguan/contract/kit/permits.ts'
import { useState } from 'react'

import { rowsBy } from '../../kit/ahead.ts'
import { call } from '../../kit/api.ts'
import { lazyPart } from '../../kit/lazyPart.tsx'
import { columnsOf } from '../../kit/list/columnsOf.tsx'
import { CodeFilter, KeywordFilter } from '../../kit/list/filters.tsx'
import { ListPage } from '../../kit/list/ListPage.tsx'
import { useList } from '../../kit/list/useList.ts'
import { type RowAction } from '../../kit/RowActions.tsx'
import { State } from '../../kit/State.tsx'
import { ago, full } from '../../kit/time.ts'
import { Granted, useGranted } from '../../parts/granted.tsx'
import { ListExport, ListImport } from '../../parts/listButtons.tsx'
import { BranchFilter } from '../../parts/places.tsx'
import { useActor } from '../../parts/session.ts'
import { useLogLink } from '../../parts/useLogLink.ts'

const load = () => import('@zhuguan/contract/features/users/accounts.import.ts').then((m) => m.accountsImport)

const UserDrawers = lazyPart(() => import('./UserDrawers.tsx'))
const AwayDrawer = lazyPart(() => import('../../parts/AwayDrawer.tsx'))
const LeaveDrawer = lazyPart(() => import('./LeaveDrawer.tsx'))
const FirstPassword = lazyPart(() => import('./FirstPassword.tsx'))
const DISABLED = 2
const columns = columnsOf<typeof accountsApi.list>()(accountColumns, {
  bc: (u) => u.bc_name || '全集团',
  roles: (u) => u.roles.map((r) => r.name).join('、') || <State tone="bad">没有角色</State>,
  status: (u) => (
    <>
      <State tone={u.status === userStatus.code.active ? 'ok' : 'grey'}>{userStatus.label(u.status)}</State>
      {u.away && <small> {u.away}</small>}
      {u.mustChange && <small> 未改初始密码</small>}
    </>
  ),
  last: (u) => (
    <span title={full(u.lastLogin)}>
      {u.lastLogin ? ago(u.lastLogin) : '从未登录'}
      {u.sessions > 0 && <small> · 在线 {u.sessions}</small>}
    </span>
  ),
})

/** Fetched when a link to the list is pressed. */
export const ahead = rowsBy(accountsApi.list)

export default function UserListPage() {
  const list = useList(accountsApi.list)
  const actor = useActor()
  const granted = useGranted()
  const logLink = useLogLink()
  const [open, setOpen] = useState<{ kind: 'edit' | 'sessions'; user: AccountRow | null } | null>(null)
  const [away, setAway] = useState<AccountRow | null>(null)
  const [leave, setLeave] = useState<{ kind: 'stop' | 'delete'; user: AccountRow } | null>(null)
  const [told, setTold] = useState<{ userName: string; password: string } | null>(null)
  const roles =
    useQuery({ queryKey: [rolesApi.pick.path], queryFn: ({ signal }) => call(rolesApi.pick, {}, signal) })
      .data ?? []
  const refresh = () => void list.refresh()
  const may = (label: string) => hasPermission(actor, label)
  const actionsOf = (u: AccountRow): RowAction[] => {
    const why = u.why ?? undefined
    const one = { id: u.id, version: u.version }
    return granted([
      { needs: 'user:edit', key: 'edit', label: '编辑', why, open: () => setOpen({ kind: 'edit', user: u }) },
      {
        needs: 'user:password',
        key: 'password',
        label: '重置密码',
        why,
        confirm: `重置后 ${u.nickname} 的所有登录都会退出，动态验证码也会关闭；新密码只显示一次。确定重置吗？`,
        run: () =>
          call(accountsApi.resetPassword, { body: one }).then(({ password }) =>
            setTold({ userName: u.userName, password }),
          ),
      },
      { needs: 'user:edit', key: 'away', label: '不在', why, open: () => setAway(u) },
      {
        needs: 'user:state',
        key: 'state',
        label: u.status === DISABLED ? '启用' : '停用',
        why,
        ...(u.status === DISABLED
          ? {
              confirm: `确定启用 ${u.nickname} 吗？`,
              run: () => call(accountsApi.state, { body: { ...one, status: userStatus.code.active } }),
            }
          : { open: () => setLeave({ kind: 'stop', user: u }) }),
      },
      ...(hasAnyPermission(actor, ['user:session', 'user:edit'])
        ? [{ key: 'sessions', label: '登录情况', open: () => setOpen({ kind: 'sessions', user: u }) }]
        : []),
      {
        needs: 'user:session',
        key: 'out',
        label: '强制下线',
        why: why ?? (u.sessions ? undefined : '没有在线的登录'),
        confirm: `确定让 ${u.nickname} 的 ${u.sessions} 个登录全部退出吗？`,
        run: () => call(accountsApi.endSessions, { body: { id: u.id } }),
      },
      {
        needs: 'user:delete',
        key: 'delete',
        label: '删除',
        danger: true,
        why,
        open: () => setLeave({ kind: 'delete', user: u }),
      },
      ...logLink('user', u.id),
    ])
  }
  return (
    <>
      <ListPage
        name="用户"
        list={list}
        columns={columns}
        {...(may('user:edit')
          ? { onOpen: (u: AccountRow) => setOpen({ kind: u.why ? 'sessions' : 'edit', user: u }) }
          : {})}
        empty="还没有用户。"
        filters={
          <>
            <KeywordFilter list={list} placeholder="账号、昵称" />
            <BranchFilter list={list} />
            <CodeFilter
              list={list}
              field="role_id"
              label="角色"
              options={roles.map((r) => ({ value: r.id, label: r.name }))}
            />
            <CodeFilter list={list} field="post" label="岗位" options={principalPost.options} />
            <CodeFilter single list={list} field="status" label="状态" options={userStatus.options} />
          </>
        }
        actions={
          <>
            <ListExport list={list} endpoint={accountsApi.export} name="用户" />
            <ListImport list={list} needs="user:import" load={load} label="导入" />
            <Granted needs="user:add">
              <button className="button primary" onClick={() => setOpen({ kind: 'edit', user: null })}>
                新增
              </button>
            </Granted>
          </>
        }
        actionsOf={actionsOf}
      />
      {open && (
        <UserDrawers
          {...open}
          roles={roles}
          onClose={() => setOpen(null)}
          onDone={refresh}
          onPassword={setTold}
        />
      )}
      {away && <AwayDrawer of={away} onClose={() => setAway(null)} onDone={refresh} />}
      {leave && <LeaveDrawer {...leave} onClose={() => setLeave(null)} onDone={refresh} />}
      {told && <FirstPassword {...told} onClose={() => setTold(null)} />}
    </>
  )
}
