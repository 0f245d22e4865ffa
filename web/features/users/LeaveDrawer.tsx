import { accountsApi } from '@zhuguan/contract/features/users/accounts.api.ts'
import type { AccountRow } from '@zhuguan/contract/features/users/accounts.record.ts'
import { userStatus } from '@zhuguan/contract/features/users/users.record.ts'
import type { ReactNode } from 'react'

import { ReasonField } from '../../kit/form/fields.tsx'
import { type DrawerProps, FormDrawer } from '../../kit/form/FormDrawer.tsx'
import { useForm } from '../../kit/form/useForm.ts'
import { LeavingWait, NOBODY, Successors, useLeaving } from './Successors.tsx'

type Props = DrawerProps & { user: AccountRow }

/** An account ends: what is open of its person goes to somebody in the same step. */
export default function LeaveDrawer({ kind, ...p }: Props & { kind: 'stop' | 'delete' }) {
  return kind === 'stop' ? <StopDrawer {...p} /> : <DeleteDrawer {...p} />
}

function StopDrawer({ user, ...p }: Props) {
  const { id, nickname, version } = user
  const { data, error, refetch } = useLeaving(id)
  const form = useForm(accountsApi.state, { id, version, status: userStatus.code.disabled, ...NOBODY })
  return (
    <FormDrawer
      {...p}
      narrow
      danger
      form={form}
      may={!!data}
      title={`停用 ${nickname}`}
      ok="停用"
      done={`${nickname} 已停用，不能再登录`}
    >
      <p>停用后 {nickname} 立即退出，不能再登录；做过的事仍然署名。</p>
      {data ? (
        <Told nothing={data.work.length + data.alone.length + data.besides.length === 0}>
          <Successors of={form} leaving={data} asked="未结的工作交给谁" />
        </Told>
      ) : (
        <LeavingWait error={error} again={() => void refetch()} />
      )}
    </FormDrawer>
  )
}

function DeleteDrawer({ user, ...p }: Props) {
  const { id, nickname, userName, version } = user
  const { data, error, refetch } = useLeaving(id)
  const form = useForm(accountsApi.del, { id, version, reason: '', ...NOBODY })
  return (
    <FormDrawer
      {...p}
      narrow
      danger
      form={form}
      may={!!data}
      title={`删除 ${nickname}（${userName}）`}
      ok="删除"
      done={`${nickname} 已删除`}
    >
      <ReasonField of={form} name="reason" example="已经离职" />
      {data ? (
        <Told nothing={data.work.length + data.alone.length + data.besides.length === 0}>
          <Successors of={form} leaving={data} asked="未结的工作交给谁" />
        </Told>
      ) : (
        <LeavingWait error={error} again={() => void refetch()} />
      )}
    </FormDrawer>
  )
}

const Told = ({ nothing, children }: { nothing: boolean; children: ReactNode }) =>
  nothing ? <p className="quiet">没有未结的工作，不用交接。</p> : children
