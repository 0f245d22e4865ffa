import { useQuery } from '@tanstack/react-query'
import {
  type alarmDetail,
  type AlarmRow,
  alarmType,
  alarmVerdict,
  correctionStatus,
  correctionStep,
} from '@zhuguan/contract/features/alarms/alarms.record.ts'
import { modelOf } from '@zhuguan/contract/features/trusts/trusts.record.ts'
import { workerType } from '@zhuguan/contract/features/workers/trades.record.ts'
import { hasPermission } from '@zhuguan/contract/kit/permits.ts'
import { Drawer } from 'antd'
import { useState } from 'react'
import type { z } from 'zod'

import { Fact, Facts } from '../../kit/Facts.tsx'
import { lazyPart } from '../../kit/lazyPart.tsx'
import { hrefOf, LinkTo } from '../../kit/LinkTo.tsx'
import { Failed } from '../../kit/list/ListPage.tsx'
import { QueueSteps } from '../../kit/list/QueueSteps.tsx'
import type { Queue } from '../../kit/list/useQueue.ts'
import { useLive } from '../../kit/live.ts'
import { message } from '../../kit/notices.ts'
import { usePage } from '../../kit/page.tsx'
import { Picture } from '../../kit/Picture.tsx'
import { pictureAt } from '../../kit/pictureAt.ts'
import { type RowAction, RowActions } from '../../kit/RowActions.tsx'
import { full, lasting, nowSeconds, short } from '../../kit/time.ts'
import { dueOf, StatusOf, Thread, whenOf } from '../../parts/correcting.tsx'
import { LogLink } from '../../parts/LogLink.tsx'
import { PhoneOf } from '../../parts/PhoneOf.tsx'
import { useActor, useMayOpen } from '../../parts/session.ts'
import { useNoLook } from '../../parts/video/useNoLook.ts'
import { detailsOf } from './details.ts'
import { nameOf } from './nameOf.ts'
import { Unannounced } from './Unannounced.tsx'

import './alarms.css'

const LiveDrawer = lazyPart(() => import('../../parts/LiveDrawer.tsx'))
const RecordedMoment = lazyPart(() => import('../../parts/video/RecordedMoment.tsx'))

type Detail = z.output<typeof alarmDetail>
type Line = Detail['log'][number]
const BUTTONS = 3
/**
 * One alarm: what was seen and what was done about it, who did what, and what the same camera saw besides. It follows
 * the alarm itself, whether the list behind it shows it or not.
 */
export default function AlarmPanel({
  id,
  queue,
  row,
  actionsOf,
  onOpen,
  onDone,
  onClose,
}: {
  id: string
  queue: Queue
  /** As the list has it, until the alarm has been read. */
  row: AlarmRow | undefined
  actionsOf: (alarm: AlarmRow) => RowAction[]
  /** Another alarm instead of this one. */
  onOpen: (id: string) => void
  onDone: () => void
  onClose: () => void
}) {
  const { data, error, refetch } = useQuery(detailsOf(id))
  useLive(['alarm'], () => refetch(), { only: (e) => e.id === id })
  const alarm = data ?? row
  const actions = alarm ? actionsOf(alarm) : []
  return (
    <Drawer
      open
      title={alarm ? `${nameOf(alarm)} · ${alarm.siteName}` : '报警'}
      rootClassName="alarm-panel"
      size="min(720px, 100vw)"
      extra={<QueueSteps queue={queue} />}
      onClose={onClose}
      mask={false}
      footer={
        actions.length > 0 ? (
          <RowActions bar key={id} actions={actions} onDone={onDone} shown={BUTTONS} />
        ) : null
      }
    >
      {error && <Failed error={error} again={() => void refetch()} />}
      {alarm && !error && <Seen key={id} alarm={alarm} detail={data} onOpen={onOpen} />}
    </Drawer>
  )
}

function Seen({
  alarm,
  detail,
  onOpen,
}: {
  alarm: AlarmRow
  detail: Detail | undefined
  onOpen: (id: string) => void
}) {
  const mayRecorded = useMayOpen('videoRecord')
  return (
    <>
      <p className="alarm-now">
        <StatusOf of={alarm} />
        <Unannounced alarm={alarm} />
        {alarm.closedAt === null && dueOf(alarm, true)}
        {alarm.assigneeName && <span className="quiet">责任人 {alarm.assigneeName}</span>}
      </p>
      <Evidence
        alarm={alarm}
        proof={detail?.log.findLast((l) => l.pictures.length > 0)}
        photos={detail?.photos ?? []}
      />
      {alarm.clip && <Clip clip={alarm.clip} alarm={alarm} />}
      {mayRecorded && <RecordedMoment deviceId={alarm.device_id} at={alarm.at} purpose="alarm" />}
      <AlarmFacts alarm={alarm} worker={detail?.workerName ?? ''} />
      <OnSite detail={detail} />
      <h3>
        处理记录 <LogLink object="alarm" id={alarm.id} />
      </h3>
      <Thread detail={detail} />
      <h3>同一摄像头的其他报警</h3>
      {detail && detail.sameCamera.length === 0 && <p className="quiet">没有。</p>}
      <div className="same-camera">
        {detail?.sameCamera.map((s) => (
          <a
            key={s.id}
            href={hrefOf('AlarmEvent', { id: s.id })}
            onClick={(e) => {
              if (e.ctrlKey || e.metaKey || e.shiftKey) return
              e.preventDefault()
              onOpen(s.id)
            }}
          >
            <Picture plain picture={s.picture} caption={`${alarmType.label(s.type)} ${full(s.at)}`} />
            <span>{alarmType.label(s.type)}</span>
            <small>
              {short(s.at)} · {correctionStatus.label(s.correctionStatus)}
            </small>
          </a>
        ))}
      </div>
    </>
  )
}

/** The camera's picture, and beside it what was handed in as corrected. */
function Evidence({
  alarm,
  proof,
  photos,
}: {
  alarm: AlarmRow
  proof: Line | undefined
  photos: Detail['photos']
}) {
  const isAnswer =
    alarm.correctionStatus === correctionStatus.code.corrected || alarm.step === correctionStep.code.submitted
  return (
    <div className={`evidence${proof ? ' pair' : ''}`}>
      <figure>
        <Picture
          picture={alarm.picture}
          caption={`${alarm.deviceSn} ${full(alarm.at)}`}
          width="100%"
          size={proof ? 'medium' : 'full'}
        />
        <figcaption>
          {proof && <b>整改前</b>} {alarm.deviceSn} · {full(alarm.at)}
        </figcaption>
      </figure>
      {proof && (
        <figure>
          <div className="proofs">
            {proof.pictures.map((key) => (
              <Picture
                key={key}
                picture={key}
                caption={`${proof.actor} ${whenOf(photos, key)}`}
                width="100%"
                size="medium"
              />
            ))}
          </div>
          <figcaption>
            <b>{isAnswer ? '整改后' : '上次提交'}</b> {proof.actor} ·{' '}
            {[...new Set(proof.pictures.map((key) => whenOf(photos, key)))].join('；')}
          </figcaption>
        </figure>
      )}
    </div>
  )
}

function AlarmFacts({ alarm, worker }: { alarm: AlarmRow; worker: string }) {
  const [live, setLive] = useState(false)
  const mayTrust = useMayOpen('AlarmTrust')
  const mayLive = hasPermission(useActor(), 'device:live')
  const why = useNoLook([alarm.device_id])(alarm.device_id)
  const { oneBranch } = usePage()
  return (
    <Facts className="alarm-facts">
      <Fact name="工地">
        <LinkTo page="SiteInfo" query={{ id: alarm.site_id }}>
          {alarm.siteName}
        </LinkTo>
      </Fact>
      <Fact name="设备">
        {alarm.deviceSn}{' '}
        {mayLive && (
          <>
            <RowActions
              actions={[{ key: 'live', label: '实时预览', why, open: () => setLive(true) }]}
              onDone={() => {}}
            />
            {why && <small className="quiet"> {why}</small>}
          </>
        )}
      </Fact>
      <Fact name="首次">{full(alarm.at)}</Fact>
      <Fact name="最近">
        {full(alarm.lastSeen)}（共 {alarm.seen} 次）
      </Fact>
      <Fact name="判定">{alarmVerdict.label(alarm.verdict)}</Fact>
      <Fact name="用时">{lasting((alarm.closedAt ?? nowSeconds()) - alarm.at)}</Fact>
      <Fact name="置信度">
        {Math.round(alarm.confidence * 100)}%{alarm.lowTrust && '（摄像头偏移，低可信）'}
      </Fact>
      <Fact name="型号版本">
        {modelOf(alarm.model)}{' '}
        {mayTrust && (
          <LinkTo page="AlarmTrust" query={{ device_id: alarm.device_id, type: alarm.type }}>
            信任账
          </LinkTo>
        )}
      </Fact>
      {worker && <Fact name="工人">{worker}</Fact>}
      {!oneBranch && <Fact name="分公司">{alarm.bc_name}</Fact>}
      {live && (
        <LiveDrawer id={alarm.device_id} sn={alarm.deviceSn} purpose="alarm" onClose={() => setLive(false)} />
      )}
    </Facts>
  )
}

/** Who can be called about it: whoever was clocked in when it was seen. */
function OnSite({ detail }: { detail: Detail | undefined }) {
  if (!detail) return null
  return (
    <>
      <h3>
        当时在场 <small className="quiet">{short(detail.at)} 打卡在场的工人</small>
      </h3>
      {detail.onSite.length === 0 && <p className="quiet">当时没有人打卡在场。</p>}
      <ul className="alarm-on-site">
        {detail.onSite.map((w) => (
          <li key={w.id}>
            <b>{w.w_name}</b> {workerType.label(w.w_type)}
            <small className="quiet"> {short(w.since)} 进场</small> <PhoneOf worker={w} />
          </li>
        ))}
      </ul>
    </>
  )
}

/** The clip behind its picture; fetched when somebody wants to see it. */
function Clip({ clip, alarm }: { clip: string; alarm: AlarmRow }) {
  const [playing, setPlaying] = useState(false)
  if (playing)
    return (
      <video
        className="clip"
        src={pictureAt(clip, 'full')}
        controls
        autoPlay
        muted
        onError={() => {
          setPlaying(false)
          message.error('录像没有读到，请重试')
        }}
      />
    )
  return (
    <button className="clip" onClick={() => setPlaying(true)}>
      <Picture plain picture={alarm.picture} caption={`${alarm.deviceSn} 现场录像`} width="100%" />
      <span>▶ 播放现场录像</span>
    </button>
  )
}
