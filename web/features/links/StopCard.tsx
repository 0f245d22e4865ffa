import type { DriverStop } from '@zhuguan/contract/features/dispatch/driver.record.ts'

import { short } from '../../kit/time.ts'
import type { Act } from './outbox.ts'

/** One place where goods are unloaded. */
export function StopCard({
  stop: s,
  number,
  acts,
  onWhere,
  onHandOver,
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
  /** What was refused is filled in once more. */
  onAgain: (act: Act) => void
  onDrop: (act: Act) => void
}) {
  const handing = acts.some((a) => a.kind === 'handOver' && !a.why)
  const refused = acts.filter((a) => a.why)
  return (
    <article className={`driver-stop ${s.state}`} aria-label={s.code}>
      <header>
        {number !== null && <b className="driver-number">{number}</b>}
        <div>
          <h2>{s.community}</h2>
          {s.state !== 'done' && <p>{s.address || '地址没有填'}</p>}
        </div>
      </header>
      {s.state !== 'done' && (
        <p className="driver-who">
          {s.contact || '联系人没有填'}
          {s.phone && (
            <a className="button" href={`tel:${s.phone}`}>
              打电话 {s.phone}
            </a>
          )}
        </p>
      )}
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
        <div key={a.act} className="driver-refused" role="alert">
          <p>
            {a.kind === 'handOver' ? '交货没有成功' : '到哪了没有发出'}：{a.why}
          </p>
          {a.kind === 'handOver' && s.state === 'open' && (
            <button className="button" onClick={() => onAgain(a)}>
              改一下再交
            </button>
          )}
          <button className="button" onClick={() => onDrop(a)}>
            知道了
          </button>
        </div>
      ))}
      {s.state === 'waiting' && <p className="driver-wait">还没有发货，商家发货以后才能交货。</p>}
      {s.state === 'done' && (
        <p className="driver-ok">
          ✓ {short(s.deliveredAt)} 已交货（{s.deliveredBy}）。这一单已经完成，不用再操作。
        </p>
      )}
      {s.state === 'open' && handing && (
        <p className="driver-wait" role="status">
          交货已记在手机里，还没有发出。有网络时会自动发送；页面关掉了，再打开这个链接就接着发。
        </p>
      )}
      {s.state === 'open' && !handing && (
        <footer>
          <button className="button" onClick={onWhere}>
            到哪了
          </button>
          <button className="button primary" onClick={onHandOver}>
            交货
          </button>
        </footer>
      )}
    </article>
  )
}
