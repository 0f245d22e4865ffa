import { useQuery, useQueryClient } from '@tanstack/react-query'
import { storesApi } from '@zhuguan/contract/features/companies/companies.api.ts'
import { dataScope, type DataScope } from '@zhuguan/contract/features/roles/roles.record.ts'
import { accountsApi } from '@zhuguan/contract/features/users/accounts.api.ts'
import type { AccountRow } from '@zhuguan/contract/features/users/accounts.record.ts'
import { principalPost } from '@zhuguan/contract/features/users/users.record.ts'
import { Drawer } from 'antd'
import { useEffect, useState } from 'react'

import { call } from '../../kit/api.ts'
import { Fact, Facts } from '../../kit/Facts.tsx'
import { CodeField, ManyField, TextField } from '../../kit/form/fields.tsx'
import { type DrawerProps, FormDrawer } from '../../kit/form/FormDrawer.tsx'
import { useForm } from '../../kit/form/useForm.ts'
import { Failed } from '../../kit/list/ListPage.tsx'
import { message } from '../../kit/notices.ts'
import { full } from '../../kit/time.ts'
import { BranchField } from '../../parts/pickFields.tsx'
import { useBranches } from '../../parts/places.tsx'
import { NOBODY, Successors, useLeaving } from './Successors.tsx'

interface Role {
  id: string
  name: string
  dataScope: DataScope
  why: string | null
}
interface Props extends DrawerProps {
  user: AccountRow | null
  roles: readonly Role[]
  onPassword: (told: { userName: string; password: string }) => void
}
const NEW = {
  userName: '',
  nickname: '',
  phone: '',
  bc_id: null,
  branches: [],
  stores: [],
  post: null,
  roles: [],
}
/** What was taken away of these: with it goes what was to be done by it. */
const isLess = (before: readonly string[], now: readonly (string | null)[] | null | undefined) =>
  before.some((one) => !now?.includes(one))
interface Facts {
  bc_id?: string | null
  post?: number | null
  branches?: readonly string[] | null
  roles?: readonly string[] | null
  stores?: readonly string[] | null
}
const takesAway = (was: Facts, now: Facts): boolean =>
  isLess(was.roles ?? [], now.roles) ||
  isLess(was.stores ?? [], now.stores) ||
  isLess(was.branches ?? [], [...(now.branches ?? []), now.bc_id ?? null]) ||
  (!!was.bc_id && was.bc_id !== now.bc_id) ||
  (!!was.post && was.post !== now.post)
const factsNow = async (of: string) => {
  const account = await call(accountsApi.details, { query: { id: of } })
  const { id, version, userName, nickname, phone, bc_id, post } = account
  return {
    id,
    version,
    userName,
    nickname,
    phone,
    bc_id,
    post,
    branches: account.branches.map((b) => b.bc_id),
    stores: account.stores.map((s) => s.id),
    roles: account.roles.map((r) => r.id),
    ...NOBODY,
  }
}

/** Loaded with the first drawer that is opened. */
export default function UserDrawers({ kind, ...p }: Props & { kind: 'edit' | 'sessions' }) {
  return kind === 'edit' ? (
    <UserDrawer {...p} />
  ) : (
    <SessionsDrawer user={p.user!} onClose={p.onClose} onDone={p.onDone} />
  )
}

function UserDrawer({ user, roles, onPassword, onDone, ...p }: Props) {
  const branches = useBranches()
  const [was, setWas] = useState<Facts>({})
  const form = useForm(
    user ? accountsApi.edit : accountsApi.add,
    user ? null : NEW,
    user
      ? {
          latest: async () => {
            const facts = await factsNow(user.id)
            setWas(facts)
            return facts
          },
          need: ['roles'],
        }
      : { need: ['roles'] },
  )
  const { bc_id, branches: others = [], stores: chosen = [] } = form.values
  const own = [bc_id, ...(others ?? [])].filter((id) => !!id) as string[]
  const { data: stores } = useQuery({
    queryKey: [storesApi.list.path, own.join()],
    enabled: own.length > 0,
    queryFn: ({ signal }) => call(storesApi.list, { query: { bc_id: own, pageSize: 100 } }, signal),
  })
  // A store goes with its branch, and nobody is in charge of their own branch twice.
  useEffect(() => {
    const left = chosen?.filter((id) => stores?.list.some((s) => s.id === id)) ?? []
    if (stores && left.length !== chosen?.length) form.set({ stores: left })
  }, [stores])
  useEffect(() => {
    if (bc_id && others?.includes(bc_id)) form.set({ branches: others.filter((id) => id !== bc_id) })
  }, [bc_id])
  const loses = user !== null && !form.waiting && takesAway(was, form.values)
  const { data: leaving } = useLeaving(loses ? user.id : undefined)
  const elsewhere = branches.filter((b) => b.bc_id !== bc_id)
  return (
    <FormDrawer
      {...p}
      form={form}
      title={user ? `编辑 ${user.nickname}` : '新增用户'}
      done={() => ({
        text: user ? `${user.nickname} 已保存，对方下一次点击时生效` : `已新增 ${form.values.nickname}`,
      })}
      onDone={(made) => {
        if (made) onPassword({ userName: form.values.userName ?? '', password: made.password })
        onDone()
      }}
    >
      <div className="pair">
        <TextField of={form} name="userName" hint="字母开头，登录时使用" />
        <TextField of={form} name="nickname" />
      </div>
      <TextField of={form} name="phone" inputMode="numeric" />
      <ManyField
        of={form}
        name="roles"
        hint="决定看到哪些页面、能做什么"
        options={roles.map((r) => ({
          value: r.id,
          label: r.name,
          disabled: !!r.why,
          title: r.why ?? dataScope.label(r.dataScope),
        }))}
      />
      <BranchField clear of={form} name="bc_id" placeholder="不选表示集团" />
      {elsewhere.length > 0 && branches.length > 1 && (
        <ManyField
          of={form}
          name="branches"
          options={elsewhere.map((b) => ({ value: b.bc_id, label: b.bc_name }))}
        />
      )}
      <ManyField
        of={form}
        name="stores"
        disabled={own.length === 0}
        placeholder={own.length ? undefined : '先选分公司'}
        options={stores?.list.map((s) => ({ value: s.id, label: s.name })) ?? []}
      />
      <CodeField clear of={form} name="post" codes={principalPost} hint="有岗位的人可以当工地的管家或经理" />
      {loses && leaving && <Successors of={form} leaving={leaving} asked="改了以后做不了的工作交给谁" />}
    </FormDrawer>
  )
}

/** Where somebody is signed in, each with a way to end it. */
function SessionsDrawer({ user, onClose, onDone }: DrawerProps & { user: AccountRow }) {
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
          <Facts>
            <Fact name="最近登录">{full(user.lastLogin)}</Fact>
            <Fact name="动态验证码">{user.totp ? '已开启' : '未开启'}</Fact>
            <Fact name="初始密码">{user.mustChange ? '还没有修改' : '已修改'}</Fact>
            <Fact name="兼管分公司">{data?.branches.map((b) => b.bc_name).join('、')}</Fact>
          </Facts>
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
