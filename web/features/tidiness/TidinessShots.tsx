import { tidinessResult } from '@zhuguan/contract/features/sites/sites.record.ts'
import type { TidinessRow } from '@zhuguan/contract/features/tidiness/tidiness.record.ts'

import { Picture } from '../../kit/Picture.tsx'
import { type RowAction, RowActions } from '../../kit/RowActions.tsx'
import { full, short } from '../../kit/time.ts'
import { Tidy } from '../../parts/Tidy.tsx'
import { Change, Judged, seenBy } from './words.tsx'

/** The list as pictures. */
export function TidinessShots({
  rows,
  current,
  actionsOf,
  onOpen,
  onDone,
}: {
  rows: readonly TidinessRow[]
  current: string | null
  actionsOf: (check: TidinessRow) => RowAction[]
  onOpen: (check: TidinessRow) => void
  onDone: () => void
}) {
  const acts = rows.some((t) => actionsOf(t).length > 0)
  return (
    <div className="shots">
      {rows.map((t) => (
        <article key={t.id} data-row={t.id} className={`shot${current === t.id ? ' now' : ''}`}>
          <button
            className="cover"
            aria-label={`打开 ${t.siteName} 整洁度${tidinessResult.label(t.result)}`}
            onClick={() => onOpen(t)}
          >
            <Picture plain picture={t.picture} caption={`${seenBy(t)} ${full(t.at)}`} />
          </button>
          <p>
            <span>{t.siteName}</span>
            <small title={full(t.at)}>{short(t.at)}</small>
          </p>
          <small>{seenBy(t)}</small>
          <div>
            <Tidy result={t.result} /> <Change check={t} />
          </div>
          <small>{t.judgedAt !== null && <Judged check={t} />}</small>
          {acts && (
            <footer>
              <RowActions actions={actionsOf(t)} onDone={onDone} shown={2} />
            </footer>
          )}
        </article>
      ))}
    </div>
  )
}
