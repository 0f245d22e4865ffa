import { deviceStatus, deviceType } from '@zhuguan/contract/features/devices/devices.record.ts'
import { stillRefusal } from '@zhuguan/contract/features/patrols/patrols.actions.ts'
import {
  STILL_MINUTES,
  type WallCamera,
  type WallSite,
} from '@zhuguan/contract/features/patrols/patrols.record.ts'
import { siteStage, tidinessResult } from '@zhuguan/contract/features/sites/sites.record.ts'
import { viewPurpose } from '@zhuguan/contract/features/video/purposes.record.ts'
import { memo, useEffect, useRef, useState } from 'react'

import { pictureAt } from '../../kit/pictureAt.ts'
import { ago, full } from '../../kit/time.ts'
import { CameraLive } from '../../parts/video/CameraLive.tsx'
import { type LiveState, START } from '../../parts/video/liveCameras.ts'
import type { OnLive } from './useLives.ts'
import type { Judged } from './useRound.ts'
import { isEarly, openOf, wallText } from './waiting.ts'

/** The reason why what the camera shows cannot be judged now. */
export function whyNot(
  site: WallSite,
  camera: WallCamera | undefined,
  now: number,
  live?: string,
): string | undefined {
  if (!camera) return '工地没有摄像头，不能判定'
  // What is seen live is of now, however old the newest still is.
  const seen = live ? { ...camera, picture: live, pictureAt: now } : camera
  return stillRefusal({ ...seen, type: deviceType.code.camera, site_id: site.id }, site.id, seen.picture, now)
}

type WallTask = WallSite['tasks'][number]
/** The first camera that can be judged, else the first. */
export const firstCamera = (site: WallSite, now: number): number =>
  Math.max(
    0,
    site.cameras.findIndex((c) => whyNot(site, c, now) === undefined),
  )

const { excellent, good, poor } = tidinessResult.code
const TONE: Readonly<Record<number, string>> = { [excellent]: 'tidy', [good]: 'fair', [poor]: 'untidy' }

/** One site of the wall: what its camera shows, how old that is, and what was said of it. */
export const WallTile = memo(function Tile({
  site,
  camera,
  number,
  now,
  big,
  focused,
  judged,
  hasLive,
  live,
  at,
  onFocus,
  onLive,
}: {
  site: WallSite
  camera: WallCamera | undefined
  /** The choice among the site's cameras. */
  number: number
  now: number
  big: boolean
  focused: boolean
  judged: Judged | undefined
  /** There may be a live picture. */
  hasLive: boolean
  /** The view in which it moves now. */
  live: string | undefined
  /** Its place in the round. */
  at: number
  onFocus: (at: number) => void
  onLive: OnLive
}) {
  const [state, setState] = useState<Pick<LiveState, 'kind' | 'why'>>(START)
  const picture = camera?.picture ?? null
  const [broken, setBroken] = useState<string | null>(null)
  const own = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // Where the tiles are walked through it comes to the top: what is noted makes the foot grow from below.
    if (focused) own.current?.scrollIntoView({ block: 'start' })
  }, [focused])
  const id = camera?.id
  useEffect(() => () => void (id && onLive(id, undefined)), [id])
  const isBroken = picture !== null && picture === broken && !live
  const why = whyNot(site, camera, now, live) ?? (isBroken ? '画面没有读到，不能判定' : undefined)
  const isOnline = camera?.deviceStatus === deviceStatus.code.online
  return (
    <div
      ref={own}
      role="group"
      tabIndex={0}
      aria-label={site.ws_name}
      className={`wall-tile${focused ? ' on' : ''}${why ? ' dark' : ''}`}
      aria-current={focused}
      onClick={() => onFocus(at)}
    >
      {/* A browser shows what was there until the next has come. */}
      {picture && picture !== broken && (
        <img
          src={pictureAt(picture, big ? 'full' : 'medium')}
          alt=""
          draggable={false}
          onError={() => setBroken(picture)}
        />
      )}
      {hasLive && camera && isOnline && !camera.noLook && (
        <TileLive
          key={camera.id}
          camera={camera}
          isShown={state.kind === 'live'}
          onState={setState}
          onLive={onLive}
        />
      )}
      {why && <span className="wall-why">{why}</span>}
      {judged && <Verdict judged={judged} />}
      <Strip
        site={site}
        camera={camera}
        number={number}
        now={now}
        live={!!live}
        notLive={notLive(camera, hasLive, state)}
      />
    </div>
  )
})

/** That somebody is to look at it today: one's own task strongly once its window is open, and what is late in amber. */
function Due({ task: t, now }: { task: WallTask; now: number }) {
  const isOver = t.closesAt < now
  const early = isEarly(t, now)
  const until = `${t.planName}，${early ? `${full(t.opensAt)} 起，` : ''}${full(t.closesAt)} 为止`
  return (
    <span
      className={`wall-due${t.mine && !early ? ' mine' : ''}${isOver ? ' over' : ''}`}
      title={t.mine ? until : `${until}，由别人执行`}
    >
      {t.mine && '我的'}
      {wallText(t, now)}
    </span>
  )
}
const Verdict = ({ judged }: { judged: Judged }) => (
  <span className={`wall-verdict ${TONE[judged.tidiness] ?? ''}`}>
    {tidinessResult.label(judged.tidiness)}
    {judged.problems > 0 && ` · ${judged.problems} 个问题`}
  </span>
)
/** Until it moves the still stands there. */
const TileLive = ({
  camera,
  isShown,
  onState,
  onLive,
}: {
  camera: WallCamera
  isShown: boolean
  onState: (state: Pick<LiveState, 'kind' | 'why'>) => void
  onLive: OnLive
}) => (
  <div className="wall-live" data-shown={isShown}>
    <CameraLive
      deviceId={camera.id}
      known={camera}
      purpose={viewPurpose.code.patrol}
      onState={({ kind, view, why }) => {
        onState({ kind, why })
        onLive(camera.id, { view: kind === 'live' ? (view ?? undefined) : undefined, asks: kind === 'asks' })
      }}
    />
  </div>
)

interface Quiet {
  words: string
  sentence: string
}
const WAITING: Partial<Record<LiveState['kind'], Quiet>> = {
  opening: { words: '连接中…', sentence: '正在连接直播' },
  stalled: { words: '画面停住', sentence: '直播画面停住了' },
  asks: { words: '抓拍', sentence: '看直播先说明查看目的' },
}
/** The reason why a tile shows no live picture. */
function notLive(
  camera: WallCamera | undefined,
  hasLive: boolean,
  { kind, why }: Pick<LiveState, 'kind' | 'why'>,
): Quiet | undefined {
  if (!camera) return undefined
  if (camera.deviceStatus !== deviceStatus.code.online) {
    const words = deviceStatus.label(camera.deviceStatus)
    return { words, sentence: `设备${words}，没有直播` }
  }
  if (camera.noLook) return { words: '不看', sentence: camera.noLook }
  return hasLive ? (WAITING[kind] ?? { words: '无直播', sentence: why }) : undefined
}

/** The site, and the age of its picture. */
function Strip({
  site,
  camera,
  number,
  now,
  live,
  notLive,
}: {
  site: WallSite
  camera: WallCamera | undefined
  number: number
  now: number
  live: boolean
  notLive: Quiet | undefined
}) {
  const isOld = !!camera?.pictureAt && now - camera.pictureAt > STILL_MINUTES * 60
  const open = openOf(site)
  const task = open.find((t) => t.mine) ?? open[0]
  return (
    <span className="wall-strip">
      <b title={site.ws_name}>{site.ws_name}</b>
      {site.stage && <span className="wall-stage">{siteStage.label(site.stage)}</span>}
      {task && <Due task={task} now={now} />}
      {site.openCorrections > 0 && <span className="wall-open">未整改 {site.openCorrections}</span>}
      <span className="wall-age">
        {site.cameras.length > 1 && (
          <span className="wall-number">
            {number}/{site.cameras.length} ·{' '}
          </span>
        )}
        {live && '直播'}
        {!live && notLive && <span title={notLive.sentence}>{notLive.words} </span>}
        {!live && camera?.pictureAt && (
          <time className={isOld ? 'old' : undefined} title={full(camera.pictureAt)}>
            {ago(camera.pictureAt)}
          </time>
        )}
      </span>
    </span>
  )
}
