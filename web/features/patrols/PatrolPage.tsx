import { filesApi } from '@zhuguan/contract/features/files/files.api.ts'
import { patrolsApi } from '@zhuguan/contract/features/patrols/patrols.api.ts'
import type { WallSite } from '@zhuguan/contract/features/patrols/patrols.record.ts'
import { siteStage, tidinessResult } from '@zhuguan/contract/features/sites/sites.record.ts'
import { WALL_SIZES, type WallSize } from '@zhuguan/contract/features/walls/walls.record.ts'
import { type ReactNode, useEffect, useRef, useState } from 'react'

import { call, callForBytes } from '../../kit/api.ts'
import { fullScreen } from '../../kit/fullScreen.ts'
import { useKeep, useKept } from '../../kit/kept.ts'
import { Failed } from '../../kit/list/ListPage.tsx'
import { message } from '../../kit/notices.ts'
import { usePage, useParam } from '../../kit/page.tsx'
import { saveAs } from '../../kit/save.ts'
import { dayOf, dayStart, nowSeconds, short } from '../../kit/time.ts'
import { useKeys } from '../../kit/useKeys.ts'
import { Icon } from '../../parts/Icon.tsx'
import { useBranches } from '../../parts/places.tsx'
import { sayPurpose } from '../../parts/video/liveCameras.ts'
import { PurposeButton } from '../../parts/video/PurposeAsk.tsx'
import { ACROSS, SizeSwitch, WallGrid } from '../../parts/wall.tsx'
import { handIn } from './frame.ts'
import { useLives } from './useLives.ts'
import { type Judged, type Round, type RoundFilter, useRound, useStills } from './useRound.ts'
import { dueOf, earlyText } from './waiting.ts'
import { WallFoot } from './WallFoot.tsx'
import { firstCamera, WallTile, whyNot } from './WallTile.tsx'

import './patrolWall.css'

const DAY = 86_400
/** Ages and the clock are told in minutes. */
const TICK_MS = 10_000
const KEPT = 'patrolWall'
interface Shape {
  size: WallSize
  bc: string
  stage: string
  days: string
  due: boolean
}
const FIRST: Shape = { size: 4, bc: '', stage: '', days: '', due: false }

/** As of a day's beginning: the address stays the same while the day lasts. */
const since = (days: string): number | undefined =>
  days ? dayStart(dayOf(nowSeconds())) - Number(days) * DAY : undefined

const filterOf = (shape: Shape): RoundFilter => ({
  ...(shape.bc ? { bc_id: [shape.bc] } : {}),
  ...(shape.stage ? { stage: [shape.stage] } : {}),
  ...(shape.due ? { due: 'true' } : {}),
  ...(shape.days ? { before: since(shape.days) } : {}),
})

/** The wall of remote patrol: its shape is kept with the account, the round goes on where it was left. */
export default function PatrolPage() {
  const kept = useKept(KEPT)
  if (kept === undefined) return <div className="page-wait" aria-busy="true" />
  return <Wall first={{ ...FIRST, ...(kept as Partial<Shape> | null) }} />
}

function Wall({ first }: { first: Shape }) {
  const [shape, setShape] = useState(first)
  const keep = useKeep()
  const place = usePage()
  // A site that was chosen elsewhere is a round of its own, until another one is asked for.
  const site = useParam('site_id')
  function reshape(to: Partial<Shape>) {
    if (site && to.size === undefined) place.go(place.path, { replace: true })
    const next = { ...shape, ...to }
    setShape(next)
    void keep(KEPT, { ...next }).catch(() => {})
  }
  const filter = site ? { site_id: site } : filterOf(shape)
  const { round, error, ahead, seen, again } = useRound(filter)
  const [at, setAt] = useState(0)
  const [camera, setCamera] = useState<Record<string, number>>({})
  const [judged, setJudged] = useState<Record<string, Judged>>({})
  const [problems, setProblems] = useNoted()
  const [writing, setWriting] = useState(false)
  const [sending, setSending] = useState(false)
  const [now, setNow] = useState(nowSeconds)
  useEffect(() => {
    const timer = setInterval(() => setNow(nowSeconds()), TICK_MS)
    return () => clearInterval(timer)
  }, [])
  const asked = JSON.stringify(filter)
  useEffect(() => setAt(0), [asked])

  const sites = round?.sites ?? []
  const page = Math.floor(at / shape.size)
  const shown = sites.slice(page * shape.size, (page + 1) * shape.size)
  useEffect(() => {
    if (sites.length > 0 && at + 2 * shape.size >= sites.length) void ahead()
  }, [at, sites.length, shape.size])
  const numberOf = (site: WallSite) =>
    ((camera[site.id] ?? 0) + firstCamera(site, now)) % Math.max(1, site.cameras.length)
  const cameraOf = (site: WallSite) => site.cameras[numberOf(site)]
  const newest = useStills(shown.flatMap((s) => cameraOf(s) ?? []))
  const stillOf = (site: WallSite) => {
    const one = cameraOf(site)
    return one && newest(one)
  }
  const { viewOf, asks, onLive } = useLives()
  /** The view in which the site's camera moves now. */
  const liveOf = (site: WallSite) => viewOf(cameraOf(site)?.id)
  const focused = sites[at]
  const noted = focused ? (problems[focused.id] ?? []) : []
  const step = (by: number) => setAt((i) => Math.max(0, Math.min(sites.length - 1, i + by)))
  /** Whether what is seen of the site can be judged; else it is said why not. */
  function judgeable(site: WallSite): boolean {
    const why = whyNot(site, stillOf(site), nowSeconds(), liveOf(site))
    const wrong = why ?? (drawnPicture(!!liveOf(site)) ? undefined : '画面还没有显示出来，不能判定')
    if (wrong) message.error(`${site.ws_name}：${wrong}`)
    return !wrong
  }

  const toldEarly = useRef(new Set<string>())
  /** Who judges before the window of their plan is told once of each site that it does not count for that. */
  function tellEarly(site: WallSite) {
    const early = earlyText(site, nowSeconds())
    if (!early || toldEarly.current.has(site.id)) return
    toldEarly.current.add(site.id)
    message.info(`${site.ws_name}：${early}`)
  }

  async function judge(tidiness: number) {
    if (!focused || sending || !judgeable(focused)) return
    const still = stillOf(focused)
    if (!still) return
    setSending(true)
    try {
      const view = liveOf(focused)
      const drawn = drawnPicture(!!view)
      const picture = drawn instanceof HTMLVideoElement ? await handIn(drawn) : still.picture
      const task = dueOf(focused, nowSeconds())
      const done = await call(patrolsApi.remote, {
        body: {
          site_id: focused.id,
          device_id: still.id,
          picture: picture!,
          picture_at: view ? nowSeconds() : still.pictureAt!,
          view: view ?? null,
          tidiness,
          problems: noted.map((text) => ({ text })),
          remark: '',
          task_id: task?.id ?? null,
        },
      })
      setJudged((old) => ({ ...old, [focused.id]: { ...done, tidiness } }))
      setProblems((old) => ({ ...old, [focused.id]: [] }))
      seen(focused, task?.id)
      tellEarly(focused)
      if (at === sites.length - 1) message.success('这一轮已经看到最后一个工地')
      step(1)
    } catch (failure) {
      message.error(`${focused.ws_name}：${(failure as Error).message}`)
    } finally {
      setSending(false)
    }
  }
  async function snapshot() {
    const still = focused && stillOf(focused)
    if (!still?.picture) return message.error('没有画面可以保存')
    try {
      const bytes = await callForBytes(filesApi.get, { query: { key: still.picture, size: 'full' } })
      saveAs(bytes, `${focused!.ws_name} ${short(still.pictureAt).replace(':', '')}.jpg`)
    } catch (failure) {
      message.error((failure as Error).message)
    }
  }
  const resize = (by: number) => {
    const size =
      WALL_SIZES[Math.max(0, Math.min(WALL_SIZES.length - 1, WALL_SIZES.indexOf(shape.size) + by))]!
    reshape({ size })
  }
  /** The effect of each key; the buttons of the foot do the same. */
  const does: Record<string, () => unknown> = {
    ArrowRight: () => step(1),
    n: () => step(1),
    ArrowLeft: () => step(-1),
    ArrowDown: () => step(ACROSS[shape.size]),
    ArrowUp: () => step(-ACROSS[shape.size]),
    PageDown: () => step(shape.size),
    PageUp: () => step(-shape.size),
    1: () => judge(1),
    2: () => judge(2),
    3: () => judge(3),
    4: () => judge(4),
    p: () => focused && judgeable(focused) && setWriting(true),
    c: () => focused && setCamera((old) => ({ ...old, [focused.id]: (old[focused.id] ?? 0) + 1 })),
    s: snapshot,
    '[': () => resize(-1),
    ']': () => resize(1),
    f: fullScreen,
  }
  useKeys(does)

  return (
    <div className="wall" data-theme="dark">
      <Head shape={shape} onShape={reshape} progress={round?.progress} now={now}>
        {asks && <PurposeButton onSaid={sayPurpose} />}
      </Head>
      {error && <Failed error={error} again={again} />}
      {!error && round?.sites.length === 0 && (
        <Nothing narrowed={shape.due || !!shape.days || !!shape.stage} />
      )}
      <WallGrid size={shape.size} busy={!round && !error}>
        {shown.map((site, i) => (
          <WallTile
            key={site.id}
            site={site}
            camera={stillOf(site)}
            number={numberOf(site) + 1}
            now={now}
            big={shape.size === 1}
            focused={page * shape.size + i === at}
            judged={judged[site.id]}
            hasLive={!!round?.live}
            live={liveOf(site)}
            onLive={onLive}
            at={page * shape.size + i}
            onFocus={setAt}
          />
        ))}
      </WallGrid>
      {focused && (
        <WallFoot
          site={focused}
          at={at}
          count={sites.length}
          why={whyNot(focused, stillOf(focused), now, liveOf(focused))}
          isSeen={!!stillOf(focused)?.picture}
          noted={noted}
          writing={writing}
          busy={sending}
          onNoted={(texts) => setProblems((old) => ({ ...old, [focused.id]: texts }))}
          onWritten={() => setWriting(false)}
          onDo={(key) => void does[key]!()}
        />
      )}
      <Said judged={focused && judged[focused.id]} />
    </div>
  )
}

/** The picture of the tile that the round is at: nothing where none has been drawn. */
function drawnPicture(isLive: boolean): HTMLVideoElement | HTMLImageElement | undefined {
  const tile = document.querySelector('.wall-tile.on')
  if (isLive) {
    const video = tile?.querySelector('video')
    return video?.videoWidth ? video : undefined
  }
  const image = tile?.querySelector<HTMLImageElement>(':scope > img')
  return image?.complete && image.naturalWidth ? image : undefined
}

const Nothing = ({ narrowed }: { narrowed: boolean }) => (
  <div className="wall-empty">
    <h2>没有要看的工地</h2>
    <p>{narrowed ? '换个筛选条件看看。' : '在建且装了摄像头的工地会出现在这里。'}</p>
  </div>
)
/** For who does not see the colours. */
const Said = ({ judged }: { judged: Judged | undefined }) => (
  <p className="sr-only" role="status">
    {judged ? `已判 ${tidinessResult.label(judged.tidiness)}` : ''}
  </p>
)

const NOTED = 'patrolNoted'
/** Notes of a site that were not handed in outlive a reload of the page. */
function useNoted() {
  const state = useState<Record<string, string[]>>(
    () => JSON.parse(sessionStorage.getItem(NOTED) ?? '{}') as Record<string, string[]>,
  )
  useEffect(() => sessionStorage.setItem(NOTED, JSON.stringify(state[0])), [state[0]])
  return state
}

function Head({
  shape,
  onShape,
  progress,
  now,
  children,
}: {
  shape: Shape
  onShape: (to: Partial<Shape>) => void
  progress: Round['progress'] | undefined
  now: number
  children: ReactNode
}) {
  const branches = useBranches()
  const share = progress?.sites ? Math.round((progress.seen / progress.sites) * 100) : 0
  return (
    <header>
      <h1>远程巡检</h1>
      {branches.length > 1 && (
        <select aria-label="分公司" value={shape.bc} onChange={(e) => onShape({ bc: e.target.value })}>
          <option value="">全部分公司</option>
          {branches.map((b) => (
            <option key={b.bc_id} value={b.bc_id}>
              {b.bc_name}
            </option>
          ))}
        </select>
      )}
      <select aria-label="阶段" value={shape.stage} onChange={(e) => onShape({ stage: e.target.value })}>
        <option value="">全部阶段</option>
        {siteStage.options.map((o) => (
          <option key={o.value} value={o.value}>
            {o.label}
          </option>
        ))}
      </select>
      <select aria-label="上次巡检" value={shape.days} onChange={(e) => onShape({ days: e.target.value })}>
        <option value="">不论上次何时看过</option>
        {['1', '3', '7', '14'].map((n) => (
          <option key={n} value={n}>
            {n} 天没有看过
          </option>
        ))}
      </select>
      <label className="wall-check">
        <input type="checkbox" checked={shape.due} onChange={(e) => onShape({ due: e.target.checked })} />
        只看待巡检
      </label>
      <SizeSwitch size={shape.size} onSize={(size) => onShape({ size })} />
      {children}
      {progress && (
        <span
          className="wall-progress"
          title="今天已由任何人远程看过的工地，占筛选范围内装了摄像头的在建工地"
        >
          <progress max={Math.max(1, progress.sites)} value={progress.seen} aria-label="今天已看" />
          今天已看 <b>{progress.seen}</b>/{progress.sites}（{share}%）
          {progress.due > 0 && (
            <>
              ，待巡检 <b>{progress.due}</b>
              {progress.over > 0 && `（其中 ${progress.over} 个已过时间）`}
            </>
          )}
        </span>
      )}
      <time>{short(now)}</time>
      <button className="icon-button" onClick={fullScreen} aria-label="全屏">
        <Icon name="full" />
      </button>
    </header>
  )
}
