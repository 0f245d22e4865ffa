import { useQuery } from '@tanstack/react-query'
import { recordingsApi } from '@zhuguan/contract/features/recordings/recordings.api.ts'
import {
  ADDRESS_S,
  APART_S,
  cannotPlay,
  pieceAt,
  type RecordingDay,
  type RecordingPiece,
} from '@zhuguan/contract/features/recordings/recordings.record.ts'
import { useEffect, useRef, useState } from 'react'

import { call } from '../../kit/api.ts'
import { full, nowSeconds } from '../../kit/time.ts'
import { paceOf, playsHere, shownAt } from '../../parts/video/film.ts'
import type { Purpose } from '../../parts/video/purpose.ts'

export const SPEEDS = [1, 2, 4, 8, 16] as const
/** A frame of a camera that takes 25 a second. */
const FRAME_S = 0.04
/** An address that ends sooner is asked for anew. */
const SPARE_S = 30
/** Cameras begin a file a second after they have ended the one before. */
const JOINT_S = 1

export const useRecordedDay = (device: string | null, day: string) =>
  useQuery({
    queryKey: [recordingsApi.day.path, device, day],
    enabled: !!device,
    queryFn: ({ signal }) => call(recordingsApi.day, { body: { device_id: device!, day } }, signal),
  })

/** Until when it opens, by this machine's own clock: it may be wrong. */
type Address = { address: string; until: number }
/** What is said instead of a picture, and where the next one begins. */
export interface Said {
  text: string
  next?: number
  /** It could not be played, although it was recorded. */
  failed?: boolean
  /** What was recorded and does not play here. */
  unplayable?: RecordingPiece
}
interface Together {
  /** Another camera shows that second: where this one shows none, time goes on all the same. */
  elsewhere?: (second: number) => boolean
  /** It shows nothing until it is told what. */
  follows?: boolean
}
/** The second at which the picture begins: at what plays, if anything does. */
const firstOf = ({ pieces, spans, from }: RecordingDay): number | undefined => {
  const plays = pieces.find(playsHere)
  return plays ? Math.max(plays.from, from) : spans[0]?.from
}
/** Between two looks at the time while another camera shows it. */
const COAST_MS = 200

/**
 * A day as one film: each second is shown from the file that was recorded last, one after the other. Where there is
 * none it says so and waits to be told.
 */
export function usePlayer(
  day: RecordingDay | undefined,
  start: number | null,
  why: Purpose,
  mayOpen: boolean,
  { elsewhere = () => false, follows = false }: Together = {},
) {
  const video = useRef<HTMLVideoElement>(null)
  const addresses = useRef(new Map<string, Promise<Address>>())
  const current = useRef<RecordingPiece>(undefined)
  const asked = useRef(0)
  const [at, setAt] = useState<number | null>(null)
  const [playing, setPlaying] = useState(false)
  const [speed, setSpeed] = useState<number>(1)
  const [said, setSaid] = useState<Said | null>(null)
  const [busy, setBusy] = useState(false)
  const isOn = useRef(false)
  const fast = useRef(1)
  const loading = useRef(false)
  /** Since when time goes on without a picture of this camera. */
  const coast = useRef<{ from: number; since: number }>(undefined)

  async function addressOf(piece: RecordingPiece): Promise<string> {
    const kept = await addresses.current.get(piece.id)
    if (kept && kept.until - SPARE_S > nowSeconds()) return kept.address
    const until = nowSeconds() + ADDRESS_S
    const opened = call(recordingsApi.open, { body: { id: piece.id, ...why } }).then(({ address }) => ({
      address,
      until,
    }))
    addresses.current.set(piece.id, opened)
    // What was refused is asked again the next time.
    opened.catch(() => addresses.current.delete(piece.id))
    return (await opened).address
  }
  function stop(what: Said): void {
    video.current?.pause()
    setPlaying(false)
    setSaid(what)
  }
  /** Nothing to be shown: nobody recorded it, or it does not play here. */
  function inGap(second: number, unplayable?: RecordingPiece): void {
    // Of one that does not play it leads to one that does.
    const next = day?.pieces.find((p) => p.from > second && (!unplayable || playsHere(p)))?.from
    const goesOn = next === undefined ? '' : `，下一段从 ${full(next).slice(11)} 开始`
    const nothing = next === undefined ? '这之后没有录像了' : `这里没有录像${goesOn}`
    stop({ text: unplayable ? `${cannotPlay(unplayable.format!)}${goesOn}` : nothing, next, unplayable })
    if (!isOn.current || !elsewhere(second)) return
    coast.current = { from: second, since: performance.now() }
    setPlaying(true)
  }
  const coasted = ({ from, since }: { from: number; since: number }) =>
    from + ((performance.now() - since) / 1_000) * fast.current
  async function seek(second: number, play = isOn.current): Promise<void> {
    if (!day || !mayOpen) return
    const turn = (asked.current += 1)
    isOn.current = play
    coast.current = undefined
    // What was being loaded is not waited for any longer.
    loading.current = false
    setBusy(false)
    setAt(second)
    setSaid(null)
    const piece = pieceAt(day.pieces, second)
    if (!piece) return inGap(second)
    if (!playsHere(piece)) return inGap(second, piece)
    const element = video.current!
    if (current.current?.id !== piece.id) {
      setBusy(true)
      loading.current = true
      try {
        const address = await addressOf(piece)
        if (turn !== asked.current) return
        current.current = piece
        element.src = address
        await new Promise<void>((done, fail) => {
          element.onloadedmetadata = () => done()
          element.onerror = () => fail(new Error('这段录像没有能放出来，请重试'))
        })
      } catch (error) {
        if (turn !== asked.current) return
        current.current = undefined
        return stop({ text: (error as Error).message, failed: true })
      } finally {
        if (turn === asked.current) {
          setBusy(false)
          loading.current = false
        }
      }
      if (turn !== asked.current) return
    }
    element.onerror = () => {
      addresses.current.delete(piece.id)
      current.current = undefined
      stop({ text: '播放中断：地址已过期，或网络断开。按空格键继续', failed: true })
    }
    // Films of before this was looked at may be shorter than they were said to be.
    if (second - piece.from > element.duration + APART_S) return inGap(second)
    element.currentTime = (second - piece.from) / paceOf(piece, element.duration)
    element.playbackRate = fast.current
    // Whoever has pressed pause meanwhile is heard.
    if (isOn.current) await element.play().catch(() => {})
  }
  /** The second of the day that the element shows now. */
  function shown(): number | null {
    const [element, piece] = [video.current, current.current]
    return element && piece ? piece.from + element.currentTime * paceOf(piece, element.duration) : null
  }
  const step = useRef({ onTime: () => {}, onEnd: () => {}, onCoast: () => {} })
  step.current = {
    onCoast() {
      if (!coast.current || !day) return
      const second = coasted(coast.current)
      setAt(second)
      if (shownAt(day.pieces, second)) return void seek(second, true)
      if (elsewhere(second)) return
      coast.current = undefined
      setPlaying(false)
    },
    onTime() {
      const second = shown()
      if (second === null || !current.current || loading.current || video.current?.seeking) return
      setAt(second)
      // A film may be longer than its stretch.
      if (second > current.current.to + JOINT_S) return step.current.onEnd()
      const piece = day && pieceAt(day.pieces, Math.floor(second))
      if (piece && piece.id !== current.current.id) void seek(Math.floor(second))
    },
    onEnd() {
      const end = current.current?.to
      if (end === undefined || !day) return
      const next = [0, JOINT_S].map((s) => end + s).find((s) => pieceAt(day.pieces, s))
      if (next === undefined) inGap(end)
      else void seek(next, true)
    },
  }
  useEffect(() => {
    const element = video.current
    if (!element) return
    const time = () => step.current.onTime()
    const end = () => step.current.onEnd()
    const on = () => setPlaying(!!coast.current || !element.paused)
    const coasting = setInterval(() => step.current.onCoast(), COAST_MS)
    element.addEventListener('timeupdate', time)
    element.addEventListener('ended', end)
    element.addEventListener('play', on)
    element.addEventListener('pause', on)
    return () => {
      clearInterval(coasting)
      element.removeEventListener('timeupdate', time)
      element.removeEventListener('ended', end)
      element.removeEventListener('play', on)
      element.removeEventListener('pause', on)
    }
  }, [day?.device_id])
  const known = day && `${day.device_id} ${day.day}`
  const shownDay = useRef<string>(undefined)
  useEffect(() => {
    // Another purpose is another line of the log.
    addresses.current.clear()
    current.current = undefined
  }, [why])
  useEffect(() => {
    video.current?.pause()
    if (!day || !mayOpen) return
    const isSame = shownDay.current === `${known} ${start}`
    shownDay.current = `${known} ${start}`
    asked.current += 1
    coast.current = undefined
    setPlaying(false)
    if (isSame && at !== null) return void seek(Math.floor(at), false)
    current.current = undefined
    video.current?.removeAttribute('src')
    video.current?.load()
    const first = start !== null && start > day.from && start < day.to ? start : firstOf(day)
    setSaid(null)
    setAt(null)
    if (first !== undefined && !follows) void seek(first, false)
  }, [known, start, mayOpen])

  return {
    video,
    at,
    playing,
    speed,
    said,
    busy,
    seek,
    /** The second that is shown at this very moment. */
    second() {
      if (coast.current) return coasted(coast.current)
      return said ? at : (shown() ?? at)
    },
    toggle() {
      if (loading.current) isOn.current = !isOn.current
      if (loading.current) return undefined
      if (playing) {
        isOn.current = false
        coast.current = undefined
        setPlaying(false)
        return video.current?.pause()
      }
      return seek(Math.floor(at ?? (day && firstOf(day)) ?? 0), true)
    },
    hasten(to: number) {
      if (coast.current) coast.current = { from: coasted(coast.current), since: performance.now() }
      fast.current = to
      setSpeed(to)
      if (video.current) video.current.playbackRate = to
    },
    frame(by: 1 | -1) {
      const element = video.current
      if (!element || !current.current) return
      isOn.current = false
      element.pause()
      element.currentTime = Math.max(0, element.currentTime + by * FRAME_S)
    },
  }
}
export type Player = ReturnType<typeof usePlayer>
