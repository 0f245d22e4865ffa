import type { AlarmRow } from '@zhuguan/contract/features/alarms/alarms.record.ts'

import { Picture } from '../../kit/Picture.tsx'
import { type RowAction, RowActions } from '../../kit/RowActions.tsx'
import { full, short } from '../../kit/time.ts'
import { dueOf, StatusOf } from '../../parts/correcting.tsx'
import { nameOf } from './nameOf.ts'
import { Unannounced } from './Unannounced.tsx'

/** The list as pictures: each line of a card is one line, so that the pictures of a row stand level. */
export function AlarmShots({
  list,
  current,
  selectable,
  actionsOf,
  onOpen,
  onDone,
}: {
  list: { rows: readonly AlarmRow[]; selected: readonly string[]; select: (ids: readonly string[]) => void }
  current: string | null
  selectable: boolean
  actionsOf: (alarm: AlarmRow) => RowAction[]
  onOpen: (alarm: AlarmRow) => void
  onDone: () => void
}) {
  const pick = (id: string, on: boolean) =>
    list.select(on ? [...list.selected, id] : list.selected.filter((s) => s !== id))
  return (
    <div className="shots">
      {list.rows.map((a) => (
        <article key={a.id} data-row={a.id} className={`shot${current === a.id ? ' now' : ''}`}>
          {selectable && (
            <input
              type="checkbox"
              aria-label="选择这一条"
              checked={list.selected.includes(a.id)}
              onChange={(e) => pick(a.id, e.target.checked)}
            />
          )}
          <button className="cover" aria-label={`打开 ${nameOf(a)} ${a.siteName}`} onClick={() => onOpen(a)}>
            <Picture plain picture={a.picture} caption={`${a.deviceSn} ${full(a.at)}`} />
          </button>
          <p>
            <span>
              {nameOf(a)} <Unannounced alarm={a} />
            </span>
            <small title={full(a.lastSeen)}>{short(a.lastSeen)}</small>
          </p>
          <small>{a.siteName}</small>
          <div>
            <StatusOf of={a} />
          </div>
          <small>{a.closedAt === null && dueOf(a)}</small>
          <small>{a.assigneeName && `责任人 ${a.assigneeName}`}</small>
          <footer>
            <RowActions actions={actionsOf(a)} onDone={onDone} shown={2} />
          </footer>
        </article>
      ))}
    </div>
  )
}
