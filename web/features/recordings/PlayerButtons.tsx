import { HOURS } from './DayLine.tsx'
import { type Player, SPEEDS } from './usePlayer.ts'

const KEYS = [
  ['空格', '播放/暂停'],
  ['← →', '退/进 10 秒'],
  [', .', '前/后一帧'],
  ['[ ]', '慢/快'],
  ['P N', '上/下一个标记'],
  ['I O', '片段的开始/结束'],
  ['S', '截图'],
  ['F', '全屏'],
  ['?', '按键说明'],
] as const

/** The effect of the keys, by mouse. */
export function PlayerButtons({
  player,
  hours,
  onHours,
  onMark,
  onSnap,
  onCut,
}: {
  player: Player
  hours: number
  onHours: (hours: number) => void
  onMark: (by: 1 | -1) => unknown
  onSnap: () => void
  onCut: (side: 'begin' | 'end') => unknown
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
      <span className="switch" role="group" aria-label="片段">
        <button onClick={() => onCut('begin')}>片段开始</button>
        <button onClick={() => onCut('end')}>片段结束</button>
      </span>
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

export const Help = () => (
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
