import type { SharePage } from '@zhuguan/contract/features/shares/share-page.record.ts'
import { shareSection } from '@zhuguan/contract/features/shares/shares.record.ts'
import { siteStage } from '@zhuguan/contract/features/sites/stages.record.ts'
import { workerType } from '@zhuguan/contract/features/workers/trades.record.ts'
import { useState } from 'react'

import { barePart } from '../../kit/barePart.tsx'
import { framesOf } from '../frames.ts'
import { ageOf } from '../pictureAge.ts'
import { type PictureOf, Seen, type ShareSection } from './SharedView.tsx'

const { cases, pictures } = shareSection.code
const FIRST = 3
const DayRail = barePart(async () => ({ default: (await import('../DayRail.tsx')).DayRail }))
type Case = SharePage['cases'][number]
const titleOf = (p: Case['pictures'][number]) =>
  [p.stage && siteStage.label(p.stage), p.day].filter(Boolean).join(' ')

function Pictures({ of: list, picture }: { of: Case['pictures']; picture: PictureOf }) {
  const [all, setAll] = useState(false)
  const shown = all ? list : list.slice(0, FIRST)
  return (
    <>
      <ul className="share-pictures">
        {shown.map((p) => (
          <li key={p.key}>
            {picture(p.key, titleOf(p))}
            <small>{titleOf(p)}</small>
          </li>
        ))}
      </ul>
      {list.length > shown.length && (
        <button className="button" onClick={() => setAll(true)}>
          看全部 {list.length} 张
        </button>
      )}
    </>
  )
}

/** The newest that people have masked and released, with its age: no stream can be masked (docs/decisions/0666). */
function Newest({ of: c, at, picture }: { of: Case; at: number; picture: PictureOf }) {
  const p = c.pictures.at(-1)
  if (c.finished || !p) return null
  const age = ageOf(p.day, at)
  return (
    <figure className="share-newest">
      {picture(p.key, titleOf(p))}
      <figcaption className={age.isStale ? 'share-stale' : 'quiet'}>
        {age.text}（{p.day}），人脸和门牌已遮住，不是实时画面
      </figcaption>
    </figure>
  )
}

/** A home as its people agreed that it is shown. */
export function SharedCase({
  of: c,
  at,
  look,
  picture,
}: {
  of: Case
  /** When this was read. */
  at: number
  look: (section: ShareSection) => void
  picture: PictureOf
}) {
  const frames = framesOf(c)
  const [day, setDay] = useState(Math.max(0, frames.length - 1))
  const facts = [c.community, c.layout, c.areaRange, c.style, c.priceRange].filter(Boolean)
  // The newest of a home that is being built stands above.
  const others = c.finished ? c.pictures : c.pictures.slice(0, -1)
  const team = [...new Set(c.team.map((t) => `${workerType.label(t.trade)} ${t.surname}`))]
  return (
    <>
      <Seen as={cases} look={look} title={c.title}>
        <p className="share-facts">{facts.join(' · ')}</p>
        <Newest of={c} at={at} picture={picture} />
        {c.words && <p className="share-words">{c.words}</p>}
        {c.days !== null && (
          <p className="share-big">
            <small>{c.finished ? '工期' : '已施工'}</small> {c.days} <small>天</small>
          </p>
        )}
        <ol className="share-lines">
          {c.stages.map((s) => (
            <li key={s.name}>
              <b>{siteStage.label(s.name)}</b>
              <span>{s.to ? `${s.from} 至 ${s.to}` : `${s.from} 开始`}</span>
            </li>
          ))}
        </ol>
        {team.length > 0 && <p className="quiet">施工：{team.join('、')}</p>}
        {c.praise && <blockquote className="share-words">{c.praise}</blockquote>}
      </Seen>
      {frames.length > 0 && (
        <Seen as={pictures} look={look} title="时间轴">
          <p className="quiet">同一个机位、同一个钟点，一天一张，拖动来看</p>
          <DayRail frames={frames} at={day} onAt={setDay} picture={picture} />
        </Seen>
      )}
      {others.length > 0 && (
        <Seen as={pictures} look={look} title="照片">
          <Pictures of={others} picture={picture} />
        </Seen>
      )}
    </>
  )
}
