import type {
  SharedLine,
  SharedQuotation as Quotation,
} from '@zhuguan/contract/features/quotations/shared-quotation.record.ts'
import { shareSection } from '@zhuguan/contract/features/shares/shares.record.ts'

import { Seen, type ShareSection } from './SharedView.tsx'

const { lines, total } = shareSection.code
const roomsOf = (list: readonly SharedLine[]) => [...new Set(list.map((l) => l.room))]

/** What is of the package has no price of its own. */
const priceWords = (price: string) => (/^\d/.test(price) ? `× ${price.replace('\n', '，')}` : `· ${price}`)

function Lines({ list }: { list: readonly SharedLine[] }) {
  return roomsOf(list).map((room) => (
    <div key={room} className="share-room">
      <h3>{room}</h3>
      <ul>
        {list
          .filter((l) => l.room === room)
          .map((l, i) => (
            <li key={i}>
              <p>
                <b>{l.name}</b>
                <b className="share-amount">{l.amount}</b>
              </p>
              <p className="quiet">
                {l.attribute} · {l.quantity} {l.unit} {priceWords(l.price)}
              </p>
              {(l.detail || l.remark) && (
                <p className="quiet">{[l.detail, l.remark].filter(Boolean).join('，')}</p>
              )}
            </li>
          ))}
      </ul>
    </div>
  ))
}

/** A version as its paper has it; past its days no price at all. */
export default function SharedQuotation({
  of: q,
  look,
}: {
  of: Quotation
  look: (section: ShareSection) => void
}) {
  const facts = [q.community, `${q.area} ㎡`, q.packageName].filter(Boolean).join(' · ')
  if (q.expired)
    return (
      <section className="share-card">
        <h2>
          报价 {q.code} <small className="share-over">已过期</small>
        </h2>
        <p>{facts}</p>
        <p className="quiet">
          这份报价的有效期到 {q.validUntil}，价格可能已经变了。请联系发给您的人重新报价。
        </p>
      </section>
    )
  return (
    <>
      <Seen
        as={total}
        look={look}
        title={
          <>
            报价 {q.code} <small>第 {q.number} 版</small>
          </>
        }
      >
        <p>{facts}</p>
        <p className="share-big">
          <small>¥</small> {q.total}
        </p>
        <dl className="share-steps">
          {q.steps.map((s) => (
            <div key={s.title}>
              <dt>{s.title}</dt>
              <dd>{s.amount}</dd>
            </div>
          ))}
        </dl>
        <p className="quiet">有效期至 {q.validUntil}</p>
      </Seen>
      <Seen
        as={lines}
        look={look}
        title={
          <>
            报价明细 <small>{q.lines.length} 项</small>
          </>
        }
      >
        <Lines list={q.lines} />
        <dl className="share-steps">
          {q.sums.map((s) => (
            <div key={s.title}>
              <dt>{s.title}</dt>
              <dd>{s.amount}</dd>
            </div>
          ))}
          <div className="share-total">
            <dt>总价</dt>
            <dd>{q.total}</dd>
          </div>
        </dl>
        {q.others.length > 0 && (
          <>
            <h3 className="share-others">备选，不计入总价</h3>
            <Lines list={q.others} />
          </>
        )}
        {q.remark && <p className="share-words">{q.remark}</p>}
      </Seen>
    </>
  )
}
