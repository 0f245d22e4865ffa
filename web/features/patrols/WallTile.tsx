import { deviceStatus, deviceType } from '@zhuguan/contract/features/devices/devices.record.ts'
import { stillRefusal } from '@zhuguan/contract/features/patrols/patrols.actions.ts'
import {
  STILL_MINUTES,
  type WallCamera,
  type WallSite,
} from '@zhuguan/contract/features/patrols/patrols.record.ts'
import { siteStage, tidinessResult } from '@zhuguan/contract/features/sites/sites.record.ts'
import { memo, useEffect, useRef, useState } from 'react'

import { pictureAt } from '../../kit/pictureAt.ts'
import { ago, full } from '../../kit/time.ts'
import type { Judged } from './useRound.ts'
import { dueText, openOf } from './waiting.ts'

/** Why what the camera shows cannot be judged now. */
export const whyNot = (site: WallSite, camera: WallCamera | undefined, now: number): string | undefined =>
  camera
    ? stillRefusal(
        { ...camera, type: deviceType.code.camera, site_id: site.id },
        site.id,
        camera.picture,
        now,
      )
    : '工地没有摄像头，不能判定'

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
  at,
  onFocus,
}: {
  site: WallSite
  camera: WallCamera | undefined
  /** Which of the site's cameras. */
  number: number
  now: number
  big: boolean
  focused: boolean
  judged: Judged | undefined
  /** Its place in the round. */
  at: number
  onFocus: (at: number) => void
}) {
  const picture = camera?.picture ?? null
  const [broken, setBroken] = useState<string | null>(null)
  const own = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    // Where the tiles are walked through it comes to the top: what is noted makes the foot grow from below.
    if (focused) own.current?.scrollIntoView({ block: 'start' })
  }, [focused])
  const why = whyNot(site, camera, now)
  return (
    <button
      ref={own}
      type="button"
      className={`wall-tile${focused ? ' on' : ''}${why ? ' dark' : ''}`}
      aria-pressed={focused}
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
      {why && <span className="wall-why">{why}</span>}
      {judged && (
        <span className={`wall-verdict ${TONE[judged.tidiness] ?? ''}`}>
          {tidinessResult.label(judged.tidiness)}
          {judged.problems > 0 && ` · ${judged.problems} 个问题`}
        </span>
      )}
      <Strip site={site} camera={camera} number={number} now={now} />
    </button>
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
}: {
  site: WallSite
  camera: WallCamera | undefined
  number: number
  now: number
}) {
  const isOld = !!camera?.pictureAt && now - camera.pictureAt > STILL_MINUTES * 60
  const open = openOf(site)
  const task = open.find((t) => t.mine) ?? open[0]
  return (
    <span className="wall-strip">
      <b>{site.ws_name}</b>
      <span>{site.stage ? siteStage.label(site.stage) : ''}</span>
      {task && <Due task={task} now={now} />}
      {site.openCorrections > 0 && <span className="wall-open">未整改 {site.openCorrections}</span>}
      <span className="wall-age">
        {site.cameras.length > 1 && `${number}/${site.cameras.length} · `}
        {camera?.pictureAt ? (
          <time className={isOld ? 'old' : undefined} title={full(camera.pictureAt)}>
            {ago(camera.pictureAt)}
          </time>
        ) : (
          ((camera && deviceStatus.label(camera.deviceStatus)) ?? '')
        )}
      </span>
    </span>
  )
}
