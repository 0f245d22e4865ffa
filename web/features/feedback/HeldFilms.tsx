import { useQuery } from '@tanstack/react-query'
import { recordingsApi } from '@zhuguan/contract/features/recordings/recordings.api.ts'
import { cannotPlay, type HeldFilm } from '@zhuguan/contract/features/recordings/recordings.record.ts'
import { useState } from 'react'

import { call } from '../../kit/api.ts'
import { full } from '../../kit/time.ts'
import { paceOf, playsHere } from '../../parts/video/film.ts'

const timeOf = (second: number) => full(second).slice(11)
/** What of a film lies in the hour that is held. */
const heldOf = ({ from, to, hour }: HeldFilm) => ({
  from: Math.max(from, hour.from),
  to: Math.min(to, hour.to),
})

/** The hour that is held for a complaint; each film is opened, and so written down, when somebody wants to see it. */
export default function HeldFilms({ id }: { id: string }) {
  const { data, error } = useQuery({
    queryKey: [recordingsApi.held.path, id],
    queryFn: ({ signal }) => call(recordingsApi.held, { body: { feedback_id: id } }, signal),
  })
  const [open, setOpen] = useState<{ film: HeldFilm; address: string }>()
  const [said, setSaid] = useState('')
  async function look(film: HeldFilm): Promise<void> {
    setSaid('')
    try {
      const { address } = await call(recordingsApi.openHeld, { body: { feedback_id: id, id: film.id } })
      setOpen({ film, address })
    } catch (failure) {
      setOpen(undefined)
      setSaid((failure as Error).message)
    }
  }
  if (error) return <p className="quiet">留存的录像没有读到：{error.message}</p>
  if (!data) return <p className="quiet">正在查看留存的录像…</p>
  if (data.length === 0) return <p className="quiet">登记投诉前的一小时没有录像。</p>
  return (
    <>
      <ul className="feedback-lines" aria-label="投诉留存的录像">
        {data.map((film) => {
          const { from, to } = heldOf(film)
          const why = whyNot(film)
          return (
            <li key={film.id}>
              <span>
                {full(from)} – {timeOf(to)} {film.deviceSn}
              </span>
              {why ? (
                <small className="quiet">{why}</small>
              ) : (
                <button type="button" className="text-button" onClick={() => void look(film)}>
                  {open?.film.id === film.id ? '重新播放' : '播放'}
                </button>
              )}
            </li>
          )
        })}
      </ul>
      {open && <Player key={open.address} {...open} onFail={setSaid} />}
      {said && <p role="alert">{said}</p>}
      <p className="quiet">只有留存的这一小时可以看，结案后不能再看；谁看过都会记录。</p>
    </>
  )
}

function whyNot(film: HeldFilm): string | undefined {
  if (film.tooLong) return '文件比留存的一小时长得多，请分公司总经理在录像回放里查看'
  return playsHere(film) ? undefined : cannotPlay(film.format!)
}

function Player({
  film,
  address,
  onFail,
}: {
  film: HeldFilm
  address: string
  onFail: (why: string) => void
}) {
  const held = heldOf(film)
  const [second, setSecond] = useState(held.from)
  return (
    <div className="held-film">
      <video
        src={address}
        aria-label="留存的录像"
        autoPlay
        muted
        playsInline
        controls
        onLoadedMetadata={(e) => {
          const element = e.currentTarget
          element.currentTime = (held.from - film.from) / paceOf(film, element.duration)
        }}
        onTimeUpdate={(e) => {
          const element = e.currentTarget
          const now = film.from + element.currentTime * paceOf(film, element.duration)
          setSecond(now)
          // What the file holds besides is no part of the hour.
          if (now >= held.to) element.pause()
        }}
        onError={() => onFail('这段录像没有能放出来，投诉结案或留存解除后不能再看')}
      />
      <time>回放 {full(Math.floor(second))}</time>
    </div>
  )
}
