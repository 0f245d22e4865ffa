import { questionPageApi } from '@zhuguan/contract/features/questions/question-page.api.ts'
import type { OwnerQuestion } from '@zhuguan/contract/features/questions/question-page.record.ts'
import { siteStage } from '@zhuguan/contract/features/sites/stages.record.ts'
import { useEffect, useState } from 'react'

import { call } from '../../kit/api.ts'
import { short } from '../../kit/time.ts'
import { isAway } from './away.ts'
import type { Bearer } from './bearer.ts'
import { LinkPicture } from './LinkPicture.tsx'
import { useAct } from './useAct.ts'

import './ownerQuestions.css'

interface Of {
  bearer: Bearer
  question: OwnerQuestion
  again: () => Promise<void>
}
const FRESH_MS = 60_000
const LONGEST = 200

/** Decisions of the home: open ones first, each by the day until which it is needed. */
export function OwnerQuestions({ bearer }: { bearer: Bearer }) {
  const [list, setList] = useState<OwnerQuestion[] | null>(null)
  const read = async () => {
    try {
      setList(await call(questionPageApi.questions, { body: bearer }))
    } catch (error) {
      // What the page says of a link that is over, it says for all of its parts.
      if (!isAway(error)) setList(null)
    }
  }
  useEffect(() => {
    void read()
    const fresh = setInterval(() => document.hidden || void read(), FRESH_MS)
    return () => clearInterval(fresh)
  }, [])
  if (!list || list.length === 0) return null
  const open = list.filter((q) => !q.answered && !q.withdrawnFor)
  return (
    <section className="owner-card" aria-label="待您决定">
      <h2>
        待您决定 <small>{open.length > 0 ? `${open.length} 项` : '都已决定'}</small>
      </h2>
      <ul className="owner-items">
        {list.map((q) => (
          <Question key={q.id} question={q} bearer={bearer} again={read} />
        ))}
      </ul>
    </section>
  )
}

/** By when, and what waits for it. */
function dayOf(q: OwnerQuestion): string {
  const waits = q.stage ? `${siteStage.label(q.stage)}在等您` : ''
  if (q.lateDays !== null) return `已过 ${q.lateDays} 天，${waits || '工地在等您'}`
  return `请在 ${q.neededBy}${q.rest ? '（休息日）' : ''} 前答复${waits && `，${waits}`}`
}
const saidIn = (q: OwnerQuestion, a: Pick<OwnerQuestion['answers'][number], 'choice' | 'words'>) =>
  a.choice === null ? a.words : (q.options[a.choice - 1] ?? a.words)

function Question({ question: q, bearer, again }: Of) {
  const [differs, setDiffers] = useState(false)
  return (
    <li>
      <p>
        <b>{q.words}</b>
      </p>
      <p className="owner-meta">
        {!q.answered && !q.withdrawnFor && (
          <span data-tone={q.lateDays === null ? 'plain' : 'warn'}>{dayOf(q)}</span>
        )}
        <span>
          {q.askedBy} {short(q.askedAt).slice(0, 5)} 问
        </span>
      </p>
      {q.pictures.length > 0 && (
        <div className="owner-pictures">
          {q.pictures.map((key) => (
            <LinkPicture key={key} bearer={bearer} of={key} title={`“${q.words}”的照片`} />
          ))}
        </div>
      )}
      {q.costs && (
        <p className="owner-costs">会改变费用：{q.estimate}（估计）。决定以后另签变更单，这里不收费。</p>
      )}
      {q.withdrawnFor && (
        <p className="owner-waits">
          不用决定了{q.closedAt && `（${short(q.closedAt)}）`}：{q.withdrawnFor}
        </p>
      )}
      {q.answers.map((a) => (
        <p key={`${a.name} ${a.at}`} className={a.counts ? 'owner-result' : 'quiet'}>
          {a.own ? '您' : a.name}
          {a.recorded && '（管家代录）'}答复：<b>{saidIn(q, a)}</b>
          {!a.counts && '（后答复，以先到的为准，管家会看到）'}
        </p>
      ))}
      {q.answered && q.mayAnswer && !differs && (
        <button className="button" onClick={() => setDiffers(true)}>
          我的意见不同
        </button>
      )}
      {q.mayAnswer && (!q.answered || differs) && <Answer question={q} bearer={bearer} again={again} />}
    </li>
  )
}

/** Chosen, then confirmed: only then it counts. */
function Answer({ question: q, bearer, again }: Of) {
  const { actOf, done } = useAct()
  const [choice, setChoice] = useState<number | null>(null)
  const [words, setWords] = useState('')
  const [asking, setAsking] = useState(false)
  const [busy, setBusy] = useState(false)
  const [why, setWhy] = useState('')
  const isText = q.options.length === 0
  const said = isText ? words.trim() : saidIn(q, { choice, words: '' })
  async function send() {
    setBusy(true)
    setWhy('')
    try {
      const answer = isText ? { choice: null, words: said } : { choice, words: '' }
      await call(questionPageApi.answer, { body: { ...bearer, act: actOf(answer), id: q.id, ...answer } })
      await again()
    } catch (error) {
      setWhy((error as Error).message)
      // Another of the home was faster, or it is not asked any more: it is shown as it is.
      if (!isAway(error)) {
        done()
        await again()
      }
    } finally {
      setBusy(false)
    }
  }
  if (asking)
    return (
      <div className="owner-decide" role="group" aria-label="确认答复">
        <p>
          您的决定：<b>{said}</b>
        </p>
        <p className="quiet">
          {q.answered ? '家里已有人先答复，您的意见管家会看到。' : '确认以后就按这个办；要改请联系您的管家。'}
        </p>
        {why && <p role="alert">{why}</p>}
        <button className="button primary" disabled={busy} onClick={() => void send()}>
          {busy ? '正在发送…' : '确认'}
        </button>
        <button className="button" disabled={busy} onClick={() => setAsking(false)}>
          返回
        </button>
      </div>
    )
  if (isText)
    return (
      <form
        className="owner-say"
        onSubmit={(e) => {
          e.preventDefault()
          setAsking(true)
        }}
      >
        <label htmlFor={`answer-${q.id}`}>您的答复</label>
        <textarea
          id={`answer-${q.id}`}
          rows={3}
          maxLength={LONGEST}
          value={words}
          onChange={(e) => setWords(e.target.value)}
        />
        <button className="button primary" disabled={!said}>
          答复
        </button>
      </form>
    )
  return (
    <div className="owner-decide">
      {q.options.map((option, i) => (
        <button
          key={option}
          className="button"
          onClick={() => {
            setChoice(i + 1)
            setAsking(true)
          }}
        >
          {option}
        </button>
      ))}
    </div>
  )
}
