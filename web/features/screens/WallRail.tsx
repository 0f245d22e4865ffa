import type { PaintedScene } from '@zhuguan/contract/features/screens/walls-content.record.ts'
import { siteStage } from '@zhuguan/contract/features/sites/sites.record.ts'
import { useEffect, useState } from 'react'

import type { Pictures } from './usePictures.ts'

const SECOND_MS = 1_000
type Rail = Extract<PaintedScene, { kind: 'rail' }>

/** The stages that the film runs through, each with the share of its pictures. */
function stagesOf(pictures: Rail['pictures']) {
  const stages: { stage: Rail['pictures'][number]['stage']; count: number; at: number }[] = []
  for (const [at, { stage }] of pictures.entries()) {
    const last = stages.at(-1)
    if (last?.stage === stage) last.count += 1
    else stages.push({ stage, count: 1, at })
  }
  return stages
}

const stateOf = (stage: { at: number; count: number }, at: number) => {
  if (at >= stage.at + stage.count) return 'past'
  return at >= stage.at ? 'on' : 'next'
}

/** A home from its first day to its last, within the seconds of its scene; the last picture stays until the next. */
export function WallRail({ pictures, scene: s }: { scene: Rail; pictures: Pictures }) {
  const shown = s.pictures.filter((p) => pictures.get(p.key))
  const [at, setAt] = useState(0)
  const last = shown.length - 1
  useEffect(() => {
    const timer = setInterval(
      () => setAt((n) => Math.min(n + 1, last)),
      (s.seconds * SECOND_MS) / Math.max(1, shown.length),
    )
    return () => clearInterval(timer)
  }, [s.key, s.seconds, last])
  const now = shown[Math.min(at, last)]
  return (
    <div className="wall-rail">
      <div className="wall-rail-film">
        {shown.map((p) => (
          // All of them stand on each other, decoded: the next one is there without a gap.
          <img key={p.key} src={pictures.get(p.key)} alt="" data-on={p === now || undefined} />
        ))}
      </div>
      <div className="wall-rail-words">
        <h2>{[s.community, s.title].filter(Boolean).join(' · ')}</h2>
        <p>
          <b>{now?.stage ? siteStage.label(now.stage) : '施工中'}</b> <span className="num">{now?.day}</span>
        </p>
      </div>
      <ol className="wall-rail-stages">
        {stagesOf(shown).map((stage) => (
          <li key={stage.at} data-state={stateOf(stage, at)}>
            {stage.stage ? siteStage.label(stage.stage) : '施工'}
          </li>
        ))}
      </ol>
    </div>
  )
}
