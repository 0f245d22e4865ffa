import { deviceStatus, deviceType } from '@zhuguan/contract/features/devices/devices.record.ts'
import { stillRefusal } from '@zhuguan/contract/features/patrols/patrols.actions.ts'
import {
  STILL_MINUTES,
  type WallCamera,
  type WallSite,
} from '@zhuguan/contract/features/patrols/patrols.record.ts'
import { viewPurpose } from '@zhuguan/contract/features/recordings/recordings.record.ts'
import { siteStage, tidinessResult } from '@zhuguan/contract/features/sites/sites.record.ts'
import { memo, useEffect, useRef, useState } from 'react'

import { pictureAt } from '../../kit/pictureAt.ts'
import { ago, full } from '../../kit/time.ts'
import { CameraLive } from '../../parts/video/CameraLive.tsx'
import type { LiveState } from '../../parts/video/liveCameras.ts'
import type { OnLive } from './useLives.ts'
import type { Judged } from './useRound.ts'
import { dueText, openOf } from './waiting.ts'

/** Why what the camera shows cannot be judged now. */
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
  /** Which of the site's cameras. */
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
  const [shown, setShown] = useState<LiveState['kind']>('opening')
  const picture = camera?.picture ?? null
  const [broken, setBroken] = useState<string | null>(null)
  const own = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // Where the tiles are walked through it comes to the top: what is noted makes the foot grow from below.
    if (focused) own.current?.scrollIntoView({ block: 'start' })
  }, [focused])
  const id = camera?.id
  useEffect(() => () => void (id && onLive(id, undefined)), [id])
  const why = whyNot(site, camera, now, live)
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
      {hasLive && camera && isOnline && (
        <div className="wall-live" data-shown={shown !== 'opening' && shown !== 'still'}>
          <CameraLive
            key={camera.id}
            deviceId={camera.id}
            purpose={viewPurpose.code.patrol}
            onState={({ kind, view }) => {
              setShown(kind)
              onLive(camera.id, {
                view: kind === 'live' ? (view ?? undefined) : undefined,
                asks: kind === 'asks',
              })
            }}
          />
        </div>
      )}
      {why && <span className="wall-why">{why}</span>}
      {judged && (
        <span className={`wall-verdict ${TONE[judged.tidiness] ?? ''}`}>
          {tidinessResult.label(judged.tidiness)}
          {judged.problems > 0 && ` · ${judged.problems} 个问题`}
        </span>
      )}
      <Strip site={site} camera={camera} number={number} now={now} live={!!live} />
    </div>
  )
})

/** That somebody is to look at it today: one's own task strongly, and what should have been done by now in amber. */
function Due({ task: t, now }: { task: WallTask; now: number }) {
  const isOver = t.closesAt < now
  const until = `${t.planName}，${full(t.closesAt)} 为止`
  return (
    <span
      className={`wall-due${t.mine ? ' mine' : ''}${isOver ? ' over' : ''}`}
      title={t.mine ? until : `${until}，由别人执行`}
    >
      {t.mine && '我的'}
      {dueText(isOver)}
    </span>
  )
}
/** Which site it is, and how old what it shows is. */
function Strip({
  site,
  camera,
  number,
  now,
  live,
}: {
  site: WallSite
  camera: WallCamera | undefined
  number: number
  now: number
  live: boolean
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
        {!live && camera?.pictureAt && (
          <time className={isOld ? 'old' : undefined} title={full(camera.pictureAt)}>
            {ago(camera.pictureAt)}
          </time>
        )}
        {!live && camera && !camera.pictureAt && deviceStatus.label(camera.deviceStatus)}
      </span>
    </span>
  )
}
