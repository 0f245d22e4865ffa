import type { NearbyPoint } from '@zhuguan/contract/features/nearby/nearby.record.ts'
import { RADII } from '@zhuguan/contract/features/nearby/nearby.record.ts'
import { distanceText } from '@zhuguan/contract/kit/places.ts'

import { radiusText } from '../../parts/radius.ts'
import { dotOf, named, ROOM } from '../../parts/rings.ts'
import type { Beside } from './point.ts'

/** In parts of the radius. */
const TEXT = 0.06
const CROSS = 0.03

/**
 * Communities around a home as points within rings of the same distances for everybody; no streets and no borders,
 * which the shipped map has as a sketch for staff alone (docs/decisions/0020). A point is pressed to see its homes.
 */
export function Rings({
  points,
  radius,
  chosen,
  onChoose,
  spot,
  onSpot,
}: {
  points: readonly NearbyPoint[]
  radius: number
  chosen: NearbyPoint | undefined
  onChoose: (p: NearbyPoint) => void
  /** In the middle is no community but this point, in words. */
  spot: string
  /** The rings are pressed where no community is: what is around there? */
  onSpot: (by: Beside) => void
}) {
  const edge = radius * ROOM
  const names = named(points, radius, TEXT)
  return (
    <svg
      className="rings"
      viewBox={`${-edge} ${-edge} ${2 * edge} ${2 * edge}`}
      role="group"
      aria-label="周边小区"
      fontSize={TEXT * radius}
      onClick={(e) => {
        const screen = e.currentTarget.getScreenCTM()
        if (!screen || (e.target as Element).closest('.point')) return
        const at = new DOMPoint(e.clientX, e.clientY).matrixTransform(screen.inverse())
        if (Math.hypot(at.x, at.y) <= radius) onSpot({ east: at.x, north: -at.y })
      }}
    >
      <title>点一下空的地方，看那里的周边</title>
      {RADII.filter((r) => r <= radius).map((r) => (
        <g key={r}>
          <circle className="ring" r={r} />
          <text className="ring-name" y={-r} dy="-0.3em">
            {radiusText(r)}
          </text>
        </g>
      ))}
      {spot && (
        <path
          className="spot"
          d={`M${-CROSS * radius} 0H${CROSS * radius}M0 ${-CROSS * radius}V${CROSS * radius}`}
        >
          <title>{spot}</title>
        </path>
      )}
      {points.toReversed().map((p) => {
        const of = p.building > 0 ? 'building' : 'finished'
        const kind = p.metres === 0 ? 'here' : of
        const title = `${p.community}：在建 ${p.building}，完工 ${p.finished}，${distanceText(p.metres).trim()}`
        return (
          <g
            key={`${p.city} ${p.community}`}
            className={`point ${kind}`}
            role="button"
            tabIndex={0}
            aria-label={title}
            aria-pressed={p === chosen}
            transform={`translate(${p.east} ${-p.north})`}
            onClick={() => onChoose(p)}
            onKeyDown={(e) => e.key === 'Enter' && onChoose(p)}
          >
            <title>{title}</title>
            <circle r={dotOf(p, radius)} />
            {names.has(p) && (
              <text {...names.get(p)} dy="0.35em">
                {p.community}
              </text>
            )}
          </g>
        )
      })}
    </svg>
  )
}
