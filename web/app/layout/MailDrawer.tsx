import { useQuery, useQueryClient } from '@tanstack/react-query'
import { messageState } from '@zhuguan/contract/features/channels/channels.record.ts'
import { mailsApi } from '@zhuguan/contract/features/mails/mails.api.ts'
import { mailEvent, type MyMail, noticeWay } from '@zhuguan/contract/features/mails/mails.record.ts'
import { causeKind } from '@zhuguan/contract/features/notifications/notifications.record.ts'
import { SITE_PAGES } from '@zhuguan/contract/features/sites/sites.api.ts'
import type { BodyOf } from '@zhuguan/contract/kit/api.ts'
import { Button, Radio, Select } from 'antd'
import { useState } from 'react'

import { call } from '../../kit/api.ts'
import { TimeField } from '../../kit/form/DayField.tsx'
import { OwnField, PickManyField, TextField } from '../../kit/form/fields.tsx'
import { type DrawerProps, FormDrawer } from '../../kit/form/FormDrawer.tsx'
import { type Form, useForm } from '../../kit/form/useForm.ts'
import { Failed } from '../../kit/list/ListPage.tsx'
import { message } from '../../kit/notices.ts'
import { full } from '../../kit/time.ts'
import { findSites, siteOf } from '../../parts/places.tsx'
import { useMayReachAny } from '../../parts/session.ts'

import './mail.css'

const HOURS = Array.from({ length: 24 }, (_, hour) => ({ value: hour, label: `${hour}:00` }))
const key = [mailsApi.mine.path]
const mine = () => call(mailsApi.mine, {})

type Rules = BodyOf<typeof mailsApi.rules>
const rulesOf = ({ rules }: MyMail): Rules => ({ ...rules, sites: rules.sites.map((s) => s.id) })

/** A person's own rules of mail: the messages that come, the times, and the address. */
export default function MailDrawer({ onClose, onDone }: DrawerProps) {
  const { data, error, refetch } = useQuery({ queryKey: key, queryFn: mine })
  const form = useForm(mailsApi.rules, null, { latest: async () => rulesOf(await mine()) })
  const client = useQueryClient()
  return (
    <FormDrawer
      form={form}
      title="消息设置"
      ok="保存"
      done="已保存"
      onClose={onClose}
      onDone={() => {
        void client.invalidateQueries({ queryKey: key })
        onDone()
      }}
    >
      {error && !data && <Failed error={error} again={() => void refetch()} />}
      {data && <Address of={data} />}
      <RulesFields form={form} />
      {data && <Lately mails={data.mails} />}
    </FormDrawer>
  )
}

/** Does one call of the address at a time; the page shows afterwards what the server has. */
function useDeeds() {
  const client = useQueryClient()
  const [busy, setBusy] = useState(false)
  const [fault, setFault] = useState('')
  const act = (deed: () => Promise<unknown>, done: string) => {
    setBusy(true)
    setFault('')
    void deed()
      .then(
        () => message.success(done),
        (error: Error) => setFault(error.message),
      )
      .finally(() => {
        setBusy(false)
        void client.invalidateQueries({ queryKey: key })
      })
  }
  return { act, busy, fault }
}

function Address({ of }: { of: MyMail }) {
  const { act, busy, fault } = useDeeds()
  const [isOther, setOther] = useState(false)
  if (!of.configured)
    return (
      <p className="quiet lead">系统没有配置邮件服务器，现在只有站内通知；下面的规则先存着，配置后生效。</p>
    )
  const ask = isOther || (!of.asked && !of.address)
  return (
    <div className="mail-box">
      {of.trouble && <p role="alert">{of.trouble}</p>}
      {of.address && (
        <p className="mail-line">
          <span>
            邮件发到 <b>{of.address}</b>
          </span>
          <Button
            size="small"
            disabled={busy}
            onClick={() => act(() => call(mailsApi.trial, {}), '已发出，请到邮箱查看')}
          >
            试发一条
          </Button>
          {!isOther && (
            <Button size="small" disabled={busy} onClick={() => setOther(true)}>
              换一个
            </Button>
          )}
          <Button
            size="small"
            disabled={busy}
            onClick={() => act(() => call(mailsApi.remove, {}), '不再发邮件，通知仍在铃铛里')}
          >
            不再发邮件
          </Button>
        </p>
      )}
      {ask && <Asking busy={busy} act={act} onSent={() => setOther(false)} />}
      {of.asked && !isOther && (
        <Confirming asked={of.asked} busy={busy} act={act} onOther={() => setOther(true)} />
      )}
      {fault && <p role="alert">{fault}</p>}
    </div>
  )
}
type Deeds = Pick<ReturnType<typeof useDeeds>, 'act' | 'busy'>

function Asking({ act, busy, onSent }: Deeds & { onSent: () => void }) {
  const form = useForm(mailsApi.ask, { address: '' })
  const { address } = form.values
  return (
    <div className="mail-ask">
      <TextField
        of={form}
        name="address"
        example="zhang@example.com"
        hint="先发一个验证码过去，确认是您的邮箱"
      />
      <Button
        loading={busy}
        disabled={!address}
        onClick={() =>
          act(
            () => call(mailsApi.ask, { body: { address: address! } }).then(onSent),
            '验证码已发出，请到邮箱查看',
          )
        }
      >
        发送验证码
      </Button>
    </div>
  )
}
function Confirming({ act, asked, busy, onOther }: Deeds & { asked: string; onOther: () => void }) {
  const form = useForm(mailsApi.confirm, { code: '' })
  const { code } = form.values
  return (
    <div className="mail-ask">
      <TextField
        of={form}
        name="code"
        inputMode="numeric"
        autoComplete="one-time-code"
        hint={`已发到 ${asked}，30 分钟内有效`}
      />
      <Button
        type="primary"
        loading={busy}
        disabled={!code}
        onClick={() => act(() => call(mailsApi.confirm, { body: { code: code! } }), '邮箱已确认')}
      >
        确认邮箱
      </Button>
      <Button
        disabled={busy}
        onClick={() => act(() => call(mailsApi.ask, { body: { address: asked } }), '验证码已重新发出')}
      >
        重新发送
      </Button>
      <Button disabled={busy} onClick={onOther}>
        换一个邮箱
      </Button>
    </div>
  )
}

function RulesFields({ form }: { form: Form<Rules, unknown> }) {
  const { values } = form
  // Who sees no sites has none to choose from.
  const hasSites = useMayReachAny(SITE_PAGES)
  return (
    <>
      <div className="pair">
        <TimeField of={form} name="quietFrom" hint="这段时间里只有紧急的马上发，其余到点合成一封" />
        <TimeField of={form} name="quietTo" />
      </div>
      <OwnField of={form} name="hour" hint="没有看过的事合成一封，没有就不发；刚填好邮箱的，从明天开始">
        {(hour, put) => (
          <Select
            className="mail-hour"
            virtual={false}
            aria-label="汇总时间"
            value={hour ?? undefined}
            options={HOURS}
            onChange={put}
          />
        )}
      </OwnField>
      {hasSites && (
        <PickManyField
          of={form}
          name="sites"
          find={findSites}
          nameOf={siteOf}
          placeholder="全部工地"
          hint="选了工地，别的工地上的事不发邮件；和工地无关的、铃铛里的不受影响"
        />
      )}
      <OwnField of={form} name="ways" hint="只列出您打得开的页面上的事项">
        {() => (
          <div className="mail-ways">
            <div className="mail-way is-head">
              <span>事项</span>
              {noticeWay.options.map((o) => (
                <button
                  key={o.value}
                  type="button"
                  className="text-button"
                  title={`全部${o.label}`}
                  onClick={() =>
                    form.set({ ways: (values.ways ?? []).map(({ kind }) => ({ kind, way: o.value })) })
                  }
                >
                  {o.label}
                </button>
              ))}
            </div>
            {(values.ways ?? []).map(({ kind, way }) => (
              <Radio.Group
                key={kind}
                className="mail-way"
                aria-label={causeKind.label(kind)}
                value={way}
                onChange={(e) =>
                  form.set({
                    ways: values.ways!.map((one) =>
                      one.kind === kind ? { kind, way: e.target.value as typeof way } : one,
                    ),
                  })
                }
              >
                <span>{causeKind.label(kind)}</span>
                {noticeWay.options.map((o) => (
                  <Radio key={o.value} value={o.value} aria-label={o.label} />
                ))}
              </Radio.Group>
            ))}
          </div>
        )}
      </OwnField>
    </>
  )
}

/** The fate of the last ones. */
const Lately = ({ mails }: { mails: MyMail['mails'] }) =>
  mails.length > 0 && (
    <section className="mail-lately">
      <h3>最近的邮件</h3>
      <ul>
        {mails.map((m) => (
          <li key={m.id}>
            <span>
              {m.kind ? causeKind.label(m.kind) : mailEvent.label(m.event)}
              {m.together > 1 ? `等 ${m.together} 件，合成一封` : ''}
            </span>
            <span className="quiet">
              {m.said || messageState.label(m.state)} · {full(m.sentAt ?? m.at)}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
