import { useQuery, useQueryClient } from '@tanstack/react-query'
import { storesApi } from '@zhuguan/contract/features/companies/companies.api.ts'
import { dataScope, type DataScope } from '@zhuguan/contract/features/roles/roles.record.ts'
import { accountsApi } from '@zhuguan/contract/features/users/accounts.api.ts'
import type { AccountRow } from '@zhuguan/contract/features/users/accounts.record.ts'
import { principalPost } from '@zhuguan/contract/features/users/users.record.ts'
import { Drawer, Input, Select } from 'antd'
import { useEffect, useState } from 'react'

import { call } from '../../kit/api.ts'
import { AskDrawer, Field } from '../../kit/AskDrawer.tsx'
import { Failed } from '../../kit/list/ListPage.tsx'
import { message } from '../../kit/notices.ts'
import { full } from '../../kit/time.ts'
import { useBranches } from '../../parts/places.tsx'

interface Props {
  user: AccountRow | null
  roles: { id: string; name: string; dataScope: DataScope; why: string | null }[]
  onClose: () => void
  onDone: () => void
  onPassword: (told: { userName: string; password: string }) => void
}
const EMPTY = {
  userName: '',
  nickname: '',
  phone: '',
  bc_id: '',
  branches: [] as string[],
  stores: [] as string[],
  post: null as 1 | 2 | null,
  roles: [] as string[],
}

/** Comes when the first drawer is opened. */
export default function UserDrawers({ kind, ...p }: Props & { kind: 'edit' | 'sessions' }) {
  return kind === 'edit' ? (
    <UserDrawer {...p} />
  ) : (
    <SessionsDrawer user={p.user!} onClose={p.onClose} onDone={p.onDone} />
  )
}

function UserDrawer({ user, roles, onPassword, ...p }: Props) {
  const branches = useBranches()
  const [f, setF] = useState(EMPTY)
  const [version, setVersion] = useState(user?.version ?? 0)
  const set = (change: Partial<typeof EMPTY>) => setF((old) => ({ ...old, ...change }))
  useEffect(() => {
    if (user)
      void call(accountsApi.details, { query: { id: user.id } }).then(
        (d) => {
          setVersion(d.version)
          setF({
            userName: d.userName,
            nickname: d.nickname,
            phone: d.phone,
            bc_id: d.bc_id ?? '',
            branches: d.branches.map((b) => b.bc_id),
            stores: d.stores.map((s) => s.id),
            post: d.post,
            roles: d.roles.map((r) => r.id),
          })
        },
        (error: Error) => message.error(error.message),
      )
  }, [user])
  const own = [f.bc_id, ...f.branches].filter(Boolean)
  const stores =
    useQuery({
      queryKey: [storesApi.list.path, own.join()],
      enabled: own.length > 0,
      queryFn: ({ signal }) => call(storesApi.list, { query: { bc_id: own, pageSize: 100 } }, signal),
    }).data?.list ?? []
  const places = branches.map((b) => ({ value: b.bc_id, label: b.bc_name }))
  const body = {
    ...f,
    bc_id: f.bc_id || undefined,
    post: f.post ?? undefined,
    stores: f.stores.filter((s) => stores.some((k) => k.id === s) || !stores.length),
  }
  async function send() {
    if (user) await call(accountsApi.edit, { body: { ...body, id: user.id, version } })
    else onPassword({ userName: f.userName, password: (await call(accountsApi.add, { body })).password })
  }
  const wide = { width: '100%' }
  return (
    <AskDrawer
      {...p}
      title={user ? `编辑 ${user.nickname}` : '新增用户'}
      done={user ? '已保存，对方下一次点击时生效' : '已新增'}
      ready={!!f.userName && !!f.nickname && f.roles.length > 0}
      send={send}
    >
      {(errors) => (
        <>
          <Field label="账号" error={errors.userName}>
            <Input
              value={f.userName}
              maxLength={32}
              autoComplete="off"
              placeholder="字母开头，登录时使用"
              onChange={(e) => set({ userName: e.target.value })}
            />
          </Field>
          <Field label="昵称" error={errors.nickname}>
            <Input value={f.nickname} maxLength={20} onChange={(e) => set({ nickname: e.target.value })} />
          </Field>
          <Field label="电话" error={errors.phone}>
            <Input
              value={f.phone}
              maxLength={11}
              inputMode="numeric"
              onChange={(e) => set({ phone: e.target.value })}
            />
          </Field>
          <Field label="角色（决定看到哪些页面、能做什么）" error={errors.roles}>
            <Select
              mode="multiple"
              style={wide}
              aria-label="角色"
              value={f.roles}
              onChange={(v) => set({ roles: v })}
              showSearch={{ optionFilterProp: 'label' }}
              options={roles.map((r) => ({
                value: r.id,
                label: r.name,
                disabled: !!r.why,
                title: r.why ?? dataScope.label(r.dataScope),
              }))}
            />
          </Field>
          <Field label="分公司" error={errors.bc_id}>
            <Select
              allowClear
              style={wide}
              aria-label="分公司"
              placeholder="不选表示集团"
              value={f.bc_id || undefined}
              options={places}
              onChange={(v?: string) => set({ bc_id: v ?? '', branches: f.branches.filter((b) => b !== v) })}
            />
          </Field>
          {places.length > 1 && (
            <Field label="兼管分公司" error={errors.branches}>
              <Select
                mode="multiple"
                style={wide}
                aria-label="兼管分公司"
                value={f.branches}
                options={places.filter((b) => b.value !== f.bc_id)}
                onChange={(v) => set({ branches: v })}
              />
            </Field>
          )}
          <Field label="门店" error={errors.stores}>
            <Select
              mode="multiple"
              style={wide}
              aria-label="门店"
              disabled={own.length === 0}
              placeholder={own.length ? '' : '先选分公司'}
              value={f.stores}
              options={stores.map((s) => ({ value: s.id, label: s.name }))}
              onChange={(v) => set({ stores: v })}
            />
          </Field>
          <Field label="岗位（可以当工地的管家或经理）" error={errors.post}>
            <Select
              allowClear
              style={wide}
              aria-label="岗位"
              value={f.post ?? undefined}
              options={principalPost.options}
              onChange={(v?: 1 | 2) => set({ post: v ?? null })}
            />
          </Field>
        </>
      )}
    </AskDrawer>
  )
}

/** Where somebody is signed in, each with a way to end it. */
function SessionsDrawer({
  user,
  onClose,
  onDone,
}: {
  user: AccountRow
  onClose: () => void
  onDone: () => void
}) {
  const client = useQueryClient()
  const key = [accountsApi.details.path, user.id]
  const { data, error, refetch } = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => call(accountsApi.details, { query: { id: user.id } }, signal),
  })
  const end = (session: string) =>
    void call(accountsApi.endSessions, { body: { id: user.id, key: session } }).then(
      () => {
        message.success('已退出这个登录')
        onDone()
        return client.invalidateQueries({ queryKey: key })
      },
      (e: Error) => message.error(e.message),
    )
  return (
    <Drawer open title={`${user.nickname} 的登录情况`} size="min(560px, 100vw)" onClose={onClose}>
      {error ? (
        <Failed error={error} again={() => void refetch()} />
      ) : (
        <>
          <dl className="facts">
            <div>
              <dt>最近登录</dt>
              <dd>{full(user.lastLogin)}</dd>
            </div>
            <div>
              <dt>动态验证码</dt>
              <dd>{user.totp ? '已开启' : '未开启'}</dd>
            </div>
            <div>
              <dt>初始密码</dt>
              <dd>{user.mustChange ? '还没有修改' : '已修改'}</dd>
            </div>
            <div>
              <dt>兼管分公司</dt>
              <dd>{data?.branches.map((b) => b.bc_name).join('、') || '--'}</dd>
            </div>
          </dl>
          <h3>在线的登录</h3>
          {data?.openSessions.length === 0 && <p className="quiet">现在没有在线的登录。</p>}
          <ol className="log">
            {data?.openSessions.map((s) => (
              <li key={s.key}>
                <b>{s.ip}</b>
                {s.current && <small> · 当前登录</small>}{' '}
                <small>
                  {full(s.openedAt)} 登录，{full(s.expiresAt)} 到期
                </small>
                <p className="quiet">{s.agent}</p>
                {!user.why && (
                  <button className="text-button" onClick={() => end(s.key)}>
                    退出这个登录
                  </button>
                )}
              </li>
            ))}
          </ol>
        </>
      )}
    </Drawer>
  )
}
