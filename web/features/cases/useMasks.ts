import { type CaseMask, type CasePicture, MASK_UNIT } from '@zhuguan/contract/features/cases/cases.record.ts'
import { useState } from 'react'

const STEP = 100
export const SMALLEST = 60
export const NEW: CaseMask = { x: 4_000, y: 4_000, w: 2_000, h: 2_000 }
export const limit = (value: number, least: number, most: number) => Math.min(most, Math.max(least, value))
/** Inside the picture, and never too small to be seen. */
function inside(m: CaseMask): CaseMask {
  const w = limit(Math.round(m.w), SMALLEST, MASK_UNIT)
  const h = limit(Math.round(m.h), SMALLEST, MASK_UNIT)
  return { w, h, x: limit(Math.round(m.x), 0, MASK_UNIT - w), y: limit(Math.round(m.y), 0, MASK_UNIT - h) }
}
const MOVES: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-STEP, 0],
  ArrowRight: [STEP, 0],
  ArrowUp: [0, -STEP],
  ArrowDown: [0, STEP],
}
/** Rectangles are of the picture as it was looked at; here it is looked at as it came. */
const masksOf = (p: CasePicture): CaseMask[] => (p.turn === 0 ? p.masks : [])

/** The rectangles as they are drawn, and which of them the keys move. */
export function useMasks(p: CasePicture) {
  const [masks, setMasks] = useState<CaseMask[]>(masksOf(p))
  const [chosen, setChosen] = useState(-1)
  const [crop, setCrop] = useState<CaseMask | null>(p.turn === 0 ? p.crop : null)
  const drop = () => {
    setMasks(masks.filter((_, i) => i !== chosen))
    setChosen(masks.length - 2)
  }
  const put = (m: CaseMask) => setMasks(masks.map((old, i) => (i === chosen ? inside(m) : old)))
  return {
    masks,
    chosen,
    setChosen,
    take: () => setMasks(p.proposed),
    next: () => setChosen((chosen + 1) % masks.length),
    add(m: CaseMask) {
      setMasks([...masks, inside(m)])
      setChosen(masks.length)
    },
    drop,
    crop,
    /** The chosen rectangle is what is left of the picture; once more: all of it is. */
    toggleCrop() {
      if (crop) return setCrop(null)
      setCrop(masks[chosen] ?? null)
      drop()
    },
    moved(e: KeyboardEvent): boolean {
      const step = MOVES[e.key]
      const m = masks[chosen]
      if (!step || !m) return false
      const [x, y] = step
      put(e.shiftKey ? { ...m, w: m.w + x, h: m.h + y } : { ...m, x: m.x + x, y: m.y + y })
      return true
    },
  }
}
export type Masks = ReturnType<typeof useMasks>
