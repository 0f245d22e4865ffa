import { useQueryClient } from '@tanstack/react-query'
import { sessionApi } from '@zhuguan/contract/features/session/session.api.ts'
import {
  PASSWORD_DEBOUNCE_MS,
  PASSWORD_RULE,
  PASSWORD_TEXT,
} from '@zhuguan/contract/features/session/session.record.ts'
import { Button, Drawer, Input } from 'antd'
import { useEffect, useState } from 'react'

import { ApiError, call } from '../../kit/api.ts'
import { useLeaving } from '../../kit/form/useLeaving.tsx'
import { message } from '../../kit/notices.ts'
import { loadSession, logOut, useSession } from '../../parts/session.ts'

import '../../kit/form/form.css'

declare global {
  interface Window {
    zhuguanHash(text: string): Promise<string>
  }
}
type Field = 'oldPassword' | 'newPassword' | 'again'
const LABELS: Record<Field, string> = { oldPassword: '原密码', newPassword: '新密码', again: '确认新密码' }
const MISMATCH = '确认密码与原密码不一致！'

/** Checked a second after typing stops; confirm waits until all three are right (docs/product.md). */
export default function PasswordDrawer({ onClose }: { onClose: () => void }) {
  const { info } = useSession()
  const first = info.user.mustChange
  const client = useQueryClient()
  const [values, setValues] = useState<Record<Field, string>>({ oldPassword: '', newPassword: '', again: '' })
  const [wrong, setWrong] = useState<Partial<Record<Field, string>>>({})
  const [busy, setBusy] = useState(false)
  const judge = (v: Record<Field, string>) => {
    const out: Partial<Record<Field, string>> = {}
    for (const f of Object.keys(LABELS) as Field[])
      if (v[f] && !PASSWORD_RULE.test(v[f])) out[f] = PASSWORD_TEXT
    if (v.again && v.again !== v.newPassword) out.again = MISMATCH
    return out
  }
  useEffect(() => {
    const timer = setTimeout(() => setWrong(judge(values)), PASSWORD_DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [values])
  /** A mistake that was put right is forgiven at once; a new one is told after a pause. */
  function type(field: Field, text: string) {
    const next = { ...values, [field]: text }
    const left = judge(next)
    setValues(next)
    setWrong((old) =>
      Object.fromEntries(Object.entries(old).filter(([f]) => f !== field && left[f as Field])),
    )
  }
  const ready = Object.values(values).every(Boolean) && Object.keys(judge(values)).length === 0
  async function confirm() {
    setBusy(true)
    try {
      const [oldPassword, newPassword] = await Promise.all([
        window.zhuguanHash(values.oldPassword),
        window.zhuguanHash(values.newPassword),
      ])
      await call(sessionApi.updatePassword, { body: { user_id: info.user.id, oldPassword, newPassword } })
      message.success('密码已修改，其他设备上的登录已退出')
      if (first) {
        await loadSession()
        // The call that was refused until now is asked anew.
        await client.invalidateQueries()
      }
      onClose()
    } catch (error) {
      if (error instanceof ApiError && Object.keys(error.fields).length) setWrong(error.fields)
      else message.error((error as Error).message)
    } finally {
      setBusy(false)
    }
  }
  const changed = !busy && Object.values(values).some(Boolean)
  const { leave, dialog } = useLeaving(changed, () => (first ? void logOut() : onClose()))
  return (
    <Drawer
      open
      title="修改密码"
      size={400}
      onClose={leave}
      closable={!first}
      keyboard={!first}
      mask={{ closable: !first }}
      footer={
        <div className="drawer-foot">
          <Button onClick={leave}>{first ? '退出登录' : '返回'}</Button>
          <Button type="primary" disabled={!ready} loading={busy} onClick={() => void confirm()}>
            确认
          </Button>
        </div>
      }
    >
      {first && <p>您用的是初始密码，请先改成自己的密码，再开始使用。</p>}
      <p className="quiet lead">{PASSWORD_TEXT}。数字用 1 到 9，不能用 0。</p>
      {(Object.keys(LABELS) as Field[]).map((f) => (
        <label key={f} className="field">
          <span>{LABELS[f]}</span>
          <Input.Password
            value={values[f]}
            autoFocus={f === 'oldPassword'}
            status={wrong[f] ? 'error' : ''}
            autoComplete={f === 'oldPassword' ? 'current-password' : 'new-password'}
            onChange={(e) => type(f, e.target.value)}
          />
          {wrong[f] && <em role="alert">{wrong[f]}</em>}
        </label>
      ))}
      {dialog}
    </Drawer>
  )
}
