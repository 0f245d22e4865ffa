import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { customersApi } from '@zhuguan/contract/features/customers/customers.api.ts'
import { customerWait, type WaitingCustomer } from '@zhuguan/contract/features/customers/customers.record.ts'
import { useState } from 'react'

import { call } from '../../kit/api.ts'
import { LinkTo } from '../../kit/LinkTo.tsx'
import { State } from '../../kit/State.tsx'
import { leftUntil, nowSeconds, short } from '../../kit/time.ts'

const { answer, back, deposit, overdue } = customerWait.code
/** So many stand there until somebody asks for all. */
const FIRST = 6

/** By when, in the words of its kind; what is past stands out. */
function When({ of: w }: { of: WaitingCustomer }) {
  if (w.wait === deposit) return <time>{short(w.at)} 收</time>
  const isLate = w.wait === overdue || w.at < nowSeconds()
  const text = w.wait === answer || w.wait === back ? leftUntil(w.at) : short(w.at)
  return (
    <time className={isLate ? 'customer-late' : ''} title={short(w.at)}>
      {text}
    </time>
  )
}

/** What waits for whoever looks, first thing in the morning: acting takes a row away. */
export function CustomerWaits({
  mark,
  onAct,
}: {
  /** Changes when something was done. */
  mark: number
  onAct: (w: WaitingCustomer) => void
}) {
  const [all, setAll] = useState(false)
  const { data } = useQuery({
    queryKey: [customersApi.waits.path, mark],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => call(customersApi.waits, {}, signal),
  })
  if (!data) return null
  if (data.n === 0) return <p className="card customer-waits quiet">没有等您跟进的客户</p>
  const shown = all ? data.list : data.list.slice(0, FIRST)
  return (
    <section className="card customer-waits" aria-label="等我跟进">
      <h2>
        等我跟进 <b>{data.n}</b>
        {data.list.length > FIRST && (
          <button className="text-button" onClick={() => setAll(!all)}>
            {all ? '收起' : `查看全部 ${data.list.length} 条`}
          </button>
        )}
      </h2>
      <ul>
        {shown.map((w) => (
          <li key={`${w.id} ${w.wait} ${w.follow_id ?? ''}`}>
            <State tone={w.wait === overdue ? 'bad' : 'wait'}>{customerWait.label(w.wait)}</State>
            <span className="customer-wait-who">
              <LinkTo page="CustomerInfo" query={{ id: w.id }}>
                {w.name}
              </LinkTo>
              <small>{[w.community, w.text].filter(Boolean).join(' · ')}</small>
            </span>
            <When of={w} />
            {w.wait !== deposit && (
              <button className="button" onClick={() => onAct(w)}>
                {w.follow_id ? '完成' : '跟进'}
              </button>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}
