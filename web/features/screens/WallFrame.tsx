import type { PaintedScene, WallContent } from '@zhuguan/contract/features/screens/walls-content.record.ts'
import type { ReactNode } from 'react'

import { clock } from '../../kit/time.ts'
import { House, type SceneLinks, SceneOf } from './Scenes.tsx'
import type { Pictures } from './usePictures.ts'

import './wall.css'

const STALE_SECONDS = 12
const OFFLINE_SECONDS = 60
const SHIFTS = 9
const MINUTE = 60

const lasting = (s: number) => (s < MINUTE * 2 ? `${s} 秒` : `${Math.floor(s / MINUTE)} 分钟`)
/** The age of what stands there, in a word and never in a colour alone. */
export function ageOf(seconds: number): { state: 'live' | 'stale' | 'offline'; words: string } {
  if (seconds <= STALE_SECONDS) return { state: 'live', words: '● 实时' }
  if (seconds <= OFFLINE_SECONDS) return { state: 'stale', words: `○ ${lasting(seconds)}前的画面` }
  return { state: 'offline', words: `✕ 网络断开，画面停在 ${lasting(seconds)}前` }
}

/** The parts that a wall and a person's tab paint alike: the house, one scene, the hour, how old it is. */
export function WallFrame({
  age,
  children,
  content,
  count,
  dim = false,
  links = {},
  now,
  pictures,
  place,
  scene,
}: {
  /** Seconds since the content was last confirmed. */
  age: number
  content: WallContent
  count: number
  dim?: boolean
  links?: SceneLinks
  now: number
  pictures: Pictures
  place: number
  scene: PaintedScene | undefined
  /** Controls, where somebody looks who has some. */
  children?: ReactNode
}) {
  const { state, words } = ageOf(age)
  return (
    <div
      className="wall"
      data-theme="dark"
      data-dim={dim || undefined}
      data-shift={Math.floor(now / MINUTE) % SHIFTS}
      data-scene={scene?.kind ?? 'house'}
      data-state={state}
    >
      <header>
        <b>{content.store}</b>
        {children}
        <time>{clock(now)}</time>
      </header>
      <main key={scene?.key ?? 'house'}>
        {scene ? (
          <SceneOf scene={scene} links={links} pictures={pictures} />
        ) : (
          <House group={content.group} store={content.store} now={now} />
        )}
      </main>
      <footer>
        <span className="wall-steps" aria-hidden="true">
          {count > 1 &&
            Array.from({ length: count }, (_, i) => <i key={i} data-on={i === place || undefined} />)}
        </span>
        <span className={`wall-age ${state}`}>{words}</span>
      </footer>
    </div>
  )
}
