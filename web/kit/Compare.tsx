import { useState } from 'react'

import { Picture } from './Picture.tsx'
import { pictureAt } from './pictureAt.ts'

import './compare.css'

interface Side {
  picture: string
  caption: string
}
const HALF = 50

/** Two pictures of one view over each other: what is left of the line is the earlier one. */
export function Compare({
  before,
  after,
  at: door,
}: {
  before: Side
  after: Side
  at?: typeof pictureAt | undefined
}) {
  const [at, setAt] = useState(HALF)
  return (
    <div className="compare">
      <div className="compare-box" style={{ '--at': `${at}%` } as object}>
        <Picture plain at={door} picture={after.picture} caption={after.caption} width="100%" size="full" />
        <div className="earlier">
          <Picture
            plain
            at={door}
            picture={before.picture}
            caption={before.caption}
            width="100%"
            size="full"
          />
        </div>
        <i aria-hidden="true" />
        <input
          type="range"
          min={0}
          max={100}
          value={at}
          aria-label="前后对比，左边为上次，右边为这次"
          aria-valuetext={`左边 ${at}% 为上次的照片`}
          onChange={(e) => setAt(Number(e.target.value))}
        />
      </div>
      <p>
        <span>{before.caption}</span>
        <span>{after.caption}</span>
      </p>
    </div>
  )
}
