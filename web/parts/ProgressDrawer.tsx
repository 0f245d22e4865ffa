import { useQuery, useQueryClient } from '@tanstack/react-query'
import { progressApi } from '@zhuguan/contract/features/threads/progress.api.ts'
import { type ProgressProposal, progressWords } from '@zhuguan/contract/features/threads/progress.record.ts'
import { MOST_PICTURES, MOST_WORDS } from '@zhuguan/contract/features/threads/thread-page.record.ts'
import { Button, Checkbox, Drawer, Input } from 'antd'
import { useState } from 'react'

import { ApiError, call } from '../kit/api.ts'
import { LinkTo } from '../kit/LinkTo.tsx'
import { Failed } from '../kit/list/ListPage.tsx'
import { message } from '../kit/notices.ts'
import { Picture } from '../kit/Picture.tsx'
import { State } from '../kit/State.tsx'
import { clock } from '../kit/time.ts'

import './progressDrawer.css'

/** The events of today in a home, chosen and sent; then the next home is offered without leaving. */
export default function ProgressDrawer({
  site_id,
  onClose,
  onDone,
}: {
  /** The home to begin with; without it the first that was told nothing yet. */
  site_id?: string
  onClose: () => void
  onDone: () => void
}) {
  const client = useQueryClient()
  const [chosen, setChosen] = useState(site_id)
  const [skipped, setSkipped] = useState<readonly string[]>([])
  const homes = useQuery({
    queryKey: [progressApi.homes.path],
    queryFn: ({ signal }) => call(progressApi.homes, {}, signal),
  })
  const left = (homes.data ?? []).filter((h) => h.sentAt === null && !skipped.includes(h.site_id))
  const now = chosen ?? left[0]?.site_id
  const proposal = useQuery({
    queryKey: [progressApi.proposal.path, now],
    enabled: now !== undefined,
    queryFn: ({ signal }) => call(progressApi.proposal, { query: { site_id: now! } }, signal),
  })
  const again = () => void Promise.all([homes.refetch(), proposal.refetch()])
  /** The home is done with, told or passed over: the next one, where there is one. */
  const next = (done: string, isSent: boolean) => {
    const [following] = left.filter((h) => h.site_id !== done)
    if (!isSent) setSkipped([...skipped, done])
    setChosen(following?.site_id)
    if (isSent) onDone()
    void client.invalidateQueries({ queryKey: [progressApi.homes.path] })
    void client.invalidateQueries({ queryKey: [progressApi.proposal.path, done] })
  }
  const error = homes.error ?? proposal.error
  const { data } = proposal
  return (
    <Drawer open title="今日进度" size="min(760px, 100vw)" onClose={onClose}>
      {error && <Failed error={error} again={again} />}
      {homes.data && homes.data.length > 0 && (
        <ul className="progress-homes" aria-label="今天有进展的业主">
          {homes.data.map((h) => (
            <li key={h.site_id}>
              <button
                className="button"
                aria-pressed={h.site_id === now}
                title={h.siteName}
                onClick={() => setChosen(h.site_id)}
              >
                {h.ownerName} {h.sentAt === null ? `${h.happened} 件` : `已发 ${clock(h.sentAt)}`}
              </button>
            </li>
          ))}
        </ul>
      )}
      {homes.data && now === undefined && (
        <p className="empty">
          {homes.data.length === 0
            ? '今天还没有可以告诉业主的进展：阶段开始或验收、材料到货、工程巡检以后这里就有。'
            : '今天有进展的业主都处理过了。'}
        </p>
      )}
      {data && data.site_id === now && (
        <OneHome
          key={data.site_id}
          of={data}
          left={left.filter((h) => h.site_id !== now).length}
          again={again}
          onNext={(isSent) => next(data.site_id, isSent)}
        />
      )}
    </Drawer>
  )
}

function OneHome({
  of: p,
  left,
  again,
  onNext,
}: {
  of: ProgressProposal
  /** Number of homes that follow. */
  left: number
  again: () => void
  onNext: (isSent: boolean) => void
}) {
  const [act] = useState(() => crypto.randomUUID())
  const [things, setThings] = useState(() => p.happened.map((h) => h.key))
  const [shots, setShots] = useState(() =>
    p.pictures
      .filter((s) => !s.failed)
      .slice(0, MOST_PICTURES)
      .map((s) => s.key),
  )
  // Until somebody writes, the words are those of what was chosen.
  const [typed, setTyped] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const [why, setWhy] = useState('')
  const told = p.happened.filter((h) => things.includes(h.key))
  const words = typed ?? (told.length ? progressWords(p.day, told) : '')
  const isEmpty = words.trim() === ''
  async function send() {
    setBusy(true)
    setWhy('')
    try {
      await call(progressApi.send, {
        body: { site_id: p.site_id, act, after: p.newest, words, pictures: shots },
      })
      message.success(`已发给${p.ownerName}`)
      onNext(true)
    } catch (error) {
      setWhy((error as Error).message)
      if (error instanceof ApiError && error.overtaken) again()
    } finally {
      setBusy(false)
    }
  }
  return (
    <section className="progress-home">
      <h2>
        <LinkTo page="OwnerInteract" query={{ site_id: p.site_id }}>
          {p.ownerName || '还没有业主'}
        </LinkTo>{' '}
        <small>{p.siteName}</small>
        {p.sent.map((s) => (
          <State key={s.at} tone="ok">{`今天 ${clock(s.at)} ${s.who}已发`}</State>
        ))}
        {p.waits && <State tone="wait">有留言还没有回复，今日进度不算回复</State>}
      </h2>
      {p.happened.length === 0 && <p className="quiet">今天没有阶段变化、到货和巡检，可以自己写。</p>}
      <Checkbox.Group
        className="progress-things"
        value={things}
        options={p.happened.map((h) => ({ value: h.key, label: h.text }))}
        onChange={(value) => {
          setThings(value)
          setTyped(null)
        }}
      />
      {p.pictures.length > 0 && (
        <div className="progress-shots" data-gallery>
          {p.pictures.map((s) => {
            const on = shots.includes(s.key)
            return (
              <div key={s.key} className={on ? 'on' : ''}>
                <Picture picture={s.key} caption={`${s.title} ${clock(s.at)}`} width={128} height={96} />
                <Checkbox
                  checked={on}
                  disabled={!on && shots.length >= MOST_PICTURES}
                  onChange={() => setShots(on ? shots.filter((k) => k !== s.key) : [...shots, s.key])}
                >
                  {s.title}
                  {s.failed && <b className="progress-failed">（不合格）</b>}
                </Checkbox>
              </div>
            )
          })}
        </div>
      )}
      <Input.TextArea
        aria-label="发给业主的内容"
        rows={4}
        maxLength={MOST_WORDS}
        value={words}
        placeholder="写给业主的话；Ctrl + Enter 发送"
        onChange={(e) => setTyped(e.target.value)}
        onKeyDown={(e) => {
          if (e.key === 'Enter' && (e.ctrlKey || e.metaKey) && !isEmpty && !busy) void send()
        }}
      />
      {why && (
        <p className="fault" role="alert">
          {why}
        </p>
      )}
      <p className="progress-bar">
        <small className="quiet">
          {`${shots.length} 张照片${p.pictures.length > 0 ? `，最多 ${MOST_PICTURES} 张` : ''}`}
          {left > 0 && `；后面还有 ${left} 家`}
        </small>
        <Button onClick={() => onNext(false)}>跳过</Button>
        <Button type="primary" loading={busy} disabled={isEmpty} onClick={() => void send()}>
          {left > 0 ? '发送，下一家' : '发送'}
        </Button>
      </p>
    </section>
  )
}
