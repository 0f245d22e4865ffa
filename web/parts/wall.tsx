import { WALL_SIZES, type WallSize } from '@zhuguan/contract/features/walls/walls.record.ts'
import type { ReactNode } from 'react'

import './wall.css'

/** Tiles in a row. */
export const ACROSS: Record<WallSize, number> = { 1: 1, 4: 2, 6: 3, 9: 3, 16: 4 }
const GRID: Record<WallSize, string> = { 1: 'by-1', 4: 'by-2', 6: 'by-3 low', 9: 'by-3', 16: 'by-4' }

export const WallGrid = ({
  size,
  busy,
  children,
}: {
  size: WallSize
  busy: boolean
  children: ReactNode
}) => (
  <div className={`wall-grid ${GRID[size]}`} aria-busy={busy}>
    {children}
  </div>
)

export const SizeSwitch = ({ size, onSize }: { size: WallSize; onSize: (size: WallSize) => void }) => (
  <span className="switch" role="group" aria-label="画面数">
    {WALL_SIZES.map((n) => (
      <button key={n} aria-pressed={size === n} onClick={() => onSize(n)}>
        {n}
      </button>
    ))}
  </span>
)
