import type { RecordingDay } from '@zhuguan/contract/features/recordings/recordings.record.ts'
import type { ReactNode } from 'react'

import { full } from '../../kit/time.ts'
import type { Purpose } from '../../parts/video/purpose.ts'
import { OriginalButton } from './OriginalButton.tsx'
import type { Player } from './usePlayer.ts'

/** The picture of one camera with its time, or what stands in its place. */
export function VideoHalf({
  player,
  day,
  label,
  why,
  isOff,
  nothing,
  onToggle,
  onSeek,
}: {
  player: Player
  day: RecordingDay | undefined
  label: string
  why: Purpose
  /** Nothing may be shown yet. */
  isOff: boolean
  nothing: ReactNode
  onToggle: () => unknown
  onSeek: (second: number) => unknown
}) {
  const { video, said } = player
  return (
    <div className="video-half" aria-busy={player.busy}>
      <video
        ref={video}
        className={said || isOff ? 'is-off' : ''}
        playsInline
        muted
        aria-label={label}
        onClick={() => void onToggle()}
      />
      {day && !isOff && <TimeOf player={player} sn={day.deviceSn} />}
      <div className="video-over">
        {nothing}
        {!nothing && !isOff && <SaidOf player={player} why={why} onSeek={onSeek} />}
      </div>
    </div>
  )
}

const SaidOf = ({
  player: { said, at, seek },
  why,
  onSeek,
}: {
  player: Player
  why: Purpose
  onSeek: (second: number) => unknown
}) =>
  said && (
    <div className="video-said" role="alert">
      <p>{said.text}</p>
      {said.unplayable && <OriginalButton piece={said.unplayable} why={why} />}
      {said.next !== undefined && (
        <button
          className={said.unplayable ? 'button' : 'button primary'}
          onClick={() => void onSeek(said.next!)}
        >
          跳到下一段
        </button>
      )}
      {said.failed && at !== null && (
        <button className="button primary" onClick={() => void seek(at)}>
          重试
        </button>
      )}
    </div>
  )

/** What is shown is always said to be the past; where nothing is, of which camera. */
const TimeOf = ({ player: { at, said }, sn }: { player: Player; sn: string }) =>
  at !== null &&
  (said ? (
    <p className="video-sn">{sn}</p>
  ) : (
    <p className="video-time">
      <b>回放</b> {full(Math.floor(at))} · {sn}
    </p>
  ))
