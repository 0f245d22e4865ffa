import { itemVerdict, type PatrolItem } from '@zhuguan/contract/features/patrols/patrols.record.ts'

import { DraftPhotos } from '../../parts/DraftPhotos.tsx'
import type { DraftItem } from './draftStore.ts'

const { failed, none, passed } = itemVerdict.code
const MOST = 9

/** One thing to look at: its verdict, its pictures, and what is to be put right where it failed. */
export function PatrolItemCard({
  number,
  item,
  said,
  people,
  why,
  frozen,
  onChange,
  onPhotos,
  onRemove,
}: {
  number: number
  item: PatrolItem
  said: DraftItem
  people: readonly { id: string; nickname: string }[]
  /** The reason why it cannot be handed in like this. */
  why: string | undefined
  frozen: boolean
  onChange: (to: Partial<DraftItem>) => void
  onPhotos: (files: Iterable<File>) => void
  onRemove: (photo: string) => void
}) {
  const isFailed = said.verdict === failed
  const mustShow = isFailed || (item.photo && said.verdict !== none)
  const own = `item-${item.id}`
  return (
    <section id={own} className={`card patrol-item${why ? ' bad' : ''}`} aria-label={item.title}>
      <h3>
        {number}. {item.title}
      </h3>
      {item.hint && <p className="quiet">{item.hint}</p>}
      <div className="verdicts" role="group" aria-label="判定">
        {([passed, failed, none] as const).map((verdict) => (
          <button
            key={verdict}
            className={verdict}
            aria-pressed={said.verdict === verdict}
            disabled={frozen}
            onClick={() => onChange({ verdict })}
          >
            {itemVerdict.label(verdict)}
          </button>
        ))}
      </div>
      {isFailed && (
        <>
          <label htmlFor={`${own}-problem`}>要整改的问题</label>
          <textarea
            id={`${own}-problem`}
            rows={2}
            maxLength={200}
            value={said.problem}
            disabled={frozen}
            placeholder="写明哪里不合格、要怎样改"
            onChange={(e) => onChange({ problem: e.target.value })}
          />
          <label htmlFor={`${own}-who`}>责任人</label>
          <select
            id={`${own}-who`}
            value={said.assignee_id ?? ''}
            disabled={frozen}
            onChange={(e) => onChange({ assignee_id: e.target.value || null })}
          >
            <option value="">工地的项目经理（没有则项目管家）</option>
            {people.map((p) => (
              <option key={p.id} value={p.id}>
                {p.nickname}
              </option>
            ))}
          </select>
        </>
      )}
      {said.verdict !== null && !isFailed && (
        <input
          aria-label="说明"
          maxLength={200}
          value={said.remark}
          disabled={frozen}
          placeholder={said.verdict === none ? '为什么不适用（必填）' : '说明（可不填）'}
          onChange={(e) => onChange({ remark: e.target.value })}
        />
      )}
      <DraftPhotos
        own={own}
        caption="巡检照片"
        most={MOST}
        photos={said.photos}
        must={mustShow}
        frozen={frozen}
        onPhotos={onPhotos}
        onRemove={onRemove}
      />
      {why && (
        <p className="fault" role="alert">
          {why}
        </p>
      )}
    </section>
  )
}
