import { useEffect, useRef, useState } from 'react'

import { useLive } from '../../kit/live.ts'
import { Picture } from '../../kit/Picture.tsx'
import { ago, full, nowSeconds, short } from '../../kit/time.ts'
import { askAgain, type LiveState, lookAt, sayPurpose, START, tryAgain } from './liveCameras.ts'
import type { Purpose } from './purpose.ts'
import { PurposeAsk } from './PurposeAsk.tsx'

import './live.css'

/** An older picture does not say what is there now. */
const OLD_S = 600

interface Props {
  deviceId: string
  /** The purpose that the page is opened for; `said` and `words` where the person said so. */
  purpose: Purpose['purpose']
  said?: boolean
  words?: string
  size?: 'tile' | 'full'
  muted?: boolean
  /** Nothing is fetched meanwhile. */
  paused?: boolean
  /** The purpose if the page knows it already; it then asks for it by itself, for all its cameras. */
  known?: Pick<LiveState, 'picture' | 'pictureAt'>
  onState?: (state: LiveState) => void
}

/**
 * What a camera sees now: the stream where there is one, else the newest still with its age. It says 直播 only while the
 * picture moves, and fetches nothing while nobody can see it. The same camera on one page is fetched once.
 */
export function CameraLive({
  deviceId,
  purpose,
  said = false,
  words = '',
  size = 'tile',
  muted = true,
  paused = false,
  known: before,
  onState,
}: Props) {
  const whole = useRef<HTMLDivElement>(null)
  const box = useRef<HTMLDivElement>(null)
  const [known, setKnown] = useState<LiveState>(START)
  const told = useRef(onState)
  told.current = onState
  const looking = useSeen(whole) && !paused
  useEffect(() => {
    if (!looking) return undefined
    return lookAt(deviceId, { purpose, said, words }, box.current!, (next) => {
      setKnown(next)
      told.current?.(next)
    })
  }, [looking, deviceId, purpose, said, words])
  useLive(['site'], (news) => news?.forEach((e) => e.site_id && askAgain(e.site_id)), {
    every: 500,
  })
  useEffect(() => {
    for (const video of box.current!.querySelectorAll('video')) video.muted = muted
  }, [muted, known.kind])
  const kind = looking ? known.kind : 'paused'
  const moves = kind === 'live' || kind === 'stalled'
  const mustAsk = kind === 'asks' && !before
  return (
    <div
      ref={whole}
      className={size === 'tile' ? 'camera-live is-tile' : 'camera-live is-full'}
      data-state={kind}
      aria-busy={kind === 'opening'}
    >
      <div ref={box} className="camera-box" hidden={!moves} />
      {!moves && !mustAsk && (
        <Still state={known.picture || known.refused ? known : { ...known, ...before }} size={size} />
      )}
      <Mark kind={kind} behind={known.behind} />
      {size === 'full' && !mustAsk && (
        <p className="camera-buttons">
          {kind === 'still' && <button onClick={() => tryAgain(deviceId)}>再试一次</button>}
          <button onClick={() => void toFullScreen(whole.current!)}>全屏</button>
        </p>
      )}
      {mustAsk && (
        <div className="camera-ask">
          <PurposeAsk late onSaid={sayPurpose} />
        </div>
      )}
    </div>
  )
}

const toFullScreen = (element: HTMLElement) =>
  document.fullscreenElement ? document.exitFullscreen() : element.requestFullscreen().catch(() => {})

/** Whether it can be seen: on the screen, in the window in front. */
function useSeen(ref: { current: HTMLElement | null }): boolean {
  const [shown, setShown] = useState(false)
  const [hidden, setHidden] = useState(document.hidden)
  useEffect(() => {
    const observer = new IntersectionObserver((entries) => setShown(entries.at(-1)!.isIntersecting))
    observer.observe(ref.current!)
    const turn = () => setHidden(document.hidden)
    document.addEventListener('visibilitychange', turn)
    return () => {
      observer.disconnect()
      document.removeEventListener('visibilitychange', turn)
    }
  }, [ref])
  return shown && !hidden
}

function Still({
  state: { view, picture, pictureAt, why, kind },
  size,
}: {
  state: LiveState
  size: Props['size']
}) {
  // Whether there is a still is known only once the camera was opened.
  if (!picture && (kind === 'opening' || (!view && !why))) return null
  const isOld = !!pictureAt && nowSeconds() - pictureAt > OLD_S
  return (
    <div className="camera-still">
      {picture && (
        <Picture
          plain={size === 'tile'}
          picture={picture}
          caption={`抓拍 ${full(pictureAt)}`}
          width="100%"
          height="100%"
          size={size === 'tile' ? 'medium' : 'full'}
        />
      )}
      <p className="camera-words">
        {why && <span>{why}</span>}
        {picture ? (
          <span className={isOld ? 'is-old' : ''} title={full(pictureAt)}>
            抓拍 {short(pictureAt)}（{ago(pictureAt)}）
          </span>
        ) : (
          view && <span>还没有抓拍</span>
        )}
      </p>
    </div>
  )
}

const MARKS = { paused: '已暂停', opening: '正在连接…', stalled: '画面停住' }
function Mark({ kind, behind }: { kind: LiveState['kind'] | 'paused'; behind: number | null }) {
  if (kind === 'still' || kind === 'asks') return null
  if (kind !== 'live')
    return (
      <span className={kind === 'stalled' ? 'camera-mark is-stalled' : 'camera-mark'}>{MARKS[kind]}</span>
    )
  return (
    <span className="camera-mark is-on">
      直播{behind === null ? '' : ` · 延迟 ${behind < 1 ? behind.toFixed(1) : behind.toFixed(0)} 秒`}
    </span>
  )
}
