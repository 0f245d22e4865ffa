import { useQuery, useQueryClient } from '@tanstack/react-query'
import { sessionApi } from '@zhuguan/contract/features/session/session.api.ts'
import { QRCode } from 'antd'
import { useState } from 'react'

import { call } from '../../kit/api.ts'
import { TextField } from '../../kit/form/fields.tsx'
import { type DrawerProps, FormDrawer } from '../../kit/form/FormDrawer.tsx'
import { useForm } from '../../kit/form/useForm.ts'

const LOST = '手机丢了请找系统管理员重置密码，动态验证码会一起关闭。'
const code = { name: 'code', inputMode: 'numeric', autoComplete: 'one-time-code', hint: LOST } as const

/** A second proof at sign-in: a code from the telephone. Turned on by scanning and one code, turned off by one code. */
export default function TotpDrawer({ onClose }: { onClose: () => void }) {
  const client = useQueryClient()
  const key = [sessionApi.userdata.path]
  const { data } = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => call(sessionApi.userdata, {}, signal),
  })
  if (!data) return null
  const outside = { onClose, onDone: () => void client.invalidateQueries({ queryKey: key }) }
  return data.totp ? <OffDrawer {...outside} /> : <OnDrawer {...outside} />
}

function OffDrawer(p: DrawerProps) {
  const form = useForm(sessionApi.totpOff, { code: '' })
  return (
    <FormDrawer {...p} narrow form={form} title="动态验证码" done="已关闭动态验证码">
      <p>已开启。登录时除了密码，还要输入手机验证器上的 6 位数字。要关闭，请输入现在的数字。</p>
      <TextField of={form} {...code} />
    </FormDrawer>
  )
}

function OnDrawer(p: DrawerProps) {
  const [begun, setBegun] = useState<{ secret: string; uri: string } | null>(null)
  const form = useForm(sessionApi.totpConfirm, null, {
    latest: async () => {
      const { ticket, ...shown } = await call(sessionApi.totpBegin, {})
      setBegun(shown)
      return { ticket, code: '' }
    },
  })
  return (
    <FormDrawer {...p} narrow form={form} title="动态验证码" done="已开启，下次登录时要输入动态验证码">
      <p>开启后，登录时除了密码还要输入手机上的 6 位数字；别人知道了密码也进不来。</p>
      <p>1. 在手机上装一个验证器（任何支持 TOTP 的都可以），扫描二维码：</p>
      {begun && (
        <>
          <QRCode value={begun.uri} type="svg" size={180} />
          <p className="quiet">
            扫不了码时手工输入：<code className="anywhere">{begun.secret}</code>
          </p>
        </>
      )}
      <p>2. 输入手机上显示的数字：</p>
      <TextField of={form} {...code} />
    </FormDrawer>
  )
}
