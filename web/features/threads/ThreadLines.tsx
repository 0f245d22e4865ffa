import {
  TAKE_BACK_S,
  threadChannel,
  threadSide,
} from '@zhuguan/contract/features/threads/thread-page.record.ts'
import { threadsApi } from '@zhuguan/contract/features/threads/threads.api.ts'
import {
  type ThreadDetail,
  threadKind,
  type ThreadMessage,
  threadOutcome,
} from '@zhuguan/contract/features/threads/threads.record.ts'
import type { PageName } from '@zhuguan/contract/pages.ts'
import { useEffect, useRef } from 'react'

import { call } from '../../kit/api.ts'
import { LinkTo } from '../../kit/LinkTo.tsx'
import { Picture } from '../../kit/Picture.tsx'
import { type RowAction, RowActions } from '../../kit/RowActions.tsx'
import { ago, clock, dayOf, full, lasting, nowSeconds, short } from '../../kit/time.ts'
import { useGranted } from '../../parts/granted.tsx'
import { useActor } from '../../parts/session.ts'

type Outcome = ThreadDetail['outcomes'][number]
type Making = (kind: Outcome['kind'], message: ThreadMessage) => void
const { page } = threadChannel.code
/** With what each kind of record is made, and where it is read. */
const MAKING: Record<
  Outcome['kind'],
  { needs: string; page: PageName; address: (o: Outcome, site: string) => Record<string, string> }
> = {
  feedback: { needs: 'feedback:enter', page: 'FeedbackList', address: (o) => ({ id: o.id }) },
  promise: { needs: 'promise:add', page: 'PromiseList', address: (o) => ({ id: o.id }) },
  question: { needs: 'question:ask', page: 'OwnerInfo', address: (_o, site) => ({ site_id: site }) },
  reception: { needs: 'reception:edit', page: 'OwnerVisit', address: (_o, site) => ({ site_id: site }) },
}

/** The lines, the oldest first; it opens where the first one waits for an answer. */
export function ThreadLines({
  site,
  messages,
  outcomes,
  more,
  isFetching,
  onMore,
  since,
  onMake,
  onDone,
}: {
  site: string
  messages: readonly ThreadMessage[]
  outcomes: readonly Outcome[]
  more: boolean
  isFetching: boolean
  onMore: () => void
  /** When the present owner's time began. */
  since: number | null
  /** Left out where the reader answers nothing. */
  onMake: Making | undefined
  onDone: () => void
}) {
  const box = useRef<HTMLOListElement>(null)
  const end = messages.at(-1)?.seq ?? 0
  const first = messages.find((m) => m.waits)?.seq
  // What is new comes into view: the first that waits, or the end.
  useEffect(() => {
    const list = box.current
    if (!list) return
    const waits = list.querySelector<HTMLElement>('.unanswered')
    const to = waits ? waits.offsetTop - list.offsetTop - 8 : list.scrollHeight
    list.scrollTop = Math.max(0, to)
  }, [end])
  if (messages.length === 0)
    return (
      <div className="empty thread-lines">
        <h2>还没有留言</h2>
        <p className="quiet">
          业主在自己的页面上写的会出现在这里；电话、微信里说的，点“代录业主的话”记下来。
        </p>
      </div>
    )
  return (
    <ol ref={box} className="thread-lines" aria-busy={isFetching} data-gallery>
      {more && (
        <li className="thread-more">
          <button className="button" onClick={onMore} disabled={isFetching}>
            更早的留言
          </button>
        </li>
      )}
      {messages.map((m, i) => (
        <Message
          key={m.id}
          of={m}
          site={site}
          day={i === 0 || dayOf(messages[i - 1]!.at) !== dayOf(m.at) ? dayOf(m.at) : ''}
          first={m.seq === first}
          outcomes={outcomes.filter((o) => o.message_id === m.id)}
          since={since}
          onMake={onMake}
          onDone={onDone}
        />
      ))}
    </ol>
  )
}

/** Whether the home has seen what we wrote on its page. */
const Seen = ({ of: m }: { of: ThreadMessage }) =>
  m.seenAt === null ? (
    <span className="thread-unseen" title={`自 ${full(m.at)} 起未读`}>
      {['未读', nowSeconds() - m.at >= 60 && lasting(nowSeconds() - m.at)].filter(Boolean).join(' ')}
    </span>
  ) : (
    <span>
      {m.seenBy} {short(m.seenAt)} 已读
    </span>
  )

/** What may be done with a line: one's own goes back for a while, the home's is made into something. */
function useLineActions(
  m: ThreadMessage,
  made: ReadonlySet<Outcome['kind']>,
  since: number | null,
  onMake: Making | undefined,
): RowAction[] {
  const actor = useActor()
  const granted = useGranted()
  if (m.takenAt !== null || m.kind === threadKind.code.silence) return []
  const isFresh = m.user_id === actor.id && nowSeconds() - m.at < TAKE_BACK_S
  // What an owner of before has said is no promise to, and no question of, whoever has the home now.
  const isFormer = since !== null && m.at < since
  const makes =
    onMake && m.side === threadSide.code.owner
      ? threadOutcome.values.filter((k) => !made.has(k) && (!isFormer || k === threadOutcome.code.feedback))
      : []
  const back = {
    needs: 'thread:reply',
    key: 'back',
    label: '撤回',
    run: () => call(threadsApi.takeBack, { body: { id: m.id } }),
  }
  return granted([
    ...(isFresh ? [back] : []),
    ...makes.map((kind) => ({
      needs: MAKING[kind].needs,
      key: kind,
      label: `转为${threadOutcome.label(kind)}`,
      open: () => onMake?.(kind, m),
    })),
  ])
}

function Words({ of: m }: { of: ThreadMessage }) {
  if (m.takenAt !== null) return <p className="thread-words quiet">已撤回（{short(m.takenAt)}）</p>
  if (m.kind === threadKind.code.silence) return <p className="thread-words">无需回复：{m.words}</p>
  return (
    <div className="thread-words">
      {m.words && <p>{m.words}</p>}
      {m.pictures.length > 0 && (
        <div className="thread-pictures">
          {m.pictures.map((key) => (
            <Picture key={key} picture={key} caption={`${m.who} ${full(m.at)}`} width={112} height={84} />
          ))}
        </div>
      )}
    </div>
  )
}

function Message({
  of: m,
  site,
  day,
  first,
  outcomes,
  since,
  onMake,
  onDone,
}: {
  of: ThreadMessage
  site: string
  /** The day that begins with it. */
  day: string
  /** The first that waits for an answer. */
  first: boolean
  outcomes: readonly Outcome[]
  since: number | null
  onMake: Making | undefined
  onDone: () => void
}) {
  const made = new Set(outcomes.map((o) => o.kind))
  const actions = useLineActions(m, made, since, onMake)
  const isSaid = m.kind !== threadKind.code.silence && m.takenAt === null
  const isOurs = m.side === threadSide.code.staff
  const isShown = isSaid && isOurs && m.channel === page
  return (
    <>
      {day && <li className="thread-day">{day}</li>}
      {first && <li className="thread-first">以下还没有回复</li>}
      <li className={`thread-line${isOurs ? ' ours' : ''}${m.waits ? ' unanswered' : ''}`} data-kind={m.kind}>
        <p className="thread-who">
          <b>{m.who}</b>
          <time title={full(m.at)}>{clock(m.at)}</time>
          {m.kind === threadKind.code.progress && <span>{threadKind.label(m.kind)}</span>}
          {isSaid && m.channel !== page && <span>{threadChannel.label(m.channel)}</span>}
          {m.enteredBy && <span>{m.enteredBy} 代录</span>}
          {m.waits && <span className="thread-wait">待回复 · {ago(m.at)}</span>}
        </p>
        <Words of={m} />
        <div className="thread-foot">
          {isShown && <Seen of={m} />}
          {outcomes.map((o) => (
            <Became key={o.id} of={o} site={site} />
          ))}
          <RowActions actions={actions} onDone={onDone} shown={5} />
        </div>
      </li>
    </>
  )
}

function Became({ of: o, site }: { of: Outcome; site: string }) {
  const { address, page: to } = MAKING[o.kind]
  return (
    <LinkTo page={to} query={address(o, site)}>
      {`已转为${threadOutcome.label(o.kind)}`}
    </LinkTo>
  )
}
