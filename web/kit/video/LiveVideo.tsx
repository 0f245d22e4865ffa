import { useEffect, useRef, useState } from 'react'

import { playHls, playWhep } from './play.ts'

import './video.css'

/** A picture that has not moved for so long is not live. */
const STILL_MS = 8_000
const FIRST_MS = 12_000
const LOOK_MS = 500

/** Plays a live address; says 直播 only while the picture moves, and gives up in words rather than freeze. */
export default function LiveVideo({
  url,
  kind,
  onFail,
}: {
  url: string
  kind: 'whep' | 'hls'
  onFail: (why: string) => void
}) {
  const video = useRef<HTMLVideoElement>(null)
  const [behind, setBehind] = useState<number | null | undefined>(undefined)
  const fail = useRef(onFail)
  fail.current = onFail
  useEffect(() => {
    const element = video.current!
    let open = true
    let playing: Awaited<ReturnType<typeof playHls>> | undefined
    const stop = (why: string) => {
      if (!open) return
      open = false
      fail.current(why)
    }
    ;(kind === 'whep' ? playWhep : playHls)(element, url, stop).then(
      (p) => {
        playing = p
        if (!open) p.close()
      },
      (error: Error) => stop(error.message),
    )
    let [last, since, begun] = [0, performance.now(), false]
    const watch = setInterval(() => {
      const now = performance.now()
      if (element.currentTime > last) {
        ;[last, since, begun] = [element.currentTime, now, true]
        setBehind(playing?.behind() ?? null)
      } else if (element.paused && begun) since = now
      else if (now - since > (begun ? STILL_MS : FIRST_MS)) stop(begun ? '直播画面停住了' : '等不到直播画面')
    }, LOOK_MS)
    return () => {
      open = false
      clearInterval(watch)
      playing?.close()
    }
  }, [url, kind])
  return (
    <div className="live-video" aria-busy={behind === undefined}>
      <video ref={video} autoPlay muted playsInline controls />
      {behind === undefined ? (
        <span className="live-mark">正在连接…</span>
      ) : (
        <span className="live-mark on">直播{behind === null ? '' : ` · 延迟 ${behind.toFixed(0)} 秒`}</span>
      )}
    </div>
  )
}
