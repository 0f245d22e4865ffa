import { linksApi } from '@zhuguan/contract/features/links/links.api.ts'
import { LINK_HOURS, linkKind, type SharedKind } from '@zhuguan/contract/features/links/links.record.ts'
import { Button, Drawer, Select } from 'antd'
import { type FormEvent, useState } from 'react'

import { ApiError, call } from '../../kit/api.ts'
import { nowSeconds } from '../../kit/time.ts'
import { Openings } from './Openings.tsx'
import { type Given, ShareLink } from './ShareLink.tsx'
import { newPassword } from './shareText.ts'

import './sharing.css'

const DAY = 24
const HOUR = 3_600
const { share: cases } = linkKind.code
const DAYS = [1, 3, 7, 14, 30, 60, 90, 180]

/** The item that is sent, and its receiver. */
export interface Shared {
  kind: SharedKind
  target_id: string
  title: string
  customer_id: string | null
  person: string
  /** It says prices. */
  needsPassword: boolean
}

/** A new link to something for a customer; while the drawer is open it shows the openings as they happen. */
export function ShareForm({ shared: s, onMade }: { shared: Shared; onMade?: () => void }) {
  const { most, usual } = LINK_HOURS[s.kind]
  const [days, setDays] = useState(usual / DAY)
  const [times, setTimes] = useState('')
  const [password, setPassword] = useState(s.needsPassword ? newPassword() : '')
  const [busy, setBusy] = useState(false)
  const [why, setWhy] = useState('')
  const [made, setMade] = useState<(Given & { id: string; isCut: boolean }) | null>(null)
  async function make(e: FormEvent) {
    e.preventDefault()
    setBusy(true)
    setWhy('')
    try {
      const body = {
        kind: s.kind,
        target_id: s.target_id,
        person: s.person,
        customer_id: s.customer_id,
        hours: days * DAY,
        most: Number(times) || null,
        password: password || null,
      }
      const { expiresAt, id, token } = await call(linksApi.create, { body })
      const { kind, person } = s
      const isCut = expiresAt < nowSeconds() + (days * DAY - 1) * HOUR
      setMade({ id, kind, token, expiresAt, person, password, hasPassword: password !== '', isCut })
      onMade?.()
    } catch (error) {
      const fields = error instanceof ApiError ? Object.values(error.fields) : []
      setWhy(fields[0] ?? (error as Error).message)
    } finally {
      setBusy(false)
    }
  }
  if (made)
    return (
      <>
        <ShareLink given={made} />
        {made.isCut && <p role="status">业主只同意公开到这一天，所以链接不到 {days} 天就打不开了。</p>}
        <h3 className="share-heading">客户打开情况</h3>
        <Openings id={made.id} brief />
      </>
    )
  return (
    <form className="share-new" onSubmit={(e) => void make(e)}>
      <p>
        <b>{s.title}</b>
        {s.person && <span className="quiet">　给 {s.person}</span>}
      </p>
      <label htmlFor="share-days">多久内能打开</label>
      <Select
        id="share-days"
        value={days}
        onChange={setDays}
        virtual={false}
        options={DAYS.filter((d) => d * DAY <= most).map((d) => ({ value: d, label: `${d} 天` }))}
      />
      {s.kind === cases && <p className="quiet">最晚到业主同意公开的最后一天，过了那天就打不开</p>}
      <label htmlFor="share-times">最多打开几次（不填不限）</label>
      <input
        id="share-times"
        className="input"
        value={times}
        inputMode="numeric"
        maxLength={4}
        onChange={(e) => setTimes(e.target.value.replace(/\D/g, ''))}
      />
      <label htmlFor="share-password">
        密码（4-20 位字母或数字{s.needsPassword ? '，看得到报价必须设' : '，可以不设'}）
      </label>
      <input
        id="share-password"
        className="input"
        value={password}
        maxLength={20}
        autoComplete="off"
        onChange={(e) => setPassword(e.target.value)}
      />
      {why && <p role="alert">{why}</p>}
      <Button type="primary" htmlType="submit" loading={busy}>
        生成链接
      </Button>
    </form>
  )
}

/** The same in a drawer of its own. */
export default function ShareDrawer({
  shared,
  onMade,
  onClose,
}: {
  shared: Shared
  onMade?: () => void
  onClose: () => void
}) {
  return (
    <Drawer open title="分享给客户" size="min(640px, 100vw)" onClose={onClose}>
      <ShareForm shared={shared} {...(onMade ? { onMade } : {})} />
    </Drawer>
  )
}
