import { WALL_SIZES } from '@zhuguan/contract/features/walls/walls.record.ts'
import { type ReactNode, useEffect, useRef, useState } from 'react'

import { fullScreen } from '../../kit/fullScreen.ts'
import { useKept } from '../../kit/kept.ts'
import { hrefOf } from '../../kit/LinkTo.tsx'
import { Failed } from '../../kit/list/ListPage.tsx'
import { message } from '../../kit/notices.ts'
import { nowSeconds, short } from '../../kit/time.ts'
import { useKeys } from '../../kit/useKeys.ts'
import { Icon } from '../../parts/Icon.tsx'
import { useBranches } from '../../parts/places.tsx'
import { isPurposeSaid, sayPurpose } from '../../parts/video/liveCameras.ts'
import { PurposeButton } from '../../parts/video/PurposeAsk.tsx'
import { ACROSS, SizeSwitch, WallGrid } from '../../parts/wall.tsx'
import { CameraPanel } from './CameraPanel.tsx'
import { CameraTile, type TileActs } from './CameraTile.tsx'
import { moved, pinned, placed } from './tiles.ts'
import { FIRST, KEPT_WALL, SECONDS, type Shape, useWall } from './useWall.ts'

import './walls.css'

const CLOCK_MS = 10_000

/** Cameras that stay and cameras that take turns; what was arranged is kept with the account. */
export default function Index2x3Page() {
  const kept = useKept(KEPT_WALL)
  if (kept === undefined) return <div className="page-wait" aria-busy="true" />
  return <Wall first={{ ...FIRST, ...(kept as Partial<Shape> | null) }} />
}

function Wall({ first }: { first: Shape }) {
  const wall = useWall(first)
  const { shape, tiles, known } = wall
  const [said, setSaid] = useState(isPurposeSaid)
  const [turning, setTurning] = useState(true)
  const [at, setAt] = useState(0)
  const [large, setLarge] = useState(false)
  const [choosing, setChoosing] = useState(false)
  const [help, setHelp] = useState(false)
  const asking = !!known?.asks && !said
  const free = tiles.filter((t) => !t.pinned).length
  /** Some cameras are not shown now, so that turning shows something else. */
  const hasMore = free > 0 && !!known && known.total > tiles.filter((t) => t.id).length
  useTicking(turning && hasMore && !large, shape.seconds, wall.advance)

  const focus = Math.min(at, shape.size - 1)
  const acts: TileActs = {
    onFocus: setAt,
    onPin: (i) => wall.arrange((old) => pinned(old, i, !old[i]!.pinned)),
    onMove(from, to) {
      wall.arrange((old) => moved(old, from, to))
      setAt(to)
    },
    onEnlarge(i) {
      if (!tiles[i]?.id) return
      setAt(i)
      setLarge((now) => !now)
    },
  }
  const step = (by: number) => setAt(Math.max(0, Math.min(shape.size - 1, focus + by)))
  const shift = (by: number) => tiles[focus + by] && acts.onMove(focus, focus + by)
  const across = ACROSS[shape.size]
  const open = (page: 'SiteInfo' | 'videoRecord') => {
    const camera = known?.cameras.get(tiles[focus]?.id ?? '')
    const query = page === 'SiteInfo' ? { id: camera?.site_id } : { device_id: camera?.id }
    if (camera) window.open(hrefOf(page, query), '_blank', 'noreferrer')
  }
  const resize = (by: number) => {
    const size = WALL_SIZES[WALL_SIZES.indexOf(shape.size) + by]
    if (size) wall.reshape({ size })
  }
  useKeys({
    ArrowRight: () => step(1),
    ArrowLeft: () => step(-1),
    ArrowDown: () => step(across),
    ArrowUp: () => step(-across),
    'Shift+ArrowRight': () => shift(1),
    'Shift+ArrowLeft': () => shift(-1),
    'Shift+ArrowDown': () => shift(across),
    'Shift+ArrowUp': () => shift(-across),
    ' ': () => setTurning(!turning),
    n: wall.advance,
    p: () => tiles[focus]?.id && acts.onPin(focus),
    Enter: () => acts.onEnlarge(focus),
    i: () => open('SiteInfo'),
    r: () => open('videoRecord'),
    l: () => setChoosing(!choosing),
    '[': () => resize(-1),
    ']': () => resize(1),
    f: fullScreen,
    '?': () => setHelp(!help),
    Escape() {
      setHelp(false)
      setLarge(false)
      setChoosing(false)
    },
  })
  const shown = large ? [focus] : tiles.map((_, i) => i)
  return (
    <div className="wall camera-wall" data-theme="dark">
      <Head
        shape={shape}
        total={known?.total}
        turning={turning}
        hasMore={hasMore}
        asks={
          asking && (
            <PurposeButton
              onSaid={(purpose) => {
                sayPurpose(purpose)
                setSaid(true)
              }}
            />
          )
        }
        onShape={wall.reshape}
        onTurning={() => setTurning(!turning)}
        onNext={wall.advance}
        onChoose={() => setChoosing(!choosing)}
        onHelp={() => setHelp(!help)}
      />
      <div className="camera-stage">
        {wall.error && <Failed error={wall.error} again={() => void wall.advance()} />}
        {known && tiles.every((t) => !t.id) && !wall.error && <Nothing narrowed={shape.sites.length > 0} />}
        <WallGrid size={large ? 1 : shape.size} busy={!known && !wall.error}>
          {shown.map((i) => (
            <CameraTile
              key={i}
              {...acts}
              at={i}
              tile={tiles[i]!}
              camera={known?.cameras.get(tiles[i]!.id ?? '')}
              focused={i === focus}
              large={large}
            />
          ))}
        </WallGrid>
        {choosing && (
          <CameraPanel
            shape={shape}
            pins={tiles.flatMap((t) => (t.pinned && t.id ? [t.id] : []))}
            onPin={(camera) => {
              if (free === 0 && !tiles.some((t) => t.id === camera.id))
                message.error('每一格都固定了，请先取消一格')
              else wall.arrange((old) => placed(old, shape.size, camera.id) ?? old)
            }}
            onUnpin={(id) =>
              wall.arrange((old) => old.map((t) => (t.id === id ? { ...t, pinned: false } : t)))
            }
            onSites={(sites) => wall.reshape({ sites })}
            onClose={() => setChoosing(false)}
          />
        )}
        {help && <Help />}
      </div>
    </div>
  )
}

const Nothing = ({ narrowed }: { narrowed: boolean }) => (
  <div className="wall-empty">
    <h2>没有摄像头</h2>
    <p>{narrowed ? '选中的工地上没有摄像头，换几个工地看看。' : '装在工地上的摄像头会出现在这里。'}</p>
  </div>
)

const KEYS = [
  ['← → ↑ ↓', '选一格'],
  ['Shift+方向键', '移动并固定'],
  ['P', '固定/取消'],
  ['回车', '放大/还原'],
  ['空格', '暂停/继续轮播'],
  ['N', '下一轮'],
  ['I R', '工地信息、录像'],
  ['L', '选择摄像头'],
  ['[ ]', '画面数'],
  ['F', '全屏'],
] as const
const Help = () => (
  <dl className="camera-help">
    {KEYS.map(([keys, what]) => (
      <div key={keys}>
        <dt>
          <kbd>{keys}</kbd>
        </dt>
        <dd>{what}</dd>
      </div>
    ))}
  </dl>
)

function Head({
  shape,
  total,
  turning,
  hasMore,
  asks,
  onShape,
  onTurning,
  onNext,
  onChoose,
  onHelp,
}: {
  shape: Shape
  total: number | undefined
  turning: boolean
  hasMore: boolean
  /** Why somebody looks has to be said before anything plays. */
  asks: ReactNode
  onShape: (to: Partial<Shape>) => void
  onTurning: () => void
  onNext: () => Promise<void>
  onChoose: () => void
  onHelp: () => void
}) {
  const branches = useBranches()
  return (
    <header>
      <h1>六宫格</h1>
      {branches.length > 1 && (
        <select
          aria-label="分公司"
          value={shape.bc}
          onChange={(e) => onShape({ bc: e.target.value, sites: [] })}
        >
          <option value="">全部分公司</option>
          {branches.map((b) => (
            <option key={b.bc_id} value={b.bc_id}>
              {b.bc_name}
            </option>
          ))}
        </select>
      )}
      {shape.sites.map((site) => (
        <span key={site.id} className="camera-site">
          {site.name}
          <button
            aria-label={`不再只轮播 ${site.name}`}
            onClick={() => onShape({ sites: shape.sites.filter((s) => s.id !== site.id) })}
          >
            ×
          </button>
        </span>
      ))}
      <SizeSwitch size={shape.size} onSize={(size) => onShape({ size })} />
      <span className="camera-turn">
        <button aria-pressed={turning} disabled={!hasMore} onClick={onTurning}>
          {turning ? '暂停轮播' : '继续轮播'}
        </button>
        <select
          aria-label="轮播间隔"
          value={shape.seconds}
          onChange={(e) => onShape({ seconds: Number(e.target.value) })}
        >
          {SECONDS.map((s) => (
            <option key={s} value={s}>
              每 {s} 秒
            </option>
          ))}
        </select>
        <button disabled={!hasMore} onClick={() => void onNext()}>
          下一轮
        </button>
      </span>
      {total !== undefined && (
        <span className="camera-count">
          共 <b>{total}</b> 台{!hasMore && total > 0 && '，都在墙上'}
        </span>
      )}
      {asks}
      <span className="camera-tools">
        <button onClick={onChoose}>选择摄像头</button>
        <button onClick={onHelp}>按键 ?</button>
        <Clock />
        <button className="icon-button" onClick={fullScreen} aria-label="全屏">
          <Icon name="full" />
        </button>
      </span>
    </header>
  )
}
function Clock() {
  const [now, setNow] = useState(nowSeconds)
  useEffect(() => {
    const timer = setInterval(() => setNow(nowSeconds()), CLOCK_MS)
    return () => clearInterval(timer)
  }, [])
  return <time>{short(now)}</time>
}

/** Calls `act` every so many seconds, while it is on and somebody can see it. */
function useTicking(on: boolean, seconds: number, act: () => Promise<void>): void {
  const [hidden, setHidden] = useState(document.hidden)
  useEffect(() => {
    const turn = () => setHidden(document.hidden)
    document.addEventListener('visibilitychange', turn)
    return () => document.removeEventListener('visibilitychange', turn)
  }, [])
  const now = useRef(act)
  now.current = act
  useEffect(() => {
    if (!on || hidden) return undefined
    const timer = setInterval(() => void now.current(), seconds * 1_000)
    return () => clearInterval(timer)
  }, [on, hidden, seconds])
}
