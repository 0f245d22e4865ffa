import { QRCodeSVG } from '@rc-component/qrcode'
import { isLit } from '@zhuguan/contract/features/screens/arrangements.record.ts'
import { screenDoorApi } from '@zhuguan/contract/features/screens/screen-door.api.ts'
import { pairAddress } from '@zhuguan/contract/features/screens/screens.record.ts'
import { type ReactNode, useEffect, useRef, useState } from 'react'

import { callForBytes } from '../../kit/api.ts'
import { clock, dayOf } from '../../kit/time.ts'
import { House } from './Scenes.tsx'
import { type FetchPicture, usePictures } from './usePictures.ts'
import { useRotation } from './useRotation.ts'
import { useScreen, type Word } from './useScreen.ts'
import { WallFrame } from './WallFrame.tsx'

const SECOND_MS = 1_000
const MINUTE = 60
const NONE: readonly never[] = []
const fetchPicture: FetchPicture = (body) => callForBytes(screenDoorApi.picture, { body })

/** One more each second that was really drawn: what is not painted does not count. `at` is the page's own clock. */
function useFrames(): { at: number; frames: { current: number } } {
  const frames = useRef(0)
  const [at, setAt] = useState(() => performance.now())
  useEffect(() => {
    const timer = setInterval(() => {
      setAt(performance.now())
      requestAnimationFrame(() => requestAnimationFrame(() => (frames.current += 1)))
    }, SECOND_MS)
    return () => clearInterval(timer)
  }, [])
  return { at, frames }
}

/** A wall: a browser that nobody signs in at. Without a pairing it shows a code, afterwards what its store arranged. */
export default function ScreenWall() {
  const { at, frames } = useFrames()
  const painted = useRef<Omit<Word, 'frames'>>({ scene: '', item: '', age: 0 })
  const { anew, betweenScenes, screen } = useScreen(() => ({ ...painted.current, frames: frames.current }))
  const { content } = screen
  const scenes = content?.scenes ?? NONE
  const pictures = usePictures(scenes, fetchPicture)
  const { place, scene } = useRotation(scenes, pictures, { onTurn: betweenScenes })
  const age = Math.max(0, Math.round((at - screen.heardAt) / SECOND_MS))
  const now = screen.serverAt + age
  const dim = !!content && !isLit(content, dayOf(now), clock(now))
  painted.current = { scene: dim ? 'dim' : (scene?.kind ?? 'house'), item: scene?.key ?? '', age }
  useEffect(() => {
    // Where nothing turns, a newer program comes by itself.
    if (!scene || scenes.length < 2) betweenScenes()
  }, [scene, scenes.length, screen])
  useEffect(() => {
    document.title = '筑管屏幕'
    // A display that goes to sleep shows nothing; where the browser may not keep it awake, its settings must.
    const stay = () => void navigator.wakeLock?.request('screen').catch(() => {})
    stay()
    document.addEventListener('visibilitychange', stay)
    return () => document.removeEventListener('visibilitychange', stay)
  }, [])
  const isRevoked = screen.state === 'revoked'
  useEffect(() => {
    if (!isRevoked) return
    addEventListener('keydown', anew)
    addEventListener('pointerdown', anew)
    return () => {
      removeEventListener('keydown', anew)
      removeEventListener('pointerdown', anew)
    }
  }, [isRevoked])

  if (content)
    return (
      <WallFrame
        age={age}
        content={content}
        count={scenes.length}
        dim={dim}
        now={now}
        pictures={pictures}
        place={place}
        scene={scene}
      />
    )
  if (screen.state === 'unpaired')
    return <Code code={screen.code} left={Math.round((screen.codeUntil - at) / SECOND_MS)} />
  if (isRevoked)
    return (
      <Plain title="这块屏幕已经收回">
        <p>要重新使用，请按任意键，用手机扫新的配对码</p>
      </Plain>
    )
  if (screen.state === 'elsewhere')
    return (
      <Plain title="这块屏幕正在另一个窗口播放">
        <p>那个窗口关闭以后，这里会自己接着播</p>
      </Plain>
    )
  return (
    <div className="wall" data-theme="dark" data-scene="house">
      <House group="" store="" now={now} />
    </div>
  )
}

const Plain = ({ children, title }: { children: ReactNode; title: string }) => (
  <div className="wall wall-plain" data-theme="dark">
    <h1>{title}</h1>
    {children}
  </div>
)
/** The code that whoever stands before it types or scans. */
function Code({ code, left }: { code: string; left: number }) {
  const minutes = Math.max(1, Math.ceil(left / MINUTE))
  return (
    <div className="wall wall-plain wall-code" data-theme="dark">
      <QRCodeSVG value={location.origin + pairAddress(code)} level="M" marginSize={4} title="配对二维码" />
      <div>
        <h1>配对这块屏幕</h1>
        <p>用手机扫码，或在 看板设置 › 屏幕 › 配对屏幕 输入</p>
        <output>
          {code.slice(0, 3)} {code.slice(3)}
        </output>
        <p>{left > 0 ? `${minutes} 分钟内有效，用一次` : '正在换一个新的码'}</p>
      </div>
    </div>
  )
}
