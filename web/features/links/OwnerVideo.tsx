import { consentState } from '@zhuguan/contract/features/consents/consents.record.ts'
import { VIDEO_WORDS } from '@zhuguan/contract/features/owners/grants.record.ts'
import { homeVideoApi } from '@zhuguan/contract/features/owners/home-video.api.ts'
import type { HomeVideoState } from '@zhuguan/contract/features/owners/home-video.record.ts'
import { hoursText } from '@zhuguan/contract/features/owners/watch-hours.ts'
import { viewPurpose } from '@zhuguan/contract/features/video/purposes.record.ts'
import { useEffect, useState } from 'react'

import { call } from '../../kit/api.ts'
import { barePart } from '../../kit/barePart.tsx'
import { dayOf, full, short } from '../../kit/time.ts'
import { isAway } from './away.ts'
import type { Bearer } from './bearer.ts'
import { useAct } from './useAct.ts'

import './ownerVideo.css'

const OwnerLook = barePart(() => import('./OwnerLook.tsx'))
const FRESH_MS = 30_000
const { given, refused, withdrawn } = consentState.code

/** The home seen from the telephone, what was agreed to, and who of the company looked into it. */
export default function OwnerVideo({ bearer }: { bearer: Bearer }) {
  const [state, setState] = useState<HomeVideoState | null>(null)
  const read = async () => {
    try {
      setState(await call(homeVideoApi.state, { body: bearer }))
    } catch (error) {
      // What the page says of a link that is over, it says for all of its parts.
      if (!isAway(error)) setState(null)
    }
  }
  useEffect(() => {
    void read()
    const fresh = setInterval(() => document.hidden || void read(), FRESH_MS)
    return () => clearInterval(fresh)
  }, [])
  if (!state) return null
  return (
    <>
      {/* Taken back while it runs, it says why it went dark. */}
      {(state.consent === given || state.grant) && <Watch bearer={bearer} state={state} again={read} />}
      <Agreement bearer={bearer} state={state} again={read} />
      <SeenBy state={state} />
    </>
  )
}

interface Part {
  bearer: Bearer
  state: HomeVideoState
  again: () => Promise<void>
}
function Watch({ bearer, state, again }: Part) {
  const [watching, setWatching] = useState<string | null>(null)
  const camera = state.cameras.find((c) => c.id === watching)
  const may = state.why === ''
  return (
    <section className="owner-card" aria-label="看现场">
      <h2>
        看现场 <small>{state.grant ? hoursText(state.grant) : ''}</small>
      </h2>
      {state.why && (
        <p className="quiet">
          {state.why}
          {state.nextAt !== null && `，${full(state.nextAt).slice(0, 16)} 起可以看`}
        </p>
      )}
      {camera && (
        <OwnerLook
          key={camera.id}
          bearer={bearer}
          camera={camera}
          onClose={() => {
            setWatching(null)
            void again()
          }}
        />
      )}
      <ul className="owner-items">
        {state.cameras.map((c) => (
          <li key={c.id}>
            <p className="owner-meta">
              <span>{c.sn}</span>
              <span>{c.online ? '在线' : `离线，最近画面 ${short(c.pictureAt) || '没有'}`}</span>
            </p>
            {may && c.id !== watching && (
              <button className="button" onClick={() => setWatching(c.id)}>
                {c.online ? '看现场' : '看最近画面'}
              </button>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

const ANSWERED = { [given]: '您已同意', [refused]: '您已选择不同意', [withdrawn]: '您已撤回同意' }
function Agreement({ bearer, state, again }: Part) {
  const { actOf, done } = useAct()
  const [busy, setBusy] = useState(false)
  const [why, setWhy] = useState('')
  async function send(work: () => Promise<unknown>) {
    setBusy(true)
    setWhy('')
    try {
      await work()
      done()
      await again()
    } catch (error) {
      setWhy((error as Error).message)
    } finally {
      setBusy(false)
    }
  }
  const answer = (to: 1 | 2) =>
    send(() =>
      call(homeVideoApi.answer, { body: { ...bearer, act: actOf(to), answer: to, wording: state.wording } }),
    )
  const has = state.consent === given
  const words = (
    <ul className="owner-words">
      {VIDEO_WORDS.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  )
  return (
    <section className="owner-card" aria-label="我的授权">
      <h2>我的授权</h2>
      <p>用手机看自己家的施工现场</p>
      {state.consent !== null && (
        <p className="owner-meta">
          <span>{ANSWERED[state.consent]}</span>
          <span>{state.consentAt !== null && short(state.consentAt)}</span>
        </p>
      )}
      {state.grant && has && (
        <p className="owner-meta">
          <span>{state.grant.stopped ? '管家已暂停' : `${state.grant.fromDay} 至 ${state.grant.toDay}`}</span>
          <span>{dayOf(state.grant.changedAt)} 由管家设定</span>
        </p>
      )}
      {has ? (
        <details>
          <summary>同意的内容（{state.wording}）</summary>
          {words}
        </details>
      ) : (
        <>
          {words}
          <p className="quiet">说明版本 {state.wording}</p>
        </>
      )}
      <div className="owner-buttons">
        {has ? (
          <button
            className="button"
            disabled={busy}
            onClick={() =>
              void send(() => call(homeVideoApi.withdraw, { body: { ...bearer, act: actOf('back') } }))
            }
          >
            撤回同意
          </button>
        ) : (
          <>
            <button className="button primary" disabled={busy} onClick={() => void answer(given)}>
              同意
            </button>
            {state.consent === null && (
              <button className="button" disabled={busy} onClick={() => void answer(refused)}>
                不同意
              </button>
            )}
          </>
        )}
      </div>
      {why && <p role="alert">{why}</p>}
    </section>
  )
}

function SeenBy({ state }: { state: HomeVideoState }) {
  return (
    <section className="owner-card" aria-label="谁看过我家">
      <h2>
        谁看过我家 <small>公司的人，最近 {state.seenBy.length} 次</small>
      </h2>
      {state.seenBy.length === 0 && <p className="quiet">公司还没有人看过您家的画面。</p>}
      <ul className="owner-items">
        {state.seenBy.map((s) => (
          <li key={`${s.at} ${s.who} ${s.camera} ${s.from}`}>
            <p className="owner-meta">
              <span>{s.who}</span>
              <span>{viewPurpose.label(s.purpose)}</span>
            </p>
            <p className="quiet">
              {s.recorded && `${short(s.at)} 看录像：`}
              {short(s.from)} 到 {short(s.to).slice(-5)} · 摄像头 {s.camera}
            </p>
          </li>
        ))}
      </ul>
    </section>
  )
}
