import { doorWord, type DriverStop } from '@zhuguan/contract/features/dispatch/driver.record.ts'

import { short } from '../../kit/time.ts'
import type { Act } from './outbox.ts'

const FAILED = {
  node: '到哪了没有发出',
  handOver: '交货没有成功',
  say: '交不了货没有说成',
} as const
/** The server's refusal, until it has been read. */
export const Refused = ({
  act: a,
  onAgain,
  onDrop,
}: {
  act: Act
  onAgain?: () => void
  onDrop: () => void
}) => (
  <div className="driver-refused" role="alert">
    <p>
      {FAILED[a.kind]}：{a.why}
    </p>
    {onAgain && (
      <button className="button" onClick={onAgain}>
        {a.kind === 'say' ? '改一下再发' : '改一下再交'}
      </button>
    )}
    <button className="button" onClick={onDrop}>
      知道了
    </button>
  </div>
)

const saidOf = (a: Act): string => (a.kind === 'say' ? doorWord.label(a.word) : '交货')
const Who = ({ of: s }: { of: DriverStop }) => (
  <p className="driver-who">
    {s.contact || '联系人没有填'}
    {s.phone && (
      <a className="button" href={`tel:${s.phone}`}>
        打电话 {s.phone}
      </a>
    )}
  </p>
)

/** One place where goods are unloaded. */
export function StopCard({
  stop: s,
  number,
  acts,
  onWhere,
  onHandOver,
  onSay,
  onAgain,
  onDrop,
}: {
  stop: DriverStop
  /** Its place in the trip; nothing where there is only one. */
  number: number | null
  /** What was done here and has not been sent. */
  acts: readonly Act[]
  onWhere: () => void
  onHandOver: () => void
  onSay: () => void
  /** What was refused is filled in once more. */
  onAgain: (act: Act) => void
  onDrop: (act: Act) => void
}) {
  const kept = acts.find((a) => a.kind !== 'node' && !a.why)
  const isOver = s.state === 'done' || s.state === 'back'
  const refused = acts.filter((a) => a.why)
  return (
    <article className={`driver-stop ${s.state}`} aria-label={s.code}>
      <header>
        {number !== null && <b className="driver-number">{number}</b>}
        <div>
          <h2>{s.community}</h2>
          {!isOver && <p>{s.address || '地址没有填'}</p>}
        </div>
      </header>
      {!isOver && <Who of={s} />}
      <p className="quiet">
        {s.code}
        {s.plannedOn && <> · 预计 {s.plannedOn}</>}
      </p>
      {s.window && <p className="quiet">送货时段 {s.window}</p>}
      {s.parts.length > 0 && (
        <p className="driver-left">{s.state === 'done' ? '最后一次交的' : '还没交的'}</p>
      )}
      <ul className="driver-goods">
        {s.lines.map((l) => (
          <li key={l.line_id}>
            <span>
              {l.name} <small>{l.detail}</small>
            </span>
            <b>
              {l.quantity} <small>{l.unit}</small>
            </b>
          </li>
        ))}
      </ul>
      {s.parts.map((p) => (
        <p key={p.code} className="driver-ok">
          ✓ {short(p.at)} 已部分交货 {p.code}
        </p>
      ))}
      {s.node && s.state === 'open' && (
        <p className="quiet">
          {short(s.node.at)} {s.node.title} {s.node.place}
        </p>
      )}
      {refused.map((a) => (
        <Refused
          key={a.act}
          act={a}
          {...(a.kind !== 'node' && s.state === 'open' && { onAgain: () => onAgain(a) })}
          onDrop={() => onDrop(a)}
        />
      ))}
      {s.state === 'waiting' && <p className="driver-wait">还没有发货，商家发货以后才能交货。</p>}
      {s.state === 'done' && (
        <p className="driver-ok">
          ✓ {short(s.deliveredAt)} 已交货（{s.deliveredBy}）。这一单已经完成，不用再操作。
        </p>
      )}
      {s.state === 'back' && <p className="driver-left">{s.back}。已告诉商家，这一单不用再操作。</p>}
      {s.state === 'open' && kept && (
        <p className="driver-wait" role="status">
          {saidOf(kept)}
          已记在手机里，还没有发出。有网络时会自动发送；页面关掉了，再打开这个链接就接着发。
        </p>
      )}
      {s.state === 'open' && !kept && (
        <footer>
          <button className="button" onClick={onWhere}>
            到哪了
          </button>
          <button className="button" onClick={onSay}>
            交不了货
          </button>
          <button className="button primary" onClick={onHandOver}>
            交货
          </button>
        </footer>
      )}
    </article>
  )
}
