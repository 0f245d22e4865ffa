import { type RecordingDay, viewPurpose } from '@zhuguan/contract/features/recordings/recordings.record.ts'
import { useState } from 'react'

import { fullScreen } from '../../kit/fullScreen.ts'
import { hrefOf } from '../../kit/LinkTo.tsx'
import { Failed } from '../../kit/list/ListPage.tsx'
import { message } from '../../kit/notices.ts'
import { usePage, useParam } from '../../kit/page.tsx'
import { saveAs } from '../../kit/save.ts'
import { dayOf, dayStart, full, nowSeconds } from '../../kit/time.ts'
import { useKeys } from '../../kit/useKeys.ts'
import { useSession } from '../../parts/session.ts'
import { DayLine, HOURS } from './DayLine.tsx'
import { PurposeAsk } from './PurposeAsk.tsx'
import { type Player, type Purpose, SPEEDS, usePlayer, useRecordedDay } from './usePlayer.ts'
import { CameraPick, SitePick } from './VideoPick.tsx'

import './recordings.css'

const DAY = 86_400
const JUMP_S = 10
const KEYS = [
  ['空格', '播放/暂停'],
  ['← →', '退/进 10 秒'],
  [', .', '前/后一帧'],
  ['[ ]', '慢/快'],
  ['P N', '上/下一个标记'],
  ['S', '截图'],
  ['F', '全屏'],
  ['?', '按键说明'],
] as const
/** What the page that it was opened from looks for. */
const purposeOf = (said: string | null): Purpose['purpose'] =>
  viewPurpose.values.find((value) => value === said) ?? viewPurpose.code.patrol

/** What the address asks for. */
function useAsked() {
  const page = usePage()
  const device = useParam('device_id')
  const start = Number(useParam('at')) || null
  const usual = purposeOf(useParam('for'))
  const named = usual === viewPurpose.code.patrol ? {} : { for: usual }
  return {
    device,
    start,
    usual,
    date: dayOf(start ?? nowSeconds()),
    go: (query: { device_id?: string | null; at?: number }) =>
      page.go(hrefOf('videoRecord', { device_id: device, at: start, ...named, ...query }).slice(1), {
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
  const { device, start, usual, date, go } = useAsked()
  const [why, setWhy] = useState<Purpose>({ purpose: usual, words: '', said: false })
  const [changing, setChanging] = useState(false)
  const [site, setSite] = useState<string | null>(useParam('site_id'))
  const [hours, setHours] = useState<number>(HOURS[0])
  const [help, setHelp] = useState(false)
  const { data: day, error, refetch, isFetching } = useRecordedDay(device, date)
  const asking = hasPicture(day) && (changing || (day.asks && !why.said))
  const player = usePlayer(day, start, why, !asking)
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
  const snapshot = () => snap(player, `${user.nickname} ${user.userName}`, day?.deviceSn ?? '')
  useKeys({
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

  const nothing = nothingOf({ device, day, error, again: () => void refetch() })

  return (
    <div className="video-page" data-theme="dark">
      <header>
        <h1>录像回放</h1>
        <SitePick
          site={where}
          onPick={(id) => {
            setSite(id)
            go({ device_id: null })
          }}
        />
        <CameraPick site={where} device={device} onPick={(id) => go({ device_id: id })} />
        <DayPick date={date} onPick={(to) => go({ at: dayStart(to) })} />
        <button className="video-why" onClick={() => setChanging(true)} disabled={!hasPicture(day)}>
          目的：{why.words || viewPurpose.label(why.purpose)}
        </button>
        <button aria-expanded={help} onClick={() => setHelp(!help)}>
          按键 ?
        </button>
      </header>
      <main className="video-stage" aria-busy={isFetching || player.busy}>
        <video
          ref={player.video}
          className={player.said || asking ? 'is-off' : ''}
          playsInline
          muted
          aria-label="录像画面"
          onClick={() => void player.toggle()}
        />
        {day && !asking && <TimeOf player={player} sn={day.deviceSn} />}
        <div className="video-over">
          {nothing}
          {asking && (
            <PurposeAsk
              late={day.asks && !why.said}
              onSaid={(purpose) => {
                setWhy(purpose)
                setChanging(false)
              }}
            />
          )}
          {hasPicture(day) && !asking && <SaidOf player={player} />}
          {help && <Help />}
        </div>
      </main>
      {hasPicture(day) && (
        <footer>
          <Buttons player={player} hours={hours} onHours={setHours} onMark={toMark} onSnap={snapshot} />
          <DayLine day={day} at={player.at} hours={hours} onSeek={(second) => void player.seek(second)} />
        </footer>
      )}
    </div>
  )
}

function Buttons({
  player,
  hours,
  onHours,
  onMark,
  onSnap,
}: {
  player: Player
  hours: number
  onHours: (hours: number) => void
  onMark: (by: 1 | -1) => unknown
  onSnap: () => void
}) {
  return (
    <div className="video-buttons">
      <button onClick={() => onMark(-1)}>上一标记</button>
      <button aria-label="前一帧" onClick={() => player.frame(-1)}>
        ‹ 帧
      </button>
      <button className="video-play" onClick={() => void player.toggle()}>
        {player.playing ? '暂停' : '播放'}
      </button>
      <button aria-label="后一帧" onClick={() => player.frame(1)}>
        帧 ›
      </button>
      <button onClick={() => onMark(1)}>下一标记</button>
      <span className="switch" role="group" aria-label="倍速">
        {SPEEDS.map((s) => (
          <button key={s} aria-pressed={player.speed === s} onClick={() => player.hasten(s)}>
            {s}×
          </button>
        ))}
      </span>
      <button onClick={onSnap}>截图</button>
      <span className="switch video-hours" role="group" aria-label="时间轴">
        {HOURS.map((h) => (
          <button key={h} aria-pressed={hours === h} onClick={() => onHours(h)}>
            {h} 小时
          </button>
        ))}
      </span>
    </div>
  )
}

const SaidOf = ({ player: { said, seek } }: { player: Player }) =>
  said && (
    <div className="video-said" role="alert">
      <p>{said.text}</p>
      {said.next !== undefined && (
        <button className="button primary" onClick={() => void seek(said.next!)}>
          跳到下一段
        </button>
      )}
    </div>
  )

/** What is shown is always said to be the past. */
const TimeOf = ({ player: { at, said }, sn }: { player: Player; sn: string }) =>
  at !== null &&
  !said && (
    <p className="video-time">
      <b>回放</b> {full(Math.floor(at))} · {sn}
    </p>
  )
function DayPick({ date, onPick }: { date: string; onPick: (day: string) => void }) {
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

/** What stands where the picture would. */
function nothingOf({
  device,
  day,
  error,
  again,
}: {
  device: string | null
  day: RecordingDay | undefined
  error: Error | null
  again: () => void
}) {
  if (error) return <Failed error={error} again={again} />
  if (!device) return <Words title="选一台摄像头" text="先选工地，再选摄像头和日期。" />
  if (!day) return <p role="status">正在读取这一天的录像…</p>
  if (day.spans.length > 0) return null
  return <Words title={`${day.day} 没有录像`} text={`${day.deviceSn} 这一天没有传来录像，换一天看看。`} />
}

const Words = ({ title, text }: { title: string; text: string }) => (
  <div className="video-words">
    <h2>{title}</h2>
    <p>{text}</p>
  </div>
)
const Help = () => (
  <dl className="video-help" aria-label="按键说明">
    {KEYS.map(([keys, does]) => (
      <div key={keys}>
        <dt>
          <kbd>{keys}</kbd>
        </dt>
        <dd>{does}</dd>
      </div>
    ))}
  </dl>
)

/** What is seen as a picture, with who took it and when burnt in: what goes round can be traced. */
function snap({ video, at }: Player, who: string, sn: string): void {
  const element = video.current
  if (!element?.videoWidth || at === null) return message.error('没有画面可以截图')
  const canvas = document.createElement('canvas')
  canvas.width = element.videoWidth
  canvas.height = element.videoHeight
  const pen = canvas.getContext('2d')!
  pen.drawImage(element, 0, 0)
  const size = Math.max(10, Math.round(canvas.width / 50))
  const lines = [`回放 ${full(Math.floor(at))} ${sn}`, `${who} 截图于 ${full(nowSeconds())}`]
  pen.font = `${size}px sans-serif`
  pen.fillStyle = '#000000a6'
  pen.fillRect(0, canvas.height - size * 3.2, canvas.width, size * 3.2)
  pen.fillStyle = '#fff'
  lines.forEach((line, i) =>
    pen.fillText(line, size / 2, canvas.height - size * (1.9 - i * 1.4), canvas.width - size),
  )
  canvas.toBlob(
    (blob) => blob && saveAs(blob, `${sn} ${full(Math.floor(at)).replaceAll(':', '')}.jpg`),
    'image/jpeg',
    0.9,
  )
}
