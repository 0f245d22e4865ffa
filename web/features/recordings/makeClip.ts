import type { recordingsApi } from '@zhuguan/contract/features/recordings/recordings.api.ts'
import type { DataOf } from '@zhuguan/contract/kit/api.ts'
import {
  BlobSource,
  BufferTarget,
  CanvasSource,
  getFirstEncodableVideoCodec,
  Input,
  type InputVideoTrack,
  MP4,
  Mp4OutputFormat,
  Output,
  QUALITY_HIGH,
  VideoSampleSink,
} from 'mediabunny'

import { paceOf } from '../../parts/video/film.ts'
import { burnIn, burnt } from './burnIn.ts'

export type ClipPieces = DataOf<(typeof recordingsApi)['clip']>
type Piece = ClipPieces['pieces'][number]
interface Making {
  signal: AbortSignal
  /** From 0 to 1. */
  onProgress: (part: number) => void
}
/** What is fetched and what is drawn take about as long. */
const FETCHED = 0.3
const CODECS = ['avc', 'vp9', 'av1', 'vp8'] as const
const UNREADABLE = '这个浏览器放不出这台摄像头的录像，不能下载，请换新版的 Chrome 或 Edge'
const UNABLE = '这个浏览器不能制作录像片段，请换新版的 Chrome 或 Edge'

/** All files first: their addresses do not open for long, and drawing may take longer. */
async function fetchAll(pieces: readonly Piece[], { signal, onProgress }: Making): Promise<Map<Piece, Blob>> {
  const files = new Map<Piece, Blob>()
  for (const piece of pieces) {
    const answer = await fetch(piece.address, { signal })
    if (!answer.ok) throw new Error('录像没有取到，请重新下载')
    files.set(piece, await answer.blob())
    onProgress((FETCHED * files.size) / pieces.length)
  }
  return files
}
async function trackOf(file: Blob): Promise<{ input: Input; track: InputVideoTrack }> {
  const input = new Input({ source: new BlobSource(file), formats: [MP4] })
  const track = await input.getPrimaryVideoTrack()
  if (!track || !(await track.canDecode())) throw new Error(UNREADABLE)
  return { input, track }
}
const even = (pixels: number) => Math.max(2, pixels - (pixels % 2))

/** One file from many: every picture bears who took it away and which second it shows; gaps are left out. */
export async function makeClip({ pieces, deviceSn, viewer, at }: ClipPieces, making: Making): Promise<Blob> {
  const files = await fetchAll(pieces, making)
  const first = await trackOf(files.get(pieces[0]!)!)
  const canvas = new OffscreenCanvas(even(first.track.displayWidth), even(first.track.displayHeight))
  first.input.dispose()
  const pen = canvas.getContext('2d', { alpha: false })!
  const codec = await getFirstEncodableVideoCodec([...CODECS], {
    width: canvas.width,
    height: canvas.height,
  })
  if (!codec) throw new Error(UNABLE)
  const target = new BufferTarget()
  const output = new Output({ format: new Mp4OutputFormat({ fastStart: 'in-memory' }), target })
  const pictures = new CanvasSource(canvas, { codec, bitrate: QUALITY_HIGH })
  output.addVideoTrack(pictures)
  await output.start()
  const whole = pieces.reduce((sum, p) => sum + p.to - p.from, 0)
  let before = 0
  /** Draws what one file shows of the clip behind what has been drawn. */
  async function draw(piece: Piece): Promise<void> {
    const { input, track } = await trackOf(files.get(piece)!)
    try {
      // Seconds of the day and of the file, whatever pace it was recorded at.
      const pace = paceOf({ from: piece.begins, to: piece.ends }, await track.computeDuration())
      const [from, to] = [(piece.from - piece.begins) / pace, (piece.to - piece.begins) / pace]
      for await (const sample of new VideoSampleSink(track).samples(from, to)) {
        const begins = Math.max(sample.timestamp, from)
        const ends = Math.min(sample.timestamp + sample.duration, to)
        making.signal.throwIfAborted()
        sample.draw(pen, 0, 0, canvas.width, canvas.height)
        sample.close()
        if (ends <= begins) continue
        burnIn(pen, burnt(piece.begins + begins * pace, deviceSn, viewer, '下载', at))
        const shown = before + (begins - from) * pace
        await pictures.add(shown, (ends - begins) * pace)
        making.onProgress(FETCHED + ((1 - FETCHED) * shown) / whole)
      }
    } finally {
      input.dispose()
    }
    before += piece.to - piece.from
  }
  try {
    for (const piece of pieces) await draw(piece)
    await output.finalize()
  } catch (error) {
    await output.cancel()
    throw error
  }
  return new Blob([target.buffer!], { type: 'video/mp4' })
}
