import { useQuery, useQueryClient } from '@tanstack/react-query'
import { alarmsApi } from '@zhuguan/contract/features/alarms/alarms.api.ts'
import {
  type AlarmRow,
  alarmType,
  alarmVerdict,
  correctionStatus,
} from '@zhuguan/contract/features/alarms/alarms.record.ts'
import { filesApi } from '@zhuguan/contract/features/files/files.api.ts'
import { hasPermission } from '@zhuguan/contract/kit/permits.ts'
import { Drawer } from 'antd'
import { type ReactNode, useEffect, useState } from 'react'

import { call, callForBytes } from '../../kit/api.ts'
import { Fact, Facts } from '../../kit/Facts.tsx'
import { lazyPart } from '../../kit/lazyPart.tsx'
import { LinkTo } from '../../kit/LinkTo.tsx'
import { Failed } from '../../kit/list/ListPage.tsx'
import { Picture } from '../../kit/Picture.tsx'
import { full, short } from '../../kit/time.ts'
import { LogLink } from '../../parts/LogLink.tsx'
import { useActor } from '../../parts/session.ts'
import { StatusOf } from './StatusOf.tsx'

import './alarms.css'

const LiveDrawer = lazyPart(() => import('../../parts/LiveDrawer.tsx'))

/** One alarm: picture, clip, who did what, and what the same camera saw before. */
export default function AlarmPanel({
  alarm,
  actions,
  onClose,
}: {
  alarm: AlarmRow
  actions: ReactNode
  onClose: () => void
}) {
  const client = useQueryClient()
  const key = [alarmsApi.details.path, alarm.id]
  const { data, error } = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => call(alarmsApi.details, { query: { id: alarm.id } }, signal),
  })
  const [live, setLive] = useState(false)
  const mayLive = hasPermission(useActor(), 'device:live')
  useEffect(() => void client.invalidateQueries({ queryKey: key }), [alarm.version, alarm.id])
  return (
    <Drawer
      open
      title={`${alarmType.label(alarm.type)} · ${alarm.siteName}`}
      size="min(720px, 100vw)"
      onClose={onClose}
      extra={actions}
      mask={false}
    >
      <Picture
        picture={alarm.picture}
        caption={`${alarm.deviceSn} ${full(alarm.at)}`}
        width="100%"
        height="auto"
        size="full"
      />
      {alarm.clip && <Clip clip={alarm.clip} />}
      <Facts className="alarm-facts">
        <Fact name="整改状态">
          <StatusOf alarm={alarm} />
        </Fact>
        <Fact name="判定">{alarmVerdict.label(alarm.verdict)}</Fact>
        <Fact name="工地">
          <LinkTo page="SiteInfo" query={{ id: alarm.site_id }}>
            {alarm.siteName}
          </LinkTo>
        </Fact>
        <Fact name="设备">
          {alarm.deviceSn}{' '}
          {mayLive && (
            <button className="text-button" onClick={() => setLive(true)}>
              实时预览
            </button>
          )}
        </Fact>
        <Fact name="首次">{full(alarm.at)}</Fact>
        <Fact name="最近">
          {full(alarm.lastSeen)}（共 {alarm.seen} 次）
        </Fact>
        <Fact name="责任人">{alarm.assigneeName}</Fact>
        <Fact name="截止">{full(alarm.dueAt)}</Fact>
        {data?.workerName && <Fact name="工人">{data.workerName}</Fact>}
      </Facts>
      {error ? (
        <Failed error={error} again={() => void client.invalidateQueries({ queryKey: key })} />
      ) : (
        <>
          <h3>
            处理记录 <LogLink object="alarm" id={alarm.id} />
          </h3>
          {data && data.log.length === 0 && <p className="quiet">还没有人处理。</p>}
          <ol className="log">
            {data?.log.map((l, i) => (
              <li key={i}>
                <b>{l.action}</b>{' '}
                <small>
                  {l.actor} · {short(l.at)}
                </small>
                {l.text && <p>{l.text}</p>}
                {l.pictures.map((k) => (
                  <Picture key={k} picture={k} caption={`${l.action} ${full(l.at)}`} width={96} height={60} />
                ))}
              </li>
            ))}
          </ol>
          <h3>同一摄像头的其他报警</h3>
          {data && data.sameCamera.length === 0 && <p className="quiet">没有。</p>}
          <div className="same-camera">
            {data?.sameCamera.map((s) => (
              <div key={s.id}>
                <Picture
                  picture={s.picture}
                  caption={`${alarmType.label(s.type)} ${full(s.at)}`}
                  width="100%"
                  height={76}
                />
                <small>
                  {alarmType.label(s.type)} · {short(s.at)} · {correctionStatus.label(s.correctionStatus)}
                </small>
              </div>
            ))}
          </div>
        </>
      )}
      {live && <LiveDrawer id={alarm.device_id} sn={alarm.deviceSn} onClose={() => setLive(false)} />}
    </Drawer>
  )
}

function Clip({ clip }: { clip: string }) {
  const [url, setUrl] = useState<string>()
  useEffect(() => {
    let made: string | undefined
    void callForBytes(filesApi.get, { query: { key: clip } }).then(
      (b) => setUrl((made = URL.createObjectURL(b))),
      () => {},
    )
    return () => void (made && URL.revokeObjectURL(made))
  }, [clip])
  return url ? <video className="clip" src={url} controls /> : null
}
