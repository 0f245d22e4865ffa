import type { SheetDetail } from '@zhuguan/contract/features/goods/goods.record.ts'
import { goodsReason } from '@zhuguan/contract/features/goods/goods.record.ts'
import { acceptanceResult } from '@zhuguan/contract/features/pieces/pieces.record.ts'
import * as money from '@zhuguan/contract/kit/money.ts'

import { LinkTo } from '../../kit/LinkTo.tsx'
import { Picture } from '../../kit/Picture.tsx'
import { dayOf, full, nowSeconds, short } from '../../kit/time.ts'
import { FindingFields } from './FindingFields.tsx'
import { type DraftFinding, isWaiting, leftOf, newFinding, type SheetLine } from './sheetDraft.ts'
import type { SheetDrafts } from './useSheetDrafts.ts'

/** One line of a sheet: what came of it, what is found, and what was found before. */
export function SheetLineCard({
  number,
  sheet,
  line,
  findings,
  why,
  hand,
  frozen,
  onComplain,
  onSurplus,
}: {
  number: number
  sheet: SheetDetail
  line: SheetLine
  findings: readonly DraftFinding[]
  /** The reason why it cannot be handed in like this. */
  why: string | undefined
  /** The place where it can be judged. */
  hand: SheetDrafts | undefined
  frozen: boolean
  onComplain?: (() => void) | undefined
  onSurplus?: (() => void) | undefined
}) {
  const { unit } = line
  const left = leftOf(line, findings)
  const isMore = left !== null && !left.startsWith('-') && !money.isZero(left)
  const judges = hand && (isWaiting(line) || findings.length > 0)
  return (
    <section
      id={`line-${line.line_id}`}
      className={`card sheet-line${why ? ' bad' : ''}`}
      aria-label={line.name}
    >
      <h3>
        {number}. {line.name} <small>{line.detail}</small>
      </h3>
      <Counts of={line} />
      {judges &&
        findings.map((f, at) => (
          <FindingFields
            key={f.id}
            own={`finding-${f.id}`}
            said={f}
            unit={unit}
            frozen={frozen}
            label={`${line.name}，第 ${at + 1} 条`}
            onChange={(to) =>
              void hand.change(sheet, line.line_id, (list) =>
                list.map((o) => (o.id === f.id ? { ...o, ...to } : o)),
              )
            }
            onPhotos={(files) => void hand.addPhotos(sheet, line.line_id, f.id, files)}
            onRemove={(photo) => void hand.removePhoto(sheet, line.line_id, f.id, photo)}
            onOff={() => void hand.change(sheet, line.line_id, (list) => list.filter((o) => o.id !== f.id))}
          />
        ))}
      {judges && isMore && (
        <p className="wait">
          还有 {left} {unit} 没有结论{findings.length === 0 ? '，这一行先不验' : '，提交后继续待验收'}
        </p>
      )}
      {why && (
        <p className="fault" role="alert">
          {why}
        </p>
      )}
      <p className="sheet-tools">
        {judges && !frozen && (
          <button
            className="text-button"
            onClick={() =>
              void hand.change(sheet, line.line_id, (list) => [
                ...list,
                newFinding(isMore ? left : '', isMore && !list.some((f) => f.result === 2) ? 2 : 4),
              ])
            }
          >
            再加一条
          </button>
        )}
        <Afterwards sheet={sheet} line={line} onComplain={onComplain} onSurplus={onSurplus} />
      </p>
      {line.judgements.length > 0 && <Before of={line} />}
    </section>
  )
}

const Counts = ({ of: line }: { of: SheetLine }) => (
  <p className="sheet-counts">
    到货 <b>{line.quantity}</b> {line.unit}
    {isWaiting(line) && (
      <>
        ，待验收 <b className="wait">{line.waiting}</b> {line.unit}
      </>
    )}
    {!money.isZero(line.accepted) && (
      <>
        ，合格 <b>{line.accepted}</b> {line.unit}
      </>
    )}
  </p>
)
/** The claims that a line can have beside the judging. */
function Afterwards({
  sheet,
  line,
  onComplain,
  onSurplus,
}: {
  sheet: SheetDetail
  line: SheetLine
  onComplain: (() => void) | undefined
  onSurplus: (() => void) | undefined
}) {
  const late = sheet.complainUntil !== null && sheet.complainUntil < dayOf(nowSeconds())
  return (
    <>
      {onSurplus && (
        <button className="text-button" onClick={onSurplus}>
          多件
        </button>
      )}
      {onComplain && !money.isZero(line.accepted) && (
        <button
          className="text-button"
          disabled={late}
          title={late ? `验收后的申诉期到 ${sheet.complainUntil} 为止` : undefined}
          onClick={onComplain}
        >
          申请退换补
        </button>
      )}
    </>
  )
}

const Before = ({ of: line }: { of: SheetLine }) => (
  <ul className="sheet-before">
    {line.judgements.map((j) => (
      <li key={j.id}>
        <b>{acceptanceResult.label(j.result)}</b> {j.quantity} {line.unit}
        {j.reasonCode && `，${goodsReason.label(j.reasonCode)}`}
        {j.reason && `：${j.reason}`}
        {j.changeCode && (
          <>
            ，
            <LinkTo page="ChangeGoods" query={{ keyword: j.changeCode }}>
              {j.changeCode}
            </LinkTo>
          </>
        )}
        <small title={full(j.at)}>
          {j.who} {short(j.at)}
        </small>
        {j.photos.length > 0 && (
          <span className="goods-shots" data-gallery>
            {j.photos.map((key) => (
              <Picture
                key={key}
                picture={key}
                caption={`${line.name} ${full(j.at)}`}
                width={72}
                height={54}
              />
            ))}
          </span>
        )}
      </li>
    ))}
  </ul>
)
