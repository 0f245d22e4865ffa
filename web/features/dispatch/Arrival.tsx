import { dispatchState } from '@zhuguan/contract/features/dispatch/dispatch.record.ts'
import { type ArrivalRow, clash } from '@zhuguan/contract/features/dispatch/trips.record.ts'
import { deliveryMethod } from '@zhuguan/contract/features/orders/orders.record.ts'
import { siteStage } from '@zhuguan/contract/features/sites/sites.record.ts'

import { Fact, Facts } from '../../kit/Facts.tsx'
import { NoteLink, OrderLink } from '../../parts/documentLinks.tsx'
import { NoteState } from './noteStates.tsx'

import './arrivals.css'

const clashesOf = (a: ArrivalRow) => a.clashes.map(clash.label)
const inWords = (a: ArrivalRow) =>
  [a.ws_name, a.names, a.receiverName, dispatchState.label(a.state), a.late ? '逾期' : '', ...clashesOf(a)]
    .filter(Boolean)
    .join('，')

/** One note on its day: whose site, what, from whom, how far, what speaks against it; its place where there is room. */
export const ArrivalEntry = ({ of: a, whole }: { of: ArrivalRow; whole: boolean }) => (
  <div className="arrival" title={inWords(a)}>
    <b>{a.ws_name}</b>
    <span>{a.names}</span>
    <span>{a.receiverName}</span>
    {whole && a.place && <span>放到 {a.place}</span>}
    <span className="arrival-state">
      <NoteState of={a} />
      {clashesOf(a).map((word) => (
        <em key={word}>⚠ {word}</em>
      ))}
    </span>
  </div>
)

/** The known facts of it, and the way to its papers; `onReplan` where its day may be changed. */
export function ArrivalCard({ of: a, onReplan }: { of: ArrivalRow; onReplan?: (() => void) | undefined }) {
  return (
    <div className="arrival-card">
      <h3>
        <NoteLink id={a.id} code={a.code} /> <NoteState of={a} />
      </h3>
      {a.clashes.length > 0 && <p className="arrival-clash">⚠ {clashesOf(a).join('、')}</p>}
      <Facts>
        <Fact name="工地">{a.ws_name}</Fact>
        <Fact name="商家">{a.receiverName}</Fact>
        <Fact name="商品" whole>
          {`${a.names}${a.lines > 3 ? ` 等 ${a.lines} 行` : ''}`}
        </Fact>
        <Fact name="预计到达">{a.plannedOn}</Fact>
        <Fact name="交付方式">{deliveryMethod.label(a.method)}</Fact>
        <Fact name="阶段" whole>
          {a.stage && `${siteStage.label(a.stage)}${a.stageOn ? `，${a.stageOn} 开始` : ''}`}
        </Fact>
        <Fact name="可以到货" whole>
          {[a.readyOn && `${a.readyOn} 起`, a.place].filter(Boolean).join('，')}
        </Fact>
        <Fact name="订单">
          <OrderLink id={a.order_id} code={a.orderCode} />
        </Fact>
      </Facts>
      {onReplan && (
        <button className="button" data-focus onClick={onReplan}>
          改日期
        </button>
      )}
    </div>
  )
}
