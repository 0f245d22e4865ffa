import { finding, goodsOutcome, goodsReason } from '@zhuguan/contract/features/goods/goods.record.ts'

import { DraftPhotos } from '../../parts/DraftPhotos.tsx'
import { RETURN_OUTCOMES } from './outcomes.ts'
import type { DraftFinding } from './sheetDraft.ts'

const MOST = 6
const TONE: Readonly<Record<number, string>> = { 2: 'fine', 3: 'odd', 4: 'odd', 5: 'odd' }
const { accepted, exchange, return: returned } = finding.code

/** One finding: its quantity and verdict, and of what is not fine why, with pictures. */
export function FindingFields({
  own,
  label,
  said,
  unit,
  frozen,
  onChange,
  onPhotos,
  onRemove,
  onOff,
}: {
  own: string
  label: string
  said: DraftFinding
  unit: string
  frozen: boolean
  onChange: (to: Partial<DraftFinding>) => void
  onPhotos: (files: Iterable<File>) => void
  onRemove: (photo: string) => void
  onOff: () => void
}) {
  const isOdd = said.result !== accepted
  return (
    <div className="finding" role="group" aria-label={label}>
      <div className="finding-top">
        <input
          id={`${own}-quantity`}
          aria-label={`数量（${unit}）`}
          inputMode="decimal"
          value={said.quantity}
          disabled={frozen}
          onChange={(e) => onChange({ quantity: e.target.value.trim() })}
        />
        <span className="quiet">{unit}</span>
        <div className="results" role="group" aria-label="结论">
          {finding.options.map((o) => (
            <button
              key={o.value}
              className={TONE[o.value]}
              aria-pressed={said.result === o.value}
              disabled={frozen}
              onClick={() => onChange({ result: o.value })}
            >
              {o.label}
            </button>
          ))}
        </div>
        <button className="icon-button" aria-label="去掉这一条" disabled={frozen} onClick={onOff}>
          ×
        </button>
      </div>
      {isOdd && (
        <>
          <div className="finding-why">
            <select
              aria-label="原因"
              value={said.reasonCode}
              disabled={frozen}
              onChange={(e) =>
                onChange({ reasonCode: goodsReason.values.find((v) => v === e.target.value)! })
              }
            >
              {goodsReason.options.map((o) => (
                <option key={o.value} value={o.value}>
                  {o.label}
                </option>
              ))}
            </select>
            <input
              aria-label="说明"
              maxLength={200}
              value={said.reason}
              disabled={frozen}
              placeholder="哪里不对（可不填）"
              onChange={(e) => onChange({ reason: e.target.value })}
            />
          </div>
          <DraftPhotos
            own={own}
            caption="验收照片"
            photos={said.photos}
            most={MOST}
            must
            frozen={frozen}
            onPhotos={onPhotos}
            onRemove={onRemove}
          />
        </>
      )}
      {said.result === returned && (
        <div className="finding-why">
          <select
            aria-label="退货以后"
            value={said.outcome}
            disabled={frozen}
            onChange={(e) => onChange({ outcome: goodsOutcome.values.find((v) => v === e.target.value)! })}
          >
            <option value="">退货以后怎么办（必选）</option>
            {RETURN_OUTCOMES.map((o) => (
              <option key={o.value} value={o.value}>
                {o.label}
              </option>
            ))}
          </select>
          <input
            aria-label="处理说明"
            maxLength={200}
            value={said.outcomeReason}
            disabled={frozen}
            placeholder={
              said.outcome === goodsOutcome.code.borne ? '由公司承担的原因（必填）' : '处理说明（可不填）'
            }
            onChange={(e) => onChange({ outcomeReason: e.target.value })}
          />
        </div>
      )}
      {(said.result === returned || said.result === exchange) && (
        <label className="finding-scrap">
          <input
            type="checkbox"
            checked={said.scrap}
            disabled={frozen}
            onChange={(e) => onChange({ scrap: e.target.checked })}
          />
          现场报废，不退回商家
        </label>
      )}
    </div>
  )
}
