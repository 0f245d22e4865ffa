import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { Contact } from '@zhuguan/contract/features/owners/owners.record.ts'
import { questionActions } from '@zhuguan/contract/features/questions/questions.actions.ts'
import { questionsApi } from '@zhuguan/contract/features/questions/questions.api.ts'
import type { QuestionRow } from '@zhuguan/contract/features/questions/questions.record.ts'
import { useState } from 'react'

import { actionsOf } from '../../kit/actionsOf.ts'
import { call } from '../../kit/api.ts'
import { lazyPart } from '../../kit/lazyPart.tsx'
import { ExportButton } from '../../kit/list/ExportButton.tsx'
import { Failed } from '../../kit/list/ListPage.tsx'
import { useLive } from '../../kit/live.ts'
import { RowActions } from '../../kit/RowActions.tsx'
import { Granted } from '../granted.tsx'
import { useActor } from '../session.ts'
import { AnswersOf, NeededOf, StateOf, WhatOf } from './questionCells.tsx'
import type { Opened } from './QuestionDrawers.tsx'

import '../../kit/plainTable.css'
import './questions.css'

const QuestionDrawers = lazyPart(() => import('./QuestionDrawers.tsx'))
const FIRST = 10
const ALL = 100

/** The questions to a home: what is open first. */
export function QuestionsPanel({
  site_id,
  contacts,
}: {
  site_id: string
  /** Those of today, to write an answer down for. */
  contacts: readonly Contact[]
}) {
  const [many, setMany] = useState(FIRST)
  const [opened, setOpened] = useState<Opened | null>(null)
  const actor = useActor()
  const { data, error, refetch } = useQuery({
    queryKey: [questionsApi.list.path, site_id, many],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => call(questionsApi.list, { query: { site_id, pageSize: many } }, signal),
  })
  const again = () => void refetch()
  useLive(['question'], again, { only: (e) => e.site_id === site_id })
  const ofRow = (q: QuestionRow) =>
    actionsOf(questionActions, q, actor, {
      record: { open: () => setOpened({ kind: 'record', question: q, contacts }) },
      withdraw: {
        confirm: `撤回问业主的“${q.words}”：请写明原因，业主看得到`,
        run: (reason) => call(questionsApi.withdraw, { body: { id: q.id, version: q.version, reason } }),
      },
      again: { open: () => setOpened({ kind: 'ask', site_id, again: q }) },
    })
  const rows = data?.list ?? []
  const open = rows.filter((q) => q.state === 'open')
  const late = open.filter((q) => q.lateDays !== null).length
  return (
    <section className="card section">
      <h2>
        待业主决定 {data && <small>{open.length ? `${open.length} 个` : '现在没有'}</small>}
        {late > 0 && <small className="question-late">逾期 {late} 个，等业主</small>}
        <span className="question-tools">
          <Granted needs="owner:export">
            <ExportButton endpoint={questionsApi.export} filters={{ site_id }} name="待业主决定" />
          </Granted>
          <Granted needs="question:ask">
            {contacts.length > 0 && (
              <button className="button" onClick={() => setOpened({ kind: 'ask', site_id, again: null })}>
                询问业主
              </button>
            )}
          </Granted>
        </span>
      </h2>
      {error && <Failed error={error} again={again} />}
      {data && rows.length === 0 && (
        <p className="quiet">
          还没有问过业主。颜色、款式、增项等要业主定的事，写清最晚哪天答复；到期没有答复的会提醒管家去催。
        </p>
      )}
      {rows.length > 0 && (
        <div className="question-table">
          <table className="plain-table">
            <thead>
              <tr>
                <th>问题</th>
                <th>最晚答复</th>
                <th>状态</th>
                <th>答复</th>
                <th>操作</th>
              </tr>
            </thead>
            <tbody>
              {rows.map((q) => (
                <tr key={q.id}>
                  <td>
                    <WhatOf question={q} />
                  </td>
                  <td data-label="最晚答复">
                    <NeededOf question={q} />
                  </td>
                  <td>
                    <StateOf question={q} />
                  </td>
                  <td data-label="答复" className={q.answers.length === 0 ? 'none' : undefined}>
                    <AnswersOf question={q} />
                  </td>
                  <td>
                    <RowActions actions={ofRow(q)} onDone={again} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {data && data.totalCount > rows.length && many < ALL && (
        <button className="text-button" onClick={() => setMany(ALL)}>
          看以前的（共 {data.totalCount} 个）
        </button>
      )}
      {opened && <QuestionDrawers opened={opened} onClose={() => setOpened(null)} onDone={again} />}
    </section>
  )
}
