import { personPageApi } from '@zhuguan/contract/features/persons/person-page.api.ts'
import { personAsk, personState } from '@zhuguan/contract/features/persons/persons.record.ts'
import type { DataOf } from '@zhuguan/contract/kit/api.ts'
import { useEffect, useState } from 'react'

import { call } from '../../kit/api.ts'
import { isAway } from './away.ts'
import type { Bearer } from './bearer.ts'
import { useAct } from './useAct.ts'

type Asked = DataOf<typeof personPageApi.requests>[number]
type Ask = Asked['ask']
const { collect, erase } = personAsk.code
const { executed, refused } = personState.code

const MEANS: Readonly<Record<Ask, string>> = {
  [collect]: '我们会核实是您本人，把保存的内容汇总成一份文件交给您。',
  [erase]: '我们会核实是您本人再删除；工程、投诉或款项没有了结的部分，了结以后自动删除。这一页之后会打不开。',
}
const stateOf = (r: Asked): string => {
  if (r.state === executed) return '已办完'
  if (r.state === refused) return `没有办理：${r.refusedFor}`
  return `${personState.label(r.state)}，${r.due} 前答复您`
}

/** What is kept of whoever looks at this page: a copy of it, or its end, asked here. */
export default function OwnerPrivacy({ bearer }: { bearer: Bearer }) {
  const { actOf, done } = useAct()
  const [list, setList] = useState<Asked[]>([])
  const [asking, setAsking] = useState<Ask | null>(null)
  const [busy, setBusy] = useState(false)
  const [why, setWhy] = useState('')
  async function read() {
    try {
      setList(await call(personPageApi.requests, { body: bearer }))
    } catch (error) {
      // What the page says of a link that is over, it says for all of its parts.
      if (!isAway(error)) setList([])
    }
  }
  useEffect(() => void read(), [])
  const isPending = (ask: Ask) =>
    list.some((r) => r.ask === ask && r.state !== executed && r.state !== refused)
  async function send(ask: Ask) {
    setBusy(true)
    setWhy('')
    try {
      await call(personPageApi.ask, { body: { ...bearer, act: actOf(ask), ask } })
      setAsking(null)
      done()
      await read()
    } catch (error) {
      setWhy((error as Error).message)
    } finally {
      setBusy(false)
    }
  }
  return (
    <section className="owner-card" aria-label="我的个人信息">
      <h2>我的个人信息</h2>
      {list.length > 0 && (
        <ul className="owner-items">
          {list.map((r) => (
            <li key={r.id}>
              <p>
                <b>{personAsk.label(r.ask)}</b>
              </p>
              <p className="owner-meta">
                {r.no} · {stateOf(r)}
              </p>
            </li>
          ))}
        </ul>
      )}
      {asking ? (
        <>
          <p>{MEANS[asking]}</p>
          <div className="owner-decide">
            <button className="button primary" disabled={busy} onClick={() => void send(asking)}>
              {`提出${personAsk.label(asking)}`}
            </button>
            <button className="button" onClick={() => setAsking(null)}>
              算了
            </button>
          </div>
        </>
      ) : (
        <div className="owner-decide">
          <button className="button" disabled={isPending(collect)} onClick={() => setAsking(collect)}>
            要一份我的信息
          </button>
          <button className="button" disabled={isPending(erase)} onClick={() => setAsking(erase)}>
            删除我的信息
          </button>
        </div>
      )}
      {why && <p role="alert">{why}</p>}
    </section>
  )
}
