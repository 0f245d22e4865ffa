import { useQuery, useQueryClient } from '@tanstack/react-query'
import { sessionApi } from '@zhuguan/contract/features/session/session.api.ts'
import { Input, QRCode } from 'antd'
import { useState } from 'react'

import { call } from '../../kit/api.ts'
import { AskDrawer, Field } from '../../kit/AskDrawer.tsx'

/** A second proof at sign-in: a code from the telephone. Turned on by scanning and one code, turned off by one code. */
export default function TotpDrawer({ onClose }: { onClose: () => void }) {
  const client = useQueryClient()
  const key = [sessionApi.userdata.path]
  const on = useQuery({ queryKey: key, queryFn: ({ signal }) => call(sessionApi.userdata, {}, signal) }).data
    ?.totp
  const begun = useQuery({
    queryKey: [sessionApi.totpBegin.path],
    enabled: on === false,
    gcTime: 0,
    staleTime: Infinity,
    queryFn: ({ signal }) => call(sessionApi.totpBegin, {}, signal),
  }).data
  const [code, setCode] = useState('')
  const ready = /^\d{6}$/.test(code) && (on === true || !!begun)
  const send = () =>
    on
      ? call(sessionApi.totpOff, { body: { code } })
      : call(sessionApi.totpConfirm, { body: { ticket: begun!.ticket, code } })
  return (
    <AskDrawer
      title="动态验证码"
      done={on ? '已关闭动态验证码' : '已开启，下次登录时要输入动态验证码'}
      ready={ready}
      send={send}
      onClose={onClose}
      onDone={() => void client.invalidateQueries({ queryKey: key })}
    >
      {(errors) =>
        on === undefined ? (
          <p className="quiet">正在读取…</p>
        ) : (
          <>
            {on ? (
              <p>已开启。登录时除了密码，还要输入手机验证器上的 6 位数字。要关闭，请输入现在的数字。</p>
            ) : (
              <>
                <p>开启后，登录时除了密码还要输入手机上的 6 位数字；别人知道了密码也进不来。</p>
                <p>1. 在手机上装一个验证器（任何支持 TOTP 的都可以），扫描二维码：</p>
                {begun && (
                  <>
                    <QRCode value={begun.uri} type="svg" size={180} />
                    <p className="quiet">
                      扫不了码时手工输入：<code style={{ overflowWrap: 'anywhere' }}>{begun.secret}</code>
                    </p>
                  </>
                )}
                <p>2. 输入手机上显示的数字：</p>
              </>
            )}
            <Field label="动态验证码" error={errors.code ?? errors.ticket}>
              <Input
                value={code}
                autoFocus
                inputMode="numeric"
                maxLength={6}
                autoComplete="one-time-code"
                onChange={(e) => setCode(e.target.value.trim())}
              />
            </Field>
            <p className="quiet">手机丢了请找系统管理员重置密码，动态验证码会一起关闭。</p>
          </>
        )
      }
    </AskDrawer>
  )
}
