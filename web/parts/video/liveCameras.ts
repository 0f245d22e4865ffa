import { streamsApi } from '@zhuguan/contract/features/streams/streams.api.ts'
import { KEEP_S, type OpenStream, STREAMS_EACH } from '@zhuguan/contract/features/streams/streams.record.ts'

import { ApiError, call, sessionHeaders } from '../../kit/api.ts'
import { playFlv, playHls, type Playing, playWhep } from '../../kit/video/play.ts'
import type { Purpose } from './purpose.ts'

/** The known facts of a camera that somebody looks at. */
export interface LiveState {
  /** The line of the view log. */
  view: string | null
  /** `asks`: the purpose has to be said first. `stalled`: it plays, but the picture does not move. */
  kind: 'opening' | 'live' | 'stalled' | 'still' | 'asks'
  /** Seconds behind the camera, where the player knows. */
  behind: number | null
  /** The reason why there is no live picture. */
  why: string
  /** Nobody may look: what was seen before is not shown either. */
  refused: boolean
  picture: string | null
  pictureAt: number | null
}
interface Look {
  /** The place of its picture. */
  box: HTMLElement
  onState: (state: LiveState) => void
}
interface Camera {
  id: string
  why: Purpose
  looks: Set<Look>
  video: HTMLVideoElement
  /** Copies of the picture for those who look besides the first. */
  copies: Map<Look, HTMLVideoElement>
  state: LiveState
  opened: OpenStream | undefined
  playing: Playing | undefined
  /** What is under way for a camera that has been left meanwhile ends by itself. */
  turn: number
  watch: ReturnType<typeof setInterval> | undefined
  again: ReturnType<typeof setTimeout> | undefined
  /** Until when somebody may look. */
  ends: ReturnType<typeof setTimeout> | undefined
  tries: number
}

/** A picture that has not moved for so long is not called live, and after longer is taken away. */
const STALLED_MS = 2_500
const STILL_MS = 8_000
const FIRST_MS = 15_000
const LOOK_MS = 500
/** Who turns away for a moment finds the picture still there. */
const GRACE_MS = 1_000
/** Tried again after so long, and twice as long each time. */
const AGAIN_MS = 5_000
const LONGEST_AGAIN_MS = 60_000
/** Clocks differ a little. */
const END_MS = 500

export const START: LiveState = {
  view: null,
  kind: 'opening',
  behind: null,
  why: '',
  refused: false,
  picture: null,
  pictureAt: null,
}
/** One of each camera in this window, however many look. */
const cameras = new Map<string, Camera>()
/** What the person said on this page counts for all of its cameras. */
let spoken: { page: string; purpose: Purpose } | undefined
const pageNow = () => location.hash.split('?')[0] ?? ''

function tell(camera: Camera, change: Partial<LiveState>): void {
  camera.state = { ...camera.state, ...change }
  for (const look of camera.looks) look.onState(camera.state)
}

function newVideo(): HTMLVideoElement {
  const video = document.createElement('video')
  Object.assign(video, { autoplay: true, muted: true, playsInline: true })
  return video
}
/** The first who looks has the picture itself, the others a copy of it. */
function place(camera: Camera): void {
  const [first, ...others] = camera.looks
  if (first && camera.video.parentElement !== first.box) {
    first.box.replaceChildren(camera.video)
    void camera.video.play().catch(() => {})
  }
  for (const [look, copy] of camera.copies)
    if (!others.includes(look)) {
      copy.srcObject = null
      copy.remove()
      camera.copies.delete(look)
    }
  const stream = others.length && camera.playing ? streamOf(camera.video) : null
  for (const look of others) {
    const copy = camera.copies.get(look) ?? newVideo()
    camera.copies.set(look, copy)
    if (copy.parentElement !== look.box) look.box.replaceChildren(copy)
    if (copy.srcObject !== stream) copy.srcObject = stream
    void copy.play().catch(() => {})
  }
}
const captured = new WeakMap<HTMLVideoElement, MediaStream>()
function streamOf(video: HTMLVideoElement & { captureStream?: () => MediaStream }): MediaStream | null {
  if (video.srcObject instanceof MediaStream) return video.srcObject
  const known = captured.get(video)
  if (known?.active) return known
  const made = video.captureStream?.() ?? null
  if (made) captured.set(video, made)
  return made
}

/** Pictures that have been shown; a clock alone goes on without any. */
const framesOf = (video: HTMLVideoElement) =>
  video.getVideoPlaybackQuality?.().totalVideoFrames ?? video.currentTime

function stopPlaying(camera: Camera): void {
  camera.turn += 1
  clearInterval(camera.watch)
  clearTimeout(camera.again)
  clearTimeout(camera.ends)
  camera.playing?.close()
  camera.playing = undefined
  captured.delete(camera.video)
  for (const copy of camera.copies.values()) copy.srcObject = null
}
/** Refused for good: asking again would say the same. */
const isRefusal = (error: unknown): boolean =>
  error instanceof ApiError && error.code >= 400 && error.code < 500 && error.code !== 429

function fail(camera: Camera, why: string, again = true): void {
  stopPlaying(camera)
  tell(camera, { kind: 'still', behind: null, why })
  if (!again) return
  const wait = Math.min(LONGEST_AGAIN_MS, AGAIN_MS * 2 ** camera.tries)
  camera.tries += 1
  camera.again = setTimeout(() => void (camera.opened ? play(camera) : open(camera)), wait)
}

async function open(camera: Camera): Promise<void> {
  stopPlaying(camera)
  const { turn } = camera
  tell(camera, { kind: 'opening', why: '' })
  const why = !camera.why.said && spoken?.page === pageNow() ? spoken.purpose : camera.why
  try {
    await closing
    if (turn !== camera.turn) return undefined
    const opened = await call(streamsApi.open, { body: { device_id: camera.id, ...why } })
    if (turn !== camera.turn) return void close([opened.view])
    camera.opened = opened
    keepAlive()
    const { view, picture, pictureAt } = opened
    tell(camera, { view, picture, pictureAt, refused: false })
    if (opened.kind) return await play(camera)
    endAt(camera, opened.lookUntil)
    return tell(camera, { kind: 'still', why: opened.why })
  } catch (error) {
    if (turn !== camera.turn) return
    const asks = error instanceof ApiError && 'purpose' in error.fields
    if (asks) return tell(camera, { kind: 'asks', why: error.message })
    const refused = isRefusal(error)
    if (refused) tell(camera, { view: null, picture: null, pictureAt: null, refused })
    return fail(camera, (error as Error).message, !refused)
  }
}

async function play(camera: Camera): Promise<void> {
  stopPlaying(camera)
  const { turn, video, opened } = camera
  if (!opened?.kind) return
  const stop = (why: string) => turn === camera.turn && fail(camera, why)
  tell(camera, { kind: 'opening', why: '' })
  try {
    const playing = await begin(video, opened, stop)
    if (turn !== camera.turn) return playing.close()
    camera.playing = playing
  } catch (error) {
    // Its view is over, whatever the reason: the next try asks for another.
    if (isRefusal(error) && turn === camera.turn) camera.opened = undefined
    return void stop((error as Error).message)
  }
  endAt(camera, opened.lookUntil)
  place(camera)
  let [last, since, begun] = [framesOf(video), performance.now(), false]
  camera.watch = setInterval(() => {
    const [now, frames] = [performance.now(), framesOf(video)]
    if (frames !== last) {
      ;[last, since] = [frames, now]
      if (!begun) place(camera)
      ;[begun, camera.tries] = [true, 0]
      return tell(camera, { kind: 'live', behind: camera.playing?.behind() ?? null })
    }
    if (now - since > (begun ? STILL_MS : FIRST_MS))
      return void stop(begun ? '直播画面停住了' : '等不到直播画面')
    if (begun && now - since > STALLED_MS) tell(camera, { kind: 'stalled', behind: null })
  }, LOOK_MS)
}
function begin(video: HTMLVideoElement, { kind, address, view }: OpenStream, stop: (why: string) => void) {
  if (kind === 'whep')
    return playWhep(
      video,
      (sdp) => call(streamsApi.offer, { body: { view, sdp } }).then((answer) => answer.sdp),
      stop,
    )
  return kind === 'hls' ? playHls(video, address!, stop) : playFlv(video, address!, stop)
}

/** Also while the page goes away. */
function close(views: readonly string[]): Promise<unknown> {
  return fetch(streamsApi.close.path, {
    method: streamsApi.close.method,
    headers: { ...sessionHeaders(), 'content-type': 'application/json' },
    body: JSON.stringify({ views }),
    keepalive: true,
  }).catch(() => {})
}
function leave(...left: readonly Camera[]): Promise<unknown> {
  for (const camera of left) {
    stopPlaying(camera)
    camera.video.remove()
    cameras.delete(camera.id)
  }
  const views = left.flatMap((camera) => camera.opened?.view ?? [])
  return views.length ? close(views) : Promise.resolve()
}
/** What is opened next waits for it: a person has so many places and no more. */
let closing: Promise<unknown> = Promise.resolve()
/** A wall that turns leaves all its cameras for others: those that nobody looks at any more make room at once. */
function makeRoom(): void {
  const idle = [...cameras.values()].filter((camera) => camera.looks.size === 0)
  if (cameras.size >= STREAMS_EACH && idle.length) closing = leave(...idle)
}

let keeping: ReturnType<typeof setInterval> | undefined
/** One request for all views of this window. */
function keepAlive(): void {
  keeping ??= setInterval(() => void keep(), KEEP_S * 1_000)
}
async function keep(): Promise<void> {
  const opened = [...cameras.values()].filter((c) => c.opened)
  if (opened.length === 0) {
    clearInterval(keeping)
    keeping = undefined
    return
  }
  for (let i = 0; i < opened.length; i += STREAMS_EACH) {
    const some = opened.slice(i, i + STREAMS_EACH)
    const views = some.map((c) => c.opened!.view)
    const answer = await call(streamsApi.keep, { body: { views } }).catch(() => undefined)
    if (!answer) continue
    for (const camera of some) {
      const { view } = camera.opened ?? {}
      const still = answer.stills.find((one) => one.view === view)
      if (still) {
        tell(camera, { picture: still.picture, pictureAt: still.pictureAt })
        endAt(camera, still.lookUntil)
      }
      if (!view || !answer.ended.includes(view) || cameras.get(camera.id) !== camera) continue
      camera.opened = undefined
      void open(camera)
    }
  }
}
/** Asks at the second from which nobody may look: the picture goes with the answer, and the reason stands there. */
function endAt(camera: Camera, until: number | null): void {
  clearTimeout(camera.ends)
  const ms = until === null ? Infinity : until * 1_000 - Date.now()
  // What ends later is told again by then.
  if (ms < 2 * KEEP_S * 1_000) camera.ends = setTimeout(() => void keep(), Math.max(ms, 0) + END_MS)
}
/** Something has become of a home: whether its cameras may still be looked through is asked at once. */
export function askAgain(site: string): void {
  if ([...cameras.values()].some((c) => c.opened?.siteId === site)) void keep()
}
window.addEventListener('pagehide', () => {
  void leave(...cameras.values())
})

/** Looks at a camera until the answered function is called; its picture stands in `box`. */
export function lookAt(id: string, why: Purpose, box: HTMLElement, onState: Look['onState']): () => void {
  const look: Look = { box, onState }
  let camera = cameras.get(id)
  if (camera) {
    camera.looks.add(look)
    place(camera)
    onState(camera.state)
  } else {
    makeRoom()
    camera = {
      id,
      why,
      looks: new Set([look]),
      video: newVideo(),
      copies: new Map(),
      state: START,
      opened: undefined,
      playing: undefined,
      turn: 0,
      watch: undefined,
      again: undefined,
      ends: undefined,
      tries: 0,
    }
    cameras.set(id, camera)
    place(camera)
    void open(camera)
  }
  const mine = camera
  return () => {
    mine.looks.delete(look)
    if (mine.looks.size > 0) return place(mine)
    setTimeout(() => mine.looks.size === 0 && cameras.get(id) === mine && void leave(mine), GRACE_MS)
  }
}

/** The purpose, said once for all cameras of this page that wait for it. */
export function sayPurpose(purpose: Purpose): void {
  spoken = { page: pageNow(), purpose }
  for (const camera of cameras.values()) if (camera.state.kind === 'asks') void open(camera)
}
export const isPurposeSaid = (): boolean => spoken?.page === pageNow()
/** Tries a camera again at once. */
export function tryAgain(id: string): void {
  const camera = cameras.get(id)
  if (!camera) return
  camera.tries = 0
  void (camera.opened ? play(camera) : open(camera))
}
