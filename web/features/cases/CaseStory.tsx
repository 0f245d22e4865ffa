import { LEAST_FILM_DAYS } from '@zhuguan/contract/features/cases/cases.film.ts'
import type { FieldCase } from '@zhuguan/contract/features/cases/cases.record.ts'
import { siteStage } from '@zhuguan/contract/features/sites/sites.record.ts'
import { workerType } from '@zhuguan/contract/features/workers/trades.record.ts'
import { useState } from 'react'

import { Compare } from '../../kit/Compare.tsx'
import { LinkTo } from '../../kit/LinkTo.tsx'
import { Picture } from '../../kit/Picture.tsx'
import { useKeys } from '../../kit/useKeys.ts'
import { casePictureAt } from '../../parts/casePicture.ts'
import { DayRail } from '../../parts/DayRail.tsx'
import { framesOf } from '../../parts/frames.ts'
import { daysOf, factsOf } from './caseFacts.ts'

/** The first and the last picture of one camera, if there are two. */
function pairOf(k: FieldCase) {
  const pair = k.pictures.filter((p) => p.pair === 1)
  const [before, after] = [pair[0], pair.at(-1)]
  return before && after && before !== after ? { before, after } : undefined
}
const shotOf = (key: string, caption: string) => (
  <Picture plain at={casePictureAt} picture={key} caption={caption} width="100%" size="full" />
)

/** A home as its people agreed that it is told in a store: before and after, a film of its days, picture by picture. */
export function CaseStory({ of: k }: { of: FieldCase }) {
  const pair = pairOf(k)
  const views = pair ? k.pictures.length + 1 : k.pictures.length
  const [view, setView] = useState(0)
  const frames = framesOf(k)
  const [film, setFilm] = useState<number | null>(null)
  const go = (by: number) => {
    if (film === null) setView((view + by + views) % views)
    else setFilm(Math.min(frames.length - 1, Math.max(0, film + by)))
  }
  const toFilm = () => setFilm(film === null ? Math.max(0, frames.length - 1) : null)
  useKeys({ ArrowLeft: () => go(-1), ArrowRight: () => go(1), t: toFilm })
  const isPair = pair !== undefined && view === 0
  const shot = k.pictures[pair ? view - 1 : view]
  return (
    <div className="case-story">
      <div className="case-stage">
        {film !== null && <Film frames={frames} at={film} onAt={setFilm} />}
        {film === null && isPair && (
          <Compare
            at={casePictureAt}
            before={{ picture: pair.before.key, caption: `${pair.before.day} 同一机位` }}
            after={{ picture: pair.after.key, caption: pair.after.day }}
          />
        )}
        {film === null && !isPair && shot && (
          <figure>
            {shotOf(shot.key, shot.day)}
            <figcaption>
              {shot.day} {shot.stage && siteStage.label(shot.stage)}
            </figcaption>
          </figure>
        )}
        <div className="case-strip" role="group" aria-label="照片">
          {film === null && (
            <>
              <button aria-label="上一张" onClick={() => go(-1)}>
                ‹
              </button>
              <span>{isPair ? '前后对比' : `${pair ? view : view + 1} / ${k.pictures.length}`}</span>
              <button aria-label="下一张" onClick={() => go(1)}>
                ›
              </button>
            </>
          )}
          <button aria-pressed={film !== null} onClick={toFilm}>
            {film === null ? '时间轴（T）' : '回到照片（T）'}
          </button>
        </div>
      </div>
      <Told of={k} />
    </div>
  )
}

function Film({
  frames,
  at,
  onAt,
}: {
  frames: ReturnType<typeof framesOf>
  at: number
  onAt: (at: number) => void
}) {
  if (frames.length === 0)
    return (
      <p className="case-none">同一机位、同一钟点、已经放行的照片不到 {LEAST_FILM_DAYS} 天，还连不成时间轴</p>
    )
  return <DayRail frames={frames} at={at} onAt={onAt} picture={shotOf} />
}

function Told({ of: k }: { of: FieldCase }) {
  return (
    <aside className="board-panel">
      <h2>{k.title}</h2>
      <p>{factsOf(k)}</p>
      {k.words && <p className="case-says">{k.words}</p>}
      <p>
        {k.community && `${k.community}，`}
        {daysOf(k)}
      </p>
      <table>
        <tbody>
          {k.stages.map((s) => (
            <tr key={s.name}>
              <th>{siteStage.label(s.name)}</th>
              <td>
                {s.from.slice(5)} 至 {s.to ? s.to.slice(5) : '今'}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {k.team.length > 0 && (
        <p>{k.team.map((t) => `${workerType.label(t.trade)} ${t.surname}`).join('，')}</p>
      )}
      {k.praise && <blockquote>业主评价：{k.praise}</blockquote>}
      {k.inReach && (
        <LinkTo page="SiteInfo" query={{ id: k.site_id }}>
          打开工地
        </LinkTo>
      )}
    </aside>
  )
}
