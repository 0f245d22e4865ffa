import { useQuery } from '@tanstack/react-query'
import { recordingsApi } from '@zhuguan/contract/features/recordings/recordings.api.ts'
import { filmFormat } from '@zhuguan/contract/features/recordings/recordings.record.ts'
import { useEffect, useState } from 'react'

import { call } from '../../kit/api.ts'
import { dayOf, dayStart, nowSeconds, short } from '../../kit/time.ts'
import { findSites, siteOf } from '../../parts/places.tsx'
import { playsHere } from '../../parts/video/film.ts'

interface Choice {
  value: string
  label: string
}
const PAUSE_MS = 250
const DAY = 86_400

/** A site by its name; what is typed is looked for. */
export function SitePick({ site, onPick }: { site: string | null; onPick: (id: string) => void }) {
  const [text, setText] = useState('')
  const [found, setFound] = useState<readonly Choice[]>([])
  useEffect(() => {
    if (site)
      void siteOf(site).then(
        (one) => setText(one?.label ?? ''),
        () => {},
      )
  }, [site])
  useEffect(() => {
    const timer = setTimeout(() => void findSites(text).then(setFound, () => setFound([])), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text])
  return (
    <>
      <input
        className="video-site"
        list="video-sites"
        aria-label="工地"
        placeholder="输入工地名称或编号"
        value={text}
        onFocus={(e) => e.target.select()}
        onChange={(e) => {
          setText(e.target.value)
          const one = found.find((o) => o.label === e.target.value)
          if (one) onPick(one.value)
        }}
      />
      <datalist id="video-sites">
        {found.map((o) => (
          <option key={o.value} value={o.label} />
        ))}
      </datalist>
    </>
  )
}

const useCameras = (site: string | null) =>
  useQuery({
    queryKey: [recordingsApi.cameras.path, site],
    enabled: !!site,
    queryFn: ({ signal }) => call(recordingsApi.cameras, { body: { site_id: site! } }, signal),
  })

/** Another camera of the site to be seen beside the first. */
export function BesidePick({
  site,
  device,
  beside,
  onPick,
}: {
  site: string | null
  device: string | null
  beside: string | null
  onPick: (id: string | null) => void
}) {
  const { data } = useCameras(site)
  const others = data?.filter((c) => c.device_id !== device) ?? []
  if (!device || (others.length === 0 && !beside)) return null
  return (
    <select aria-label="并排的摄像头" value={beside ?? ''} onChange={(e) => onPick(e.target.value || null)}>
      <option value="">并排看：无</option>
      {others.map((c) => (
        <option key={c.device_id} value={c.device_id}>
          并排看：{c.deviceSn}
        </option>
      ))}
    </select>
  )
}

/** The cameras that stand or stood on a site. */
export function CameraPick({
  site,
  device,
  onPick,
}: {
  site: string | null
  device: string | null
  onPick: (id: string) => void
}) {
  const { data } = useCameras(site)
  useEffect(() => {
    // The one that recorded last is the one that is looked for most.
    const newest = data?.toSorted((a, b) => (b.last ?? 0) - (a.last ?? 0))[0]
    if (newest && !device) onPick(newest.device_id)
  }, [data, device])
  if (data?.length === 0) return <span className="video-none">这个工地没有装过摄像头</span>
  return (
    <select
      aria-label="摄像头"
      value={device ?? ''}
      disabled={!data}
      onChange={(e) => onPick(e.target.value)}
    >
      {!data?.some((c) => c.device_id === device) && <option value={device ?? ''}>摄像头</option>}
      {data?.map((c) => (
        <option key={c.device_id} value={c.device_id}>
          {c.deviceSn}
          {c.here ? '' : '（已移走）'}
          {c.last ? '' : '，没有录像'}
        </option>
      ))}
    </select>
  )
}

export function DayPick({ date, onPick }: { date: string; onPick: (day: string) => void }) {
  const today = dayOf(nowSeconds())
  return (
    <span className="video-day">
      <button aria-label="前一天" onClick={() => onPick(dayOf(dayStart(date) - DAY))}>
        ‹
      </button>
      <input
        type="date"
        aria-label="日期"
        value={date}
        max={today}
        onChange={(e) => e.target.value && onPick(e.target.value)}
      />
      <button
        aria-label="后一天"
        disabled={date >= today}
        onClick={() => onPick(dayOf(dayStart(date) + DAY))}
      >
        ›
      </button>
    </span>
  )
}

/** Where something was recorded last: who opens the page by itself begins there. */
export function LatestPick({ onPick }: { onPick: (device: string, at: number) => void }) {
  const { data } = useQuery({
    queryKey: [recordingsApi.latest.path],
    queryFn: ({ signal }) => call(recordingsApi.latest, {}, signal),
  })
  return (
    <div className="video-words">
      <h2>选一台摄像头</h2>
      <p>先选工地，再选摄像头和日期{data?.length ? '；或者从最近有录像的开始：' : '。'}</p>
      {!!data?.length && (
        <ul className="video-latest" aria-label="最近有录像的摄像头">
          {data.map((c) => (
            <li key={c.device_id}>
              <button onClick={() => onPick(c.device_id, c.from)}>
                <b>{c.siteName}</b>
                {!playsHere(c) && <span className="video-none">{filmFormat.label(c.format!)}</span>}
                <span>{c.deviceSn}</span>
                <span>{short(c.to)}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
