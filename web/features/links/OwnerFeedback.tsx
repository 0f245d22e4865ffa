import {
  feedbackKind,
  feedbackPause,
  feedbackStatus,
} from '@zhuguan/contract/features/feedback/feedback.record.ts'
import { homePageApi } from '@zhuguan/contract/features/owners/home-page.api.ts'
import type { HomeFeedback } from '@zhuguan/contract/features/owners/home-page.record.ts'
import { useState } from 'react'

import { call } from '../../kit/api.ts'
import { short } from '../../kit/time.ts'
import type { Bearer } from './bearer.ts'
import { SayForm } from './SayForm.tsx'
import { ScoreButtons } from './ScoreButtons.tsx'
import { useAct } from './useAct.ts'

interface Part {
  bearer: Bearer
  again: () => void
}
const { cancelled, closed, handling, open } = feedbackStatus.code

function stateOf(f: HomeFeedback): string {
  if (f.status === open || f.status === handling) {
    if (f.overdue) return `${feedbackStatus.label(f.status)}，已超过约定时间`
    return f.dueAt
      ? `${feedbackStatus.label(f.status)}，${short(f.dueAt)} 前${f.answeredAt ? '办完' : '答复'}`
      : feedbackStatus.label(f.status)
  }
  return `${feedbackStatus.label(f.status)}${f.closedAt ? `（${short(f.closedAt)}）` : ''}`
}

/** The later acts and words: answered, waiting, closed, called off. */
function Since({ of: f }: { of: HomeFeedback }) {
  return (
    <>
      {f.answer && f.status !== cancelled && (
        <p className="owner-result">
          {f.answeredAt && `${short(f.answeredAt)} 答复：`}
          {f.answer}
        </p>
      )}
      {f.pausedAt && f.pauseFor && f.pausedUntil && (
        <p className="owner-waits">
          {short(f.pausedAt)} 起暂停，{feedbackPause.label(f.pauseFor)}：{f.pauseText}。最晚{' '}
          {short(f.pausedUntil)} 继续
        </p>
      )}
      {f.status === closed && f.result && <p className="owner-result">处理结果：{f.result}</p>}
      {f.cancelledFor && <p className="owner-waits">{f.cancelledFor}</p>}
      {f.ofNo && <p className="owner-meta">请看 {f.ofNo}</p>}
    </>
  )
}

/** The owner's score of what was done. */
function Score({ bearer, id, again }: Part & { id: string }) {
  const { actOf } = useAct()
  const [why, setWhy] = useState('')
  async function give(score: number) {
    try {
      await call(homePageApi.score, { body: { ...bearer, act: actOf(score), id, score } })
      again()
    } catch (error) {
      setWhy((error as Error).message)
    }
  }
  return (
    <>
      <ScoreButtons legend="您满意吗？" onChoose={(score) => void give(score)} />
      {why && <p role="alert">{why}</p>}
    </>
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
          {f.recorded && '，工作人员代为登记'}
        </span>
      </p>
      <Since of={f} />
      {f.score !== null && (
        <p className="owner-meta">
          {f.typed ? '管家代填' : '您的评分'}：{f.score} 分
        </p>
      )}
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
          onSend={async (reason, actOf) => {
            await call(homePageApi.reopen, { body: { ...bearer, act: actOf(), id: f.id, reason } })
            setReopening(false)
            again()
          }}
        />
      )}
    </li>
  )
}

/** What the home's people have said, where it stands, and the way to say more. */
export function OwnerFeedback({
  bearer,
  feedback,
  keeper,
  again,
}: Part & { feedback: readonly HomeFeedback[]; keeper: string }) {
  const [writing, setWriting] = useState(false)
  const [kind, setKind] = useState(feedbackKind.values[0]!)
  const [urgent, setUrgent] = useState(false)
  const [steward, setSteward] = useState(false)
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
              {keeper && (
                <label className="owner-urgent">
                  <input type="checkbox" checked={steward} onChange={(e) => setSteward(e.target.checked)} />
                  关于项目管家：直接交给客服和总经理，不经过管家
                </label>
              )}
            </>
          }
          onCancel={() => setWriting(false)}
          onSend={async (words, actOf) => {
            const act = actOf(kind, urgent, steward)
            await call(homePageApi.feedback, { body: { ...bearer, act, kind, words, urgent, steward } })
            setWriting(false)
            again()
          }}
        />
      )}
    </section>
  )
}
