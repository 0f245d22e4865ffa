import { type RecordingDay } from '@zhuguan/contract/features/recordings/recordings.record.ts'
import { viewPurpose } from '@zhuguan/contract/features/video/purposes.record.ts'
import { useState } from 'react'

import { fullScreen } from '../../kit/fullScreen.ts'
import { hrefOf } from '../../kit/LinkTo.tsx'
import { Failed } from '../../kit/list/ListPage.tsx'
import { message } from '../../kit/notices.ts'
import { usePage, useParam } from '../../kit/page.tsx'
import { dayOf, dayStart, nowSeconds } from '../../kit/time.ts'
import { useKeys } from '../../kit/useKeys.ts'
import { useSession } from '../../parts/session.ts'
import { shownAt } from '../../parts/video/film.ts'
import type { Purpose } from '../../parts/video/purpose.ts'
import { PurposeAsk } from '../../parts/video/PurposeAsk.tsx'
import { ClipBar } from './ClipBar.tsx'
import { DayLine, HOURS } from './DayLine.tsx'
import { HoldList } from './HoldList.tsx'
import { Help, PlayerButtons } from './PlayerButtons.tsx'
import { snap } from './snap.ts'
import { useClip } from './useClip.ts'
import { SPEEDS, usePlayer, useRecordedDay } from './usePlayer.ts'
import { useTogether } from './useTogether.ts'
import { VideoHalf } from './VideoHalf.tsx'
import { BesidePick, CameraPick, DayPick, LatestPick, SitePick } from './VideoPick.tsx'

import './recordings.css'

const JUMP_S = 10
/** The purpose of the page that it was opened from. */
const purposeOf = (said: string | null): Purpose['purpose'] =>
  viewPurpose.values.find((value) => value === said) ?? viewPurpose.code.patrol

/** The purpose that the address asks for. */
function useAsked() {
  const page = usePage()
  const device = useParam('device_id')
  const beside = useParam('beside')
  const start = Number(useParam('at')) || null
  const usual = purposeOf(useParam('for'))
  const named = usual === viewPurpose.code.patrol ? {} : { for: usual }
  return {
    device,
    beside,
    start,
    usual,
    date: dayOf(start ?? nowSeconds()),
    go: (query: { device_id?: string | null; beside?: string | null; at?: number }) =>
      page.go(hrefOf('videoRecord', { device_id: device, beside, at: start, ...named, ...query }).slice(1), {
        replace: true,
      }),
  }
}
const hasPicture = (day: RecordingDay | undefined): day is RecordingDay => !!day && day.spans.length > 0
/** The mark before or after a second. */
const markBeside = (day: RecordingDay | undefined, at: number, by: 1 | -1) =>
  by === 1 ? day?.marks.find((m) => m.at > at + 1) : day?.marks.findLast((m) => m.at < at - 1)

/** The recorded day of a camera, from any second of it. */
export default function VideoRecordPage() {
  const { device, beside, start, usual, date, go } = useAsked()
  const [why, setWhy] = useState<Purpose>({ purpose: usual, words: '', said: false })
  const [changing, setChanging] = useState(false)
  const [site, setSite] = useState<string | null>(useParam('site_id'))
  const [hours, setHours] = useState<number>(HOURS[0])
  const [help, setHelp] = useState(false)
  const { data: day, error, refetch, isFetching } = useRecordedDay(device, date)
  const { data: besideDay } = useRecordedDay(beside, date)
  const asking = hasPicture(day) && (changing || ((day.asks || !!besideDay?.asks) && !why.said))
  const player = usePlayer(day, start, why, !asking, {
    elsewhere: (second) => !!besideDay && !!shownAt(besideDay.pieces, second),
  })
  const other = usePlayer(besideDay, start, why, !asking, { follows: true })
  useTogether(player, other, besideDay)
  const clip = useClip(device, date, why)
  const { user } = useSession().info
  const where = site ?? day?.sites[0]?.site_id ?? null

  function toMark(by: 1 | -1) {
    const mark = markBeside(day, player.at ?? 0, by)
    if (!mark) return message.error(by === 1 ? '这之后没有标记' : '这之前没有标记')
    return player.seek(mark.at)
  }
  const hasten = (by: number) => {
    const next = SPEEDS[SPEEDS.findIndex((s) => s === player.speed) + by]
    if (next) player.hasten(next)
  }
  const jump = (by: number) => player.at !== null && player.seek(Math.floor(player.at) + by)
  const who = `${user.nickname} ${user.userName}`
  function snapshot() {
    snap(player, who, day?.deviceSn ?? '')
    if (besideDay && !other.said) snap(other, who, besideDay.deviceSn)
  }
  const mark = (side: 'begin' | 'end') => player.at !== null && clip[side](Math.floor(player.at))
  useKeys({
    i: () => mark('begin'),
    o: () => mark('end'),
    ' ': player.toggle,
    ArrowLeft: () => jump(-JUMP_S),
    ArrowRight: () => jump(JUMP_S),
    ',': () => player.frame(-1),
    '.': () => player.frame(1),
    '[': () => hasten(-1),
    ']': () => hasten(1),
    p: () => toMark(-1),
    n: () => toMark(1),
    s: snapshot,
    f: fullScreen,
    '?': () => setHelp((open) => !open),
    Escape: () => setHelp(false),
  })

  const half = { why, isOff: asking, onToggle: player.toggle, onSeek: player.seek }
  return (
    <div className="video-page" data-theme="dark">
      <header>
        <h1>录像回放</h1>
        <SitePick
          site={where}
          onPick={(id) => {
            setSite(id)
            go({ device_id: null, beside: null })
          }}
        />
        <CameraPick
          site={where}
          device={device}
          onPick={(id) => go({ device_id: id, ...(id === beside ? { beside: null } : {}) })}
        />
        <BesidePick site={where} device={device} beside={beside} onPick={(id) => go({ beside: id })} />
        <DayPick date={date} onPick={(to) => go({ at: dayStart(to) })} />
        <button className="video-why" onClick={() => setChanging(true)} disabled={!hasPicture(day)}>
          目的：{why.words || viewPurpose.label(why.purpose)}
        </button>
        <button className="video-keys" aria-expanded={help} onClick={() => setHelp(!help)}>
          按键 ?
        </button>
      </header>
      <NoLook day={day} />
      <main className={beside ? 'video-stage is-two' : 'video-stage'} aria-busy={isFetching || player.busy}>
        <VideoHalf
          {...half}
          player={player}
          day={day}
          label="录像画面"
          nothing={nothingOf({
            device,
            day,
            error,
            again: () => void refetch(),
            onPick: (id, at) => go({ device_id: id, at }),
          })}
        />
        {beside && (
          <VideoHalf
            {...half}
            player={other}
            day={besideDay}
            label="并排的录像画面"
            nothing={besideDay && !hasPicture(besideDay) ? <Empty day={besideDay} /> : null}
          />
        )}
        <div className="video-over">
          {asking && (
            <PurposeAsk
              late={day.asks && !why.said}
              onSaid={(purpose) => {
                setWhy(purpose)
                setChanging(false)
              }}
            />
          )}
          {help && <Help />}
        </div>
      </main>
      {hasPicture(day) && (
        <footer>
          <PlayerButtons
            player={player}
            hours={hours}
            onHours={setHours}
            onMark={toMark}
            onSnap={snapshot}
            onCut={mark}
          />
          <ClipBar clip={clip} day={day} onHeld={() => void refetch()} />
          <DayLine
            day={day}
            beside={besideDay}
            cut={clip.cut}
            at={player.at}
            hours={hours}
            onSeek={(second) => void player.seek(second)}
          />
          <HoldList day={day} onSeek={player.seek} onReleased={() => void refetch()} />
        </footer>
      )}
    </div>
  )
}

/** Homes whose cameras nobody looks through any more; what was recorded before stays. */
const NoLook = ({ day }: { day: RecordingDay | undefined }) => (
  <div>
    {day?.sites.map(
      ({ noLook, siteName, site_id }) =>
        noLook && (
          <p key={site_id} className="video-nolook">
            {siteName}：{noLook}；以前的录像在保存期内还能看。
          </p>
        ),
    )}
  </div>
)

/** The words in the place of the picture. */
function nothingOf({
  device,
  day,
  error,
  again,
  onPick,
}: {
  device: string | null
  day: RecordingDay | undefined
  error: Error | null
  again: () => void
  onPick: (device: string, at: number) => void
}) {
  if (error) return <Failed error={error} again={again} />
  if (!device) return <LatestPick onPick={onPick} />
  if (!day) return <p role="status">正在读取这一天的录像…</p>
  if (day.spans.length > 0) return null
  return <Empty day={day} />
}
const Empty = ({ day }: { day: RecordingDay }) => (
  <Words title={`${day.day} 没有录像`} text={`${day.deviceSn} 这一天没有传来录像，换一天看看。`} />
)

const Words = ({ title, text }: { title: string; text: string }) => (
  <div className="video-words">
    <h2>{title}</h2>
    <p>{text}</p>
  </div>
)
