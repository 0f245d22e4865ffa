import {
  type QuestionAnswer,
  type QuestionRow,
  questionState,
} from '@zhuguan/contract/features/questions/questions.record.ts'
import { siteStage } from '@zhuguan/contract/features/sites/sites.record.ts'

import { LinkTo } from '../../kit/LinkTo.tsx'
import { Picture } from '../../kit/Picture.tsx'
import { State, type Tone } from '../../kit/State.tsx'
import { full, short } from '../../kit/time.ts'
import { Granted } from '../granted.tsx'
import { LogLink } from '../LogLink.tsx'
import { useMayReach } from '../session.ts'

interface Of {
  question: QuestionRow
}
const { answered, open, withdrawn } = questionState.code
const TONE: Readonly<Record<QuestionRow['state'], Tone>> = {
  [open]: 'wait',
  [answered]: 'ok',
  [withdrawn]: 'grey',
}
const saidIn = (q: QuestionRow, a: QuestionAnswer) =>
  a.choice === null ? a.words : (q.options[a.choice - 1] ?? a.words)
const Shots = ({ keys, caption }: { keys: readonly string[]; caption: string }) =>
  keys.length > 0 && (
    <div className="question-shots" data-gallery="">
      {keys.map((key) => (
        <Picture key={key} picture={key} caption={caption} width={72} height={54} />
      ))}
    </div>
  )

/** The question, with its options, pictures and who asks. */
export const WhatOf = ({ question: q }: Of) => (
  <>
    <b>{q.words}</b>
    {q.options.length > 0 && <p className="question-options">{q.options.join(' ／ ')}</p>}
    {q.costs && <p className="question-costs">会改变费用：{q.estimate}</p>}
    <Shots keys={q.pictures} caption={q.words} />
    <p className="quiet">
      {q.askerName} <span title={full(q.askedAt)}>{short(q.askedAt)}</span> 问{q.againOf && '（重新询问）'}{' '}
      <LogLink object="question" id={q.id} />
    </p>
  </>
)
export const NeededOf = ({ question: q }: Of) => (
  <>
    <span className="question-day">
      {q.neededBy}
      {q.rest && <small className="quiet">（休息日）</small>}
    </span>
    {q.stage && <p className="quiet">{siteStage.label(q.stage)}在等</p>}
  </>
)
/** What is past its day is the owner's to settle. */
export const StateOf = ({ question: q }: Of) => {
  if (q.state === open && q.lateDays !== null)
    return <State tone="bad">{`逾期 ${q.lateDays} 天，等业主`}</State>
  return (
    <>
      <State tone={TONE[q.state]}>{questionState.label(q.state)}</State>
      {q.state === withdrawn && <p className="quiet">{q.withdrawnFor}</p>}
      {q.askedAnew && <p className="quiet">已重新询问</p>}
    </>
  )
}

/** It costs money: a change of the contract must follow, and is one click away for who may write it. */
function Follows({ question: q }: Of) {
  const contracts = useMayReach('ContractDetail')
  return (
    <p className="question-costs">
      费用有变，需要另签增减项变更
      {contracts && q.contract_id && (
        <Granted needs="contract:change">
          {' '}
          <LinkTo page="ContractDetail" query={{ id: q.contract_id, open: 'change' }}>
            去变更合同
          </LinkTo>
        </Granted>
      )}
    </p>
  )
}
/** The person who said what: what counts, and beside it what others of the home said. */
export function AnswersOf({ question: q }: Of) {
  if (q.answers.length === 0) return '--'
  return (
    <>
      <ul className="question-answers">
        {q.answers.map((a) => (
          <li key={a.id}>
            <b className={a.counts ? undefined : 'quiet'}>{saidIn(q, a)}</b>
            <p className="quiet">
              {a.contactName} <span title={full(a.at)}>{short(a.at)}</span>
              {a.recordedBy && `，${a.recordedBy}代录`}
              {!a.counts && '，后答复，不作数'}
            </p>
            <Shots keys={a.pictures} caption={`${a.contactName}的答复`} />
          </li>
        ))}
      </ul>
      {q.disputed && !q.askedAnew && (
        <p className="question-late">家里人的答复不一致，请和业主确认，必要时重新询问</p>
      )}
      {q.costs && q.state === answered && !q.askedAnew && <Follows question={q} />}
    </>
  )
}
