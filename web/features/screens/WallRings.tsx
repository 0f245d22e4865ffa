import { RADII } from '@zhuguan/contract/features/nearby/nearby.record.ts'
import { type PaintedScene, RING_METRES } from '@zhuguan/contract/features/screens/walls-content.record.ts'
import { distanceText } from '@zhuguan/contract/kit/places.ts'

import { radiusText } from '../../parts/radius.ts'
import { dotOf, named, ROOM } from '../../parts/rings.ts'

/** In parts of the radius: read from five metres. */
const TEXT = 0.085
const MOST_LISTED = 7

/** Communities around one of them as points in rings of the same distances for everybody, and the nearest in words. */
export function WallRings({ scene: s }: { scene: Extract<PaintedScene, { kind: 'rings' }> }) {
  const edge = RING_METRES * ROOM
  const names = named(s.points, RING_METRES, TEXT)
  return (
    <div className="wall-rings">
      <svg
        viewBox={`${-edge} ${-edge} ${2 * edge} ${2 * edge}`}
        role="img"
        aria-label={`${s.community}周边两公里的小区`}
        fontSize={TEXT * RING_METRES}
      >
        {RADII.map((r) => (
          <g key={r}>
            <circle className="wall-ring" r={r} />
            <text className="wall-ring-name" y={-r} dy="-0.25em">
              {radiusText(r)}
            </text>
          </g>
        ))}
        {s.points.toReversed().map((p) => (
          <g
            key={p.community}
            className={`wall-point ${p.building > 0 ? 'building' : 'finished'}`}
            transform={`translate(${p.east} ${-p.north})`}
          >
            <circle r={dotOf(p, RING_METRES)} />
            {names.has(p) && (
              <text {...names.get(p)} dy="0.35em">
                {p.community}
              </text>
            )}
          </g>
        ))}
      </svg>
      <ul className="wall-places">
        {s.points.slice(0, MOST_LISTED).map((p) => (
          <li key={p.community}>
            <b>{p.community}</b>
            <span>{p.metres === 0 ? '' : distanceText(p.metres)}</span>
            <span className="num">
              在建 {p.building} · 完工 {p.finished}
            </span>
          </li>
        ))}
      </ul>
    </div>
  )
}
