import { feedbackKind, feedbackStatus } from '@zhuguan/contract/features/feedback/feedback.record.ts'
import { homePageApi } from '@zhuguan/contract/features/owners/home-page.api.ts'
import type { HomeFeedback } from '@zhuguan/contract/features/owners/home-page.record.ts'
import { useState } from 'react'

import { call } from '../../kit/api.ts'
import { short } from '../../kit/time.ts'
import type { Bearer } from './bearer.ts'
import { SayForm } from './SayForm.tsx'
import { useAct } from './useHome.ts'

interface Part {
  bearer: Bearer
  again: () => void
}
const { handling, open } = feedbackStatus.code
const SCORES = [1, 2, 3, 4, 5] as const

function stateOf(f: HomeFeedback): string {
  if (f.status === open || f.status === handling) {
    if (f.overdue) return `${feedbackStatus.label(f.status)}，已超过约定时间`
    return f.dueAt
      ? `${feedbackStatus.label(f.status)}，${short(f.dueAt)} 前答复`
      : feedbackStatus.label(f.status)
  }
  return feedbackStatus.label(f.status)
}

/** How content the owner is with what was done. */
function Score({ bearer, id, again }: Part & { id: string }) {
  const { act } = useAct()
  const [why, setWhy] = useState('')
  async function give(score: number) {
    try {
      await call(homePageApi.score, { body: { ...bearer, act, id, score } })
      again()
    } catch (error) {
      setWhy((error as Error).message)
    }
  }
  return (
    <fieldset className="owner-score">
      <legend>您满意吗？</legend>
      {SCORES.map((n) => (
        <button key={n} className="button" onClick={() => void give(n)}>
          {n} 分
        </button>
      ))}
      {why && <p role="alert">{why}</p>}
    </fieldset>
  )
}

function One({ of: f, bearer, again }: Part & { of: HomeFeedback }) {
  const [reopening, setReopening] = useState(false)
  return (
    <li>
      <p>{f.words}</p>
      <p className="owner-meta">
        <span data-tone={f.overdue ? 'warn' : 'plain'}>{stateOf(f)}</span>
        <span>
          {feedbackKind.label(f.kind)} {f.no}
        </span>
      </p>
      {f.result && <p className="owner-result">{f.result}</p>}
      {f.score !== null && <p className="owner-meta">您的评分：{f.score} 分</p>}
      {f.mayScore && <Score bearer={bearer} id={f.id} again={again} />}
      {f.mayReopen && !reopening && (
        <button className="button" onClick={() => setReopening(true)}>
          还没有解决
        </button>
      )}
      {reopening && (
        <SayForm
          label="还有什么没有解决"
          send="重新提出"
          onCancel={() => setReopening(false)}
          onSend={async (reason, act) => {
            await call(homePageApi.reopen, { body: { ...bearer, act, id: f.id, reason } })
            setReopening(false)
            again()
          }}
        />
      )}
    </li>
  )
}

/** What the home's people have said, where it stands, and the way to say more. */
export function OwnerFeedback({ bearer, feedback, again }: Part & { feedback: readonly HomeFeedback[] }) {
  const [writing, setWriting] = useState(false)
  const [kind, setKind] = useState(feedbackKind.values[0]!)
  const [urgent, setUrgent] = useState(false)
  return (
    <section className="owner-card">
      <h2>反馈与报修</h2>
      <ul className="owner-items">
        {feedback.map((f) => (
          <One key={f.id} of={f} bearer={bearer} again={again} />
        ))}
      </ul>
      {!writing && (
        <button className="button primary" onClick={() => setWriting(true)}>
          写反馈
        </button>
      )}
      {writing && (
        <SayForm
          label="是什么事"
          send="提交"
          more={
            <>
              <fieldset className="owner-kinds">
                <legend>类型</legend>
                {feedbackKind.options.map(({ label, value }) => (
                  <label key={value}>
                    <input
                      type="radio"
                      name="kind"
                      checked={kind === value}
                      onChange={() => setKind(value)}
                    />
                    {label}
                  </label>
                ))}
              </fieldset>
              <label className="owner-urgent">
                <input type="checkbox" checked={urgent} onChange={(e) => setUrgent(e.target.checked)} />
                紧急：漏水、断电等不能等的事
              </label>
            </>
          }
          onCancel={() => setWriting(false)}
          onSend={async (words, act) => {
            await call(homePageApi.feedback, { body: { ...bearer, act, kind, words, urgent } })
            setWriting(false)
            again()
          }}
        />
      )}
    </section>
  )
}
