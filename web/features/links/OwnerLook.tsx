import { homeVideoApi } from '@zhuguan/contract/features/owners/home-video.api.ts'
import type { HomeVideoState } from '@zhuguan/contract/features/owners/home-video.record.ts'
import { LOOK_KEEP_S } from '@zhuguan/contract/features/owners/looks.record.ts'
import type { OpenStream } from '@zhuguan/contract/features/streams/streams.record.ts'
import { useEffect, useRef, useState } from 'react'

import { ApiError, call } from '../../kit/api.ts'
import { ago, full } from '../../kit/time.ts'
import { playFlv, playHls, type Playing, playWhep } from '../../kit/video/play.ts'
import { isAway } from './away.ts'
import type { Bearer } from './bearer.ts'
import { LinkPicture } from './LinkPicture.tsx'

/** A picture that has not moved for so long is not called live. */
const STALLED_MS = 3_000
const LOOK_MS = 500

function begin(bearer: Bearer, video: HTMLVideoElement, opened: OpenStream, stop: (why: string) => void) {
  const { address, kind, view } = opened
  if (kind === 'whep') {
    const offer = (sdp: string) =>
      call(homeVideoApi.offer, { body: { ...bearer, view, sdp } }).then((answer) => answer.sdp)
    return playWhep(video, offer, stop)
  }
  return kind === 'hls' ? playHls(video, address!, stop) : playFlv(video, address!, stop)
}
/** Also while the page goes away. */
const leave = (bearer: Bearer, view: string) =>
  fetch(homeVideoApi.leave.path, {
    method: homeVideoApi.leave.method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...bearer, views: [view] }),
    keepalive: true,
  }).catch(() => {})

/** One camera of the home: live while the picture moves, else its newest still with its age; dark with the reason. */
export default function OwnerLook({
  bearer,
  camera,
  onClose,
}: {
  bearer: Bearer
  camera: HomeVideoState['cameras'][number]
  onClose: () => void
}) {
  const video = useRef<HTMLVideoElement>(null)
  const [opened, setOpened] = useState<OpenStream | null>(null)
  const [moves, setMoves] = useState<'waiting' | 'live' | 'stalled'>('waiting')
  const [still, setStill] = useState('')
  const [over, setOver] = useState('')
  const [turn, setTurn] = useState(0)
  useEffect(() => {
    let [gone, lastFrames, since] = [false, 0, performance.now()]
    let playing: Playing | undefined
    let view = ''
    const stopPlaying = () => {
      playing?.close()
      playing = undefined
    }
    const end = (why: string) => {
      if (gone) return
      stopPlaying()
      setOver(why)
    }
    const keep = async () => {
      if (!view || gone) return
      try {
        const { ended, stills } = await call(homeVideoApi.keep, { body: { ...bearer, views: [view] } })
        const mine = ended.find((one) => one.view === view)
        if (mine) return end(mine.why)
        const [shown] = stills
        if (shown) setOpened((was) => was && { ...was, picture: shown.picture, pictureAt: shown.pictureAt })
      } catch (error) {
        if (!isAway(error)) end((error as Error).message)
      }
    }
    async function open() {
      setOver('')
      setStill('')
      setMoves('waiting')
      try {
        const found = await call(homeVideoApi.look, { body: { ...bearer, device_id: camera.id } })
        if (gone) return void leave(bearer, found.view)
        view = found.view
        setOpened(found)
        if (!found.kind) return setStill(found.why)
        const broken = (why: string) => {
          stopPlaying()
          // The reason why it ended, the server knows better than the player.
          void keep().then(() => gone || setStill(why))
        }
        const begun = await begin(bearer, video.current!, found, broken).catch((error: unknown) => {
          setStill(error instanceof ApiError ? error.message : '直播没有打开')
          return undefined
        })
        if (gone) return begun?.close()
        playing = begun
      } catch (error) {
        end((error as Error).message)
      }
    }
    void open()
    const keeping = setInterval(() => void keep(), LOOK_KEEP_S * 1_000)
    const watching = setInterval(() => {
      const element = video.current
      if (!element || !playing) return
      const frames = element.getVideoPlaybackQuality?.().totalVideoFrames ?? element.currentTime
      if (frames !== lastFrames) {
        ;[lastFrames, since] = [frames, performance.now()]
        setMoves('live')
      } else if (performance.now() - since > STALLED_MS) setMoves((was) => (was === 'live' ? 'stalled' : was))
    }, LOOK_MS)
    const away = () => void (view && leave(bearer, view))
    window.addEventListener('pagehide', away)
    return () => {
      gone = true
      clearInterval(keeping)
      clearInterval(watching)
      window.removeEventListener('pagehide', away)
      stopPlaying()
      away()
    }
  }, [turn])
  const plays = !over && !still && opened?.kind !== null
  const MARKS = { waiting: '正在连接…', live: '直播', stalled: '画面停住' }
  return (
    <div className="owner-look">
      {over ? (
        <p role="alert">{over}，画面已停止</p>
      ) : (
        <div className="owner-look-picture">
          <video ref={video} hidden={!plays} muted autoPlay playsInline aria-label={`${camera.sn} 的画面`} />
          {!plays && opened?.picture && (
            <LinkPicture key={opened.picture} bearer={bearer} of={opened.picture} title="最近一次抓拍" />
          )}
          {plays && <span className="owner-look-mark">{MARKS[moves]}</span>}
        </div>
      )}
      {!over && still && (
        <p className="quiet">
          {still}
          {opened?.pictureAt
            ? ` · 抓拍 ${full(opened.pictureAt)}（${ago(opened.pictureAt)}）`
            : ' · 还没有抓拍'}
        </p>
      )}
      <div className="owner-buttons">
        {(over || still) && (
          <button className="button" onClick={() => setTurn((n) => n + 1)}>
            再看一次
          </button>
        )}
        <button className="button" onClick={onClose}>
          关闭
        </button>
      </div>
    </div>
  )
}
