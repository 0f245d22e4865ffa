import { useQuery, useQueryClient } from '@tanstack/react-query'
import { linksApi } from '@zhuguan/contract/features/links/links.api.ts'
import {
  type LinkKindName,
  type LinkRow,
  linkState,
  previewOf,
} from '@zhuguan/contract/features/links/links.record.ts'
import { Button, Drawer, QRCode } from 'antd'
import { useState } from 'react'

import { call } from '../kit/api.ts'
import { Failed } from '../kit/list/ListPage.tsx'
import { message } from '../kit/notices.ts'
import { RowActions } from '../kit/RowActions.tsx'
import { State } from '../kit/State.tsx'
import { full, short } from '../kit/time.ts'

import './linksDrawer.css'

const { live } = linkState.code

/** The words to paste into a chat: who it is for, what to do, the link. */
const greetingOf = (name: string, url: string) =>
  `${name}，您好！这是您家装修的页面，请用手机打开，再把屏幕上的四位号码告诉我：${url}`

const openedText = (l: LinkRow) =>
  l.lastOpenedAt ? `打开 ${l.openings} 次，最近 ${short(l.lastOpenedAt)}` : '还没有打开过'

/** Links without an account to one thing: a new one with its code to scan, and those that were given before. */
export default function LinksDrawer({
  kind,
  target,
  title,
  to,
  onClose,
}: {
  kind: LinkKindName
  target: string
  title: string
  /** Whose it is, where nobody has to say it. A new one then takes the place of the one before. */
  to?: string
  onClose: () => void
}) {
  const [person, setPerson] = useState(to ?? '')
  const [busy, setBusy] = useState(false)
  const [made, setMade] = useState<{ url: string; expiresAt: number } | null>(null)
  const client = useQueryClient()
  const key = [linksApi.list.path, kind, target]
  const { data, error, refetch } = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => call(linksApi.list, { query: { kind, target_id: target } }, signal),
  })
  const refresh = () => void client.invalidateQueries({ queryKey: key })
  async function create() {
    setBusy(true)
    try {
      const { expiresAt, token } = await call(linksApi.create, { body: { kind, target_id: target, person } })
      setMade({ url: location.origin + previewOf(token), expiresAt })
      refresh()
    } catch (e) {
      message.error((e as Error).message)
    } finally {
      setBusy(false)
    }
  }
  async function copy(text: string) {
    try {
      await navigator.clipboard.writeText(text)
      message.success('已复制')
    } catch {
      message.error('浏览器不让复制，请长按或选中下面的地址')
    }
  }
  return (
    <Drawer open title={title} size="min(640px, 100vw)" onClose={onClose}>
      <div className="links-new">
        {to ? (
          <p>一位联系人只有一个链接：新的生成以后，以前的链接和设备都不能再用。</p>
        ) : (
          <>
            <label htmlFor="link-person">给谁</label>
            <input
              id="link-person"
              className="input"
              value={person}
              maxLength={20}
              placeholder="例如 王师傅"
              onChange={(e) => setPerson(e.target.value)}
            />
          </>
        )}
        <Button type="primary" loading={busy} onClick={() => void create()}>
          生成链接
        </Button>
      </div>
      {made && (
        <section className="links-made">
          <QRCode value={made.url} size={200} />
          <div>
            <p>
              {to
                ? `用${to}的手机扫码或打开链接，屏幕上会出现一个号码；在业主信息里核对后点“确认”，页面才会显示。`
                : `扫码或打开链接就能用，不用登录。有效期至 ${full(made.expiresAt)}。`}
            </p>
            <p className="quiet">链接只在这里显示一次，请现在发出去；丢了可以收回再生成。</p>
            <p className="links-url">{made.url}</p>
            {to ? (
              <Button onClick={() => void copy(greetingOf(to, made.url))}>复制到微信</Button>
            ) : (
              <Button onClick={() => void copy(made.url)}>复制链接</Button>
            )}
          </div>
        </section>
      )}
      {error && <Failed error={error} again={() => void refetch()} />}
      <ol className="log links-given">
        {data?.map((l) => (
          <li key={l.id}>
            <p>
              <b>{l.person || '没有写给谁'}</b>{' '}
              <State tone={l.state === live ? 'ok' : 'grey'}>{linkState.label(l.state)}</State>
            </p>
            <small title={full(l.madeAt)}>
              {l.madeBy} {short(l.madeAt)} 生成，有效期至 {short(l.expiresAt)}；{openedText(l)}
            </small>
            {l.state === live && (
              <RowActions
                actions={[
                  {
                    key: 'revoke',
                    label: '收回',
                    confirm: `收回给 ${l.person || '别人'} 的链接？收回以后打不开`,
                    run: () => call(linksApi.revoke, { body: { id: l.id } }),
                  },
                ]}
                onDone={refresh}
                shown={1}
              />
            )}
          </li>
        ))}
      </ol>
      {data?.length === 0 && <p className="quiet">还没有发过链接。</p>}
    </Drawer>
  )
}
