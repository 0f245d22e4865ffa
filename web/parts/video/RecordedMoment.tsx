import { useQuery } from '@tanstack/react-query'
import { recordingsApi } from '@zhuguan/contract/features/recordings/recordings.api.ts'
import {
  cannotPlay,
  pieceAt,
  type RecordingPiece,
} from '@zhuguan/contract/features/recordings/recordings.record.ts'
import { useEffect, useRef, useState } from 'react'

import { call } from '../../kit/api.ts'
import { LinkTo } from '../../kit/LinkTo.tsx'
import { dayOf, full } from '../../kit/time.ts'
import { paceOf, playsHere } from './film.ts'
import type { Purpose } from './purpose.ts'
import { PurposeAsk } from './PurposeAsk.tsx'

import './moment.css'

/** Begun a little before, to see how it came about. */
const BEFORE_S = 10
const JUMP_S = 10

interface Opened {
  piece: RecordingPiece
  address: string
}

/** The recording of a camera around a moment; opened, and so written down, when somebody wants to see it. */
export default function RecordedMoment({
  deviceId,
  at,
  purpose,
}: {
  deviceId: string
  at: number
  purpose: Purpose['purpose']
}) {
  const day = dayOf(at)
  const { data, error } = useQuery({
    queryKey: [recordingsApi.day.path, deviceId, day],
    queryFn: ({ signal }) => call(recordingsApi.day, { body: { device_id: deviceId, day } }, signal),
  })
  const video = useRef<HTMLVideoElement>(null)
  const [why, setWhy] = useState<Purpose>({ purpose, words: '', said: false })
  const [asking, setAsking] = useState(false)
  const [opened, setOpened] = useState<Opened>()
  const [second, setSecond] = useState<number | null>(null)
  const [said, setSaid] = useState('')
  const wanted = useRef(at)
  useEffect(() => {
    const element = video.current
    // Nothing is fetched for an element that nobody sees any longer.
    return () => {
      element?.removeAttribute('src')
      element?.load()
    }
  }, [opened])

  const first = data && pieceAt(data.pieces, at)
  async function go(to: number, because = why): Promise<void> {
    const piece = data && pieceAt(data.pieces, to)
    if (!piece) return setSaid(`${full(to).slice(11)} 没有录像`)
    if (!playsHere(piece)) return setSaid(cannotPlay(piece.format!))
    setSaid('')
    wanted.current = to
    if (opened && opened.piece.id === piece.id && video.current) {
      video.current.currentTime = (to - piece.from) / paceOf(piece, video.current.duration)
      return
    }
    try {
      const { address } = await call(recordingsApi.open, { body: { id: piece.id, ...because } })
      setOpened({ piece, address })
    } catch (failure) {
      setSaid((failure as Error).message)
    }
  }
  /** Where it stands, asked of the film itself: what is drawn comes after a jump. On its way: what is wanted. */
  const here = () => {
    const element = video.current
    return opened && element && element.readyState > 0
      ? opened.piece.from + element.currentTime * paceOf(opened.piece, element.duration)
      : wanted.current
  }
  const jump = (by: number) => void go(Math.floor(here()) + by)
  const begin = (because = why) => {
    if (data?.asks && !because.said) return setAsking(true)
    return void go(Math.max(first?.from ?? at, at - BEFORE_S), because)
  }
  if (error) return <p className="quiet">录像没有读到：{error.message}</p>
  if (!data) return null
  const whole = (
    <LinkTo
      page="videoRecord"
      query={{ device_id: deviceId, at: Math.floor(second ?? at), for: purpose }}
      target="_blank"
    >
      看这一天的录像
    </LinkTo>
  )
  if (!first) return <p className="quiet">当时没有录像。{data.spans.length > 0 && whole}</p>
  if (!playsHere(first))
    return (
      <p className="quiet">
        当时的录像是 {cannotPlay(first.format!)}。{whole}
      </p>
    )
  return (
    <div className="moment">
      {asking && (
        <PurposeAsk
          late
          onSaid={(purpose) => {
            setWhy(purpose)
            setAsking(false)
            begin(purpose)
          }}
        />
      )}
      {!opened && !asking && (
        <button type="button" className="button" onClick={() => begin()}>
          ▶ 播放当时录像
        </button>
      )}
      {opened && (
        <>
          <div className="moment-picture">
            <video
              key={opened.address}
              ref={video}
              src={opened.address}
              aria-label="当时录像"
              autoPlay
              muted
              playsInline
              controls
              onLoadedMetadata={(e) => {
                const element = e.currentTarget
                element.currentTime =
                  (wanted.current - opened.piece.from) / paceOf(opened.piece, element.duration)
              }}
              onTimeUpdate={(e) => {
                const element = e.currentTarget
                setSecond(opened.piece.from + element.currentTime * paceOf(opened.piece, element.duration))
              }}
              onError={() => {
                setOpened(undefined)
                setSaid('这段录像没有能放出来，请重试')
              }}
            />
            {second !== null && <time>回放 {full(Math.floor(second))}</time>}
          </div>
          <p className="moment-acts">
            <button type="button" className="button" onClick={() => jump(-JUMP_S)}>
              −{JUMP_S} 秒
            </button>
            <button type="button" className="button" onClick={() => void go(at)}>
              报警时刻
            </button>
            <button type="button" className="button" onClick={() => jump(JUMP_S)}>
              +{JUMP_S} 秒
            </button>
            {whole}
          </p>
        </>
      )}
      {said && <p role="alert">{said}</p>}
    </div>
  )
}
