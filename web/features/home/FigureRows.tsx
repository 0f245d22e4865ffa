import type { CardFigure, HomeRow } from '@zhuguan/contract/features/home/home.record.ts'

import { Picture } from '../../kit/Picture.tsx'
import { ago, lasting, nowSeconds, short } from '../../kit/time.ts'
import { overList } from './overList.ts'

/** The moment of a row, by its card. */
const MOMENT: Partial<Record<CardFigure['card'], (row: { at: number; late: boolean }) => string>> = {
  openAlarms: (r) => (r.late ? `超期 ${since(r.at)}` : `截止 ${short(r.at)}`),
  overdue: (r) => `超期 ${since(r.at)}`,
  online: (r) => `离线 ${since(r.at)}`,
  tidiness: (r) => ago(r.at),
  complaints: (r) => (r.late ? `超期 ${since(r.at)}` : `截止 ${short(r.at)}`),
  examine: (r) => (r.late ? `超时 ${since(r.at)}` : `期限 ${short(r.at)}`),
  receiving: (r) => (r.late ? `超期 ${since(r.at)}` : `期限 ${short(r.at)}`),
  toShip: (r) => `${r.late ? '逾期' : '期望'} ${short(r.at).slice(0, 5)}`,
  due: (r) => (r.late ? `逾期 ${short(r.at).slice(0, 5)}` : short(r.at).slice(0, 5)),
  taken: (r) => short(r.at).slice(6),
  toAccept: (r) => `送达 ${ago(r.at)}`,
  changes: (r) => (r.late ? `超期 ${since(r.at)}` : `答复期限 ${short(r.at)}`),
  retrieval: (r) => `${r.late ? '应已收回' : '收回期限'} ${short(r.at).slice(0, 5)}`,
}
const since = (at: number) => lasting(nowSeconds() - at)

/** The first rows of the list behind a card; each opens over that list, so that the next one follows. */
export function FigureRows({
  card,
  link,
  rows,
}: Pick<CardFigure, 'card' | 'link'> & { rows: readonly HomeRow[] }) {
  const isPictured = rows.some((r) => r.picture !== null)
  const words = MOMENT[card]
  return (
    <div className="home-rows">
      {rows.map((r) => (
        <a key={r.id} className="home-row" href={`#${overList(link, r.link)}`}>
          {isPictured && <Picture plain picture={r.picture} caption={r.title} width={45} height={32} />}
          <span className="home-what">
            <b>{r.title}</b>
            <small>{r.text}</small>
          </span>
          {r.at !== null && words && (
            <time className={r.late ? 'late' : ''} title={short(r.at)}>
              {words({ at: r.at, late: r.late })}
            </time>
          )}
        </a>
      ))}
    </div>
  )
}
