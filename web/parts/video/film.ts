import {
  APART_S,
  filmFormat,
  pieceAt,
  type RecordingPiece,
  type Stretch,
} from '@zhuguan/contract/features/recordings/recordings.record.ts'

const H265 = 'video/mp4; codecs="hvc1.1.6.L120.90"'
/** H.265 plays where the machine brings it; the other forms nowhere. */
export const playsHere = ({ format }: Pick<RecordingPiece, 'format'>): boolean =>
  !format || (format === filmFormat.code.hevc && document.createElement('video').canPlayType(H265) !== '')

/** The piece that shows a second here; none where nothing was recorded or it does not play. */
export function shownAt(pieces: readonly RecordingPiece[], second: number): RecordingPiece | undefined {
  const piece = pieceAt(pieces, second)
  return piece && playsHere(piece) ? piece : undefined
}

/** Seconds of the day for one of the film. Clocks explain a second or two; nothing is stretched for more. */
export function paceOf({ from, to }: Stretch, duration: number): number {
  const isKnown = Number.isFinite(duration) && duration > 0
  return isKnown && Math.abs(to - from - duration) <= APART_S ? (to - from) / duration : 1
}
