import { homeWait, type Waiting } from '@zhuguan/contract/features/home/home.record.ts'
import { useEffect, useState } from 'react'

import { Picture } from '../../kit/Picture.tsx'
import { lasting, nowSeconds, short } from '../../kit/time.ts'
import { overList } from './overList.ts'

/** What waits for whoever looks, each kind with the first of it and the way to all of them. */
export function Waits({ waiting }: { waiting: readonly Waiting[] }) {
  const total = waiting.reduce((sum, lane) => sum + lane.total, 0)
  // Where nothing waited, what comes is told in the same line: cards do not move away under the pointer.
  const [isFolded, setFolded] = useState(false)
  useEffect(() => {
    if (total === 0) setFolded(true)
  }, [total])
  // Who comes back to the page sees what waits.
  useEffect(() => () => setFolded(false), [])
  if (waiting.length === 0) return null
  // Late work is work that was handed over: without any there is nothing to say of it.
  const lanes = waiting.filter((lane) => lane.total > 0 || lane.wait !== homeWait.code.overdue)
  if (total === 0)
    return (
      <p className="card wait-none">
        <b>没有等您整改、复核或指派的问题</b>
        <span className="quiet">
          {lanes.map((lane) => homeWait.label(lane.wait)).join('、')}都是 0；有新的会自动出现在这里
        </span>
      </p>
    )
  if (isFolded)
    return (
      <p className="card wait-none">
        <b>有新的事等您处理</b>
        <button className="text-button" onClick={() => setFolded(false)}>
          {lanes
            .filter((lane) => lane.total > 0)
            .map((lane) => `${homeWait.label(lane.wait)} ${lane.total}`)
            .join('、')}
          ，展开
        </button>
      </p>
    )
  const empty = lanes.filter((lane) => lane.total === 0)
  return (
    <div className="waits">
      {lanes
        .filter((lane) => lane.total > 0)
        .map((lane) => (
          <Lane key={lane.wait} lane={lane} />
        ))}
      {empty.length > 0 && (
        <p className="quiet">没有{empty.map((lane) => homeWait.label(lane.wait)).join('、')}的问题</p>
      )}
    </div>
  )
}

function Lane({ lane: { wait, total, link, rows } }: { lane: Waiting }) {
  const isLate = wait === homeWait.code.overdue
  return (
    <section className={isLate ? 'card wait-lane alert' : 'card wait-lane'} aria-label={homeWait.label(wait)}>
      <h2>
        {homeWait.label(wait)} <b>{total}</b>
        <a href={`#${link}`}>查看全部 {total} 条</a>
      </h2>
      {rows.length === 0 && <p className="quiet">都已超期，见“我的超期”</p>}
      <div className="wait-rows">
        {rows.map((a) => (
          <a key={a.id} className="home-row" href={`#${overList(link, a.link)}`}>
            <Picture plain picture={a.picture} caption={a.problem} width={56} height={40} />
            <span className="home-what">
              <b>{a.problem}</b>
              <small>{a.disputed ? `${a.siteName} · 责任人申诉` : a.siteName}</small>
            </span>
            {a.dueAt !== null && (
              <time className={a.late ? 'late' : ''} title={`截止 ${short(a.dueAt)}`}>
                {a.late ? `超期 ${lasting(nowSeconds() - a.dueAt)}` : `截止 ${short(a.dueAt)}`}
              </time>
            )}
          </a>
        ))}
      </div>
    </section>
  )
}
