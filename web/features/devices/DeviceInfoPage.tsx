import { useQuery } from '@tanstack/react-query'
import { noticeWords } from '@zhuguan/contract/features/consents/notices.record.ts'
import { devicesApi } from '@zhuguan/contract/features/devices/devices.api.ts'
import {
  type DeviceDetail,
  deviceStatus,
  deviceType,
  spanCause,
} from '@zhuguan/contract/features/devices/devices.record.ts'
import { useState } from 'react'

import { recordBy } from '../../kit/ahead.ts'
import { call } from '../../kit/api.ts'
import { ChartCard } from '../../kit/chart/ChartCard.tsx'
import { LineChart } from '../../kit/chart/charts.tsx'
import { Fact, Facts } from '../../kit/Facts.tsx'
import { lazyPart } from '../../kit/lazyPart.tsx'
import { LinkTo } from '../../kit/LinkTo.tsx'
import { Failed } from '../../kit/list/ListPage.tsx'
import { useLive } from '../../kit/live.ts'
import { NoSubject } from '../../kit/NoSubject.tsx'
import { usePageName, useParam } from '../../kit/page.tsx'
import { Picture } from '../../kit/Picture.tsx'
import { RowActions } from '../../kit/RowActions.tsx'
import { State } from '../../kit/State.tsx'
import { ago, full, lasting, nowSeconds, short } from '../../kit/time.ts'
import { useMayOpen } from '../../parts/session.ts'
import { Bands } from './Bands.tsx'
import { DEVICE_TONE } from './DeviceListPage.tsx'
import { type OpenDevice, useDeviceActions } from './useDeviceActions.ts'

import './device.css'

const DeviceDrawers = lazyPart(() => import('./DeviceDrawers.tsx'))
/** An older picture does not say how the site looks now. */
const OLD_PICTURE = 3_600

/** Fetched when a link to the record is pressed. */
export const ahead = recordBy(devicesApi.details)

export default function DeviceInfoPage() {
  const id = useParam('id') ?? ''
  const detail = useQuery({
    queryKey: [devicesApi.details.path, id],
    enabled: id !== '',
    queryFn: ({ signal }) => call(devicesApi.details, { query: { id } }, signal),
  })
  const history = useQuery({
    queryKey: [devicesApi.history.path, id],
    enabled: id !== '',
    queryFn: ({ signal }) => call(devicesApi.history, { query: { id } }, signal),
  })
  const device = detail.data
  usePageName(device?.sn)
  const [open, setOpen] = useState<OpenDevice | null>(null)
  const actionsOf = useDeviceActions(device ? [device] : [], setOpen)
  const again = () => {
    void detail.refetch()
    void history.refetch()
  }
  useLive(['device'], again, { only: (e) => e.id === id })
  if (!id) return <NoSubject what="设备" from="设备列表" />
  if (detail.error) return <Failed error={detail.error} again={again} />
  if (!device) return <div className="page-wait" aria-busy="true" />
  return (
    <>
      <section className="card section">
        <h2 className="device-head">
          <span>{device.sn}</span>{' '}
          <State tone={DEVICE_TONE[device.deviceStatus] ?? 'grey'}>
            {deviceStatus.label(device.deviceStatus)}
          </State>
          <span className="chart-tools">
            <RowActions actions={actionsOf(device)} onDone={again} shown={4} />
          </span>
        </h2>
        <DeviceFacts device={device} />
      </section>
      <div className="two">
        <div>
          <section className="card section">
            <h2>
              在线情况 <small>近 14 天</small>
            </h2>
            {history.error ? (
              <Failed error={history.error} again={again} />
            ) : (
              history.data && <Bands {...history.data} />
            )}
          </section>
          <ChartCard
            title="信号"
            note="近 7 天，每小时心跳的平均值"
            empty={device.signals.length === 0 && '近 7 天没有心跳。'}
          >
            <LineChart
              label={`${device.sn} 的信号`}
              height={220}
              unit="%"
              labels={device.signals.map((s) => short(s.at))}
              series={[{ name: '信号', values: device.signals.map((s) => s.signal) }]}
            />
          </ChartCard>
        </div>
        <div>
          {device.noLook && device.type === deviceType.code.camera && (
            <p className="card section quiet">{device.noLook}</p>
          )}
          {device.picture && <Snapshot device={device} picture={device.picture} />}
          <section className="card section">
            <h2>绑定和流转</h2>
            {history.data?.bindings.length === 0 && <p className="quiet">还没有记录。</p>}
            <ol className="log">
              {history.data?.bindings.map((b) => (
                <li key={`${b.at}${b.action}`}>
                  <b>{b.action}</b> {b.siteName}{' '}
                  <small>
                    {b.actor} · <span title={full(b.at)}>{short(b.at)}</span>
                  </small>
                  {b.remark && <p>{b.remark}</p>}
                </li>
              ))}
            </ol>
          </section>
        </div>
      </div>
      {open && <DeviceDrawers {...open} onClose={() => setOpen(null)} onDone={again} />}
    </>
  )
}

function DeviceFacts({ device: d }: { device: DeviceDetail }) {
  const mayAlarms = useMayOpen('AlarmEvent')
  const mayRecorded = useMayOpen('videoRecord')
  return (
    <Facts className="device-facts">
      <Fact name="类型">{`${deviceType.label(d.type)} ${d.model}`}</Fact>
      <Fact name="分公司">{d.bc_name || '集团仓库'}</Fact>
      <Fact name="工地">
        {d.site_id && (
          <LinkTo page="SiteInfo" query={{ id: d.site_id }}>
            {d.siteName}
          </LinkTo>
        )}
      </Fact>
      <Fact name="最近心跳">
        {d.lastSeen && (
          <span title={full(d.lastSeen)}>
            {ago(d.lastSeen)}
            {d.cause ? `，${spanCause.label(d.cause)}` : ''}
          </span>
        )}
      </Fact>
      <Fact name="信号">{d.signal !== null && `${d.signal}%`}</Fact>
      <Fact name="在线率">{d.onlineRate !== null && `${d.onlineRate}%（近 7 天）`}</Fact>
      <Fact name="固件">{d.firmware}</Fact>
      <Fact name="视频流">{d.hasLive ? '心跳里带有地址' : '没有上报'}</Fact>
      <Fact name="密钥">
        {d.secretAt && <span title={full(d.secretAt)}>{`已用 ${lasting(nowSeconds() - d.secretAt)}`}</span>}
      </Fact>
      {d.retrieveBy && <Fact name="待回收">{`${d.retrieveBy} 前收回`}</Fact>}
      {mayAlarms && d.type === 'camera' && (
        <Fact name="报警">
          <LinkTo page="AlarmEvent" query={{ device_id: d.id }}>
            这台设备的报警
          </LinkTo>
        </Fact>
      )}
      {mayRecorded && d.type === 'camera' && (
        <Fact name="录像">
          <LinkTo page="videoRecord" query={{ device_id: d.id }} target="_blank">
            看录像
          </LinkTo>
        </Fact>
      )}
      {d.site_id && d.type === deviceType.code.camera && <Fact name="告知书">{noticeWords(d.notice)}</Fact>}
      {d.remark && <Fact name="备注">{d.remark}</Fact>}
    </Facts>
  )
}

function Snapshot({ device: d, picture }: { device: DeviceDetail; picture: string }) {
  const isOld = d.pictureAt !== null && nowSeconds() - d.pictureAt > OLD_PICTURE
  return (
    <section className="card section">
      <h2>
        最近抓拍{' '}
        <small className={isOld ? 'old' : ''} title={full(d.pictureAt)}>
          {ago(d.pictureAt)}
        </small>
      </h2>
      <Picture
        picture={picture}
        caption={`${d.sn} ${full(d.pictureAt)}`}
        width="100%"
        height="auto"
        size="full"
      />
    </section>
  )
}
