import { linksApi } from '@zhuguan/contract/features/links/links.api.ts'
import { isShared, type LinkKindName } from '@zhuguan/contract/features/links/links.record.ts'
import { type ComponentType, type FormEvent, useEffect, useState } from 'react'

import { call } from '../../kit/api.ts'
import { barePart } from '../../kit/barePart.tsx'
import { shelf } from '../../kit/shelf.ts'
import { isAway } from './away.ts'
import { type Bearer, deviceOf, isVisit } from './bearer.ts'

import '../../kit/plate.css'
import './links.css'

const SharePart = barePart(() => import('./SharePart.tsx'))
/** The page that each kind of link opens. */
const PARTS: Record<LinkKindName, ComponentType<{ bearer: Bearer }>> = {
  driver: barePart(() => import('./DriverPart.tsx')),
  owner: barePart(() => import('./OwnerPart.tsx')),
  share: SharePart,
  preview: SharePart,
  quotation: SharePart,
}
type Opened = { kind: LinkKindName; pass: string }
const opened = shelf<Opened>('link')
/** The store in which its page keeps things for a time without a network. */
const known = shelf('driver')

/** A share link is opened without a session; one that is missing, ended or wrong says so and tells nothing else. */
export default function PreviewPage({ search }: { search: string }) {
  const asked = new URLSearchParams(search)
  const token = asked.get('link') ?? ''
  return <Link key={token} token={token} isLocked={asked.has('lock')} />
}

function Link({ isLocked, token }: { isLocked: boolean; token: string }) {
  const [link, setLink] = useState<Opened | null>(null)
  const [why, setWhy] = useState<'' | 'away' | 'no'>(token ? '' : 'no')
  const [password, setPassword] = useState('')
  const [tried, setTried] = useState(false)
  async function open(said = '') {
    const before = await opened.get(token).catch(() => undefined)
    try {
      const body = { token, pass: before?.pass ?? '', device: deviceOf(), password: said }
      const answer = await call(linksApi.open, { body })
      await opened.put(token, answer).catch(() => {})
      setLink(answer)
    } catch (error) {
      // Who opened it before goes on without a network; what is refused comes to light when there is one.
      if (isAway(error) && before) setLink(before)
      else {
        setWhy(isAway(error) ? 'away' : 'no')
        if (!isAway(error))
          await Promise.all([opened, known].map((kept) => kept.remove(token))).catch(() => {})
      }
    }
  }
  useEffect(() => {
    if (token) void open()
  }, [])
  if (link && !isShared(link.kind) && isVisit(deviceOf()))
    return (
      <main className="plate">
        <h1>这个浏览器不能保存数据</h1>
        <p>无痕模式或关闭了网站数据的浏览器记不住这个链接。请用手机自带的浏览器打开。</p>
      </main>
    )
  if (link) {
    const Part = PARTS[link.kind]
    return <Part bearer={{ token, pass: link.pass, device: deviceOf() }} />
  }
  if (!why) return <main className="plate" aria-busy="true" />
  if (why === 'away')
    return (
      <main className="plate">
        <h1>连接不上服务器</h1>
        <p>请到有网络的地方再试一次。</p>
        <button className="button primary" onClick={() => void open(password)}>
          重试
        </button>
      </main>
    )
  const send = (e: FormEvent) => {
    e.preventDefault()
    setTried(true)
    setWhy('')
    void open(password)
  }
  return (
    <main className="plate">
      {isLocked && !tried ? (
        <>
          <h1>请输入密码</h1>
          <p>发给您的人设了密码，请向他要。</p>
        </>
      ) : (
        <>
          <h1>{tried ? '密码不对，或者链接无效' : '这个预览链接无效'}</h1>
          <p>链接可能已过期、被收回，或者没有复制完整。请联系发给您链接的人，重新获取。</p>
        </>
      )}
      {token && (
        <form className="link-password" onSubmit={send}>
          <label htmlFor="link-password">{isLocked ? '密码' : '如果给了您密码，请在这里输入'}</label>
          <input
            id="link-password"
            value={password}
            autoComplete="off"
            autoCapitalize="none"
            maxLength={20}
            onChange={(e) => setPassword(e.target.value)}
          />
          <button className="button primary" disabled={!password}>
            打开
          </button>
        </form>
      )}
    </main>
  )
}
