import { useQuery } from '@tanstack/react-query'
import { deviceStatus, deviceType } from '@zhuguan/contract/features/devices/devices.record.ts'
import { sitesApi } from '@zhuguan/contract/features/sites/sites.api.ts'
import {
  noWork,
  type SiteDetail,
  siteStage,
  siteStatus,
} from '@zhuguan/contract/features/sites/sites.record.ts'
import { viewPurpose } from '@zhuguan/contract/features/video/purposes.record.ts'
import { workerType } from '@zhuguan/contract/features/workers/trades.record.ts'
import { hasPermission } from '@zhuguan/contract/kit/permits.ts'
import { useState } from 'react'

import { recordBy } from '../../kit/ahead.ts'
import { call } from '../../kit/api.ts'
import { barePart } from '../../kit/barePart.tsx'
import { Fact, Facts } from '../../kit/Facts.tsx'
import { lazyPart } from '../../kit/lazyPart.tsx'
import { hrefOf, LinkTo } from '../../kit/LinkTo.tsx'
import { Failed } from '../../kit/list/ListPage.tsx'
import { useLive } from '../../kit/live.ts'
import { NoSubject } from '../../kit/NoSubject.tsx'
import { usePageName, useParam } from '../../kit/page.tsx'
import { RowActions } from '../../kit/RowActions.tsx'
import { State, type Tone } from '../../kit/State.tsx'
import { ago, short } from '../../kit/time.ts'
import { LogLink } from '../../parts/LogLink.tsx'
import { useActor, useMayOpen, useMayReach } from '../../parts/session.ts'
import { Tidy } from '../../parts/Tidy.tsx'
import { Unmasked } from '../../parts/Unmasked.tsx'
import { SiteContract } from './SiteContract.tsx'
import { SiteHandover } from './SiteHandover.tsx'
import { LivedIn, SiteState } from './siteStates.tsx'
import { WarningsFact } from './SiteWarnings.tsx'
import { StageSection } from './StageSection.tsx'
import { Timeline } from './Timeline.tsx'
import { type OpenSiteDrawer, useSiteActions } from './useSiteActions.ts'
import { useSiteWarnings } from './useSiteWarnings.ts'

import './sites.css'

const SiteDrawers = lazyPart(() => import('./SiteDrawers.tsx'))
const CameraLive = barePart(async () => ({
  default: (await import('../../parts/video/CameraLive.tsx')).CameraLive,
}))
const DEVICE: Record<number, Tone> = {
  [deviceStatus.code.online]: 'ok',
  [deviceStatus.code.notEnabled]: 'wait',
}

/** Fetched when a link to the record is pressed. */
export const ahead = recordBy(sitesApi.details)

export default function SiteInfoPage() {
  const id = useParam('id') ?? ''
  const {
    data: site,
    error,
    refetch,
  } = useQuery({
    queryKey: [sitesApi.details.path, id],
    enabled: id !== '',
    queryFn: ({ signal }) => call(sitesApi.details, { query: { id } }, signal),
  })
  usePageName(site?.ws_name)
  const [open, setOpen] = useState<OpenSiteDrawer | null>(null)
  const actionsOf = useSiteActions(setOpen, { ofOver: true })
  const mayAlarm = useMayOpen('AlarmEvent')
  const warnings = useSiteWarnings(id)
  useLive(['site', 'alarm', 'device', 'attendance', 'tidiness'], () => refetch(), {
    only: (e) => e.site_id === id,
  })
  if (!id) return <NoSubject what="工地" from="工地列表" />
  if (error) return <Failed error={error} again={() => void refetch()} />
  if (!site) return <div className="page-wait" aria-busy="true" />
  const person = (p: { nickname: string; phone: string } | null) =>
    p && (
      <>
        {p.nickname} {p.phone.includes('*') ? p.phone : <a href={`tel:${p.phone}`}>{p.phone}</a>}
      </>
    )
  const alarms = `未办结 ${site.openAlarms} 条，今日新增 ${site.today.alarms} 条`
  const came = site.today.present - site.today.guests
  const guests = site.today.guests ? `，外援 ${site.today.guests} 人` : ''
  const first = site.today.firstIn ? `，最早 ${short(site.today.firstIn).slice(6)}` : ''
  return (
    <>
      <section className="card section site-head">
        <h2>
          {site.ws_name} <SiteState status={site.status} />
          {site.livedIn && <LivedIn />}
          {site.noWork.map((c) => (
            <State key={c} tone="bad">{`无人施工 ${noWork.label(c)}`}</State>
          ))}
          <span className="right">
            <RowActions actions={actionsOf(site)} onDone={() => void refetch()} shown={5} />
            <LogLink object="site" id={site.id} />
          </span>
        </h2>
        <Facts className="site-facts">
          <Fact name="编号">{site.code}</Fact>
          <Fact name="分公司">{`${site.bc_name} ${site.storeName}`}</Fact>
          <Fact name="地址">
            {site.community} {site.address}
          </Fact>
          <Fact name="业主">
            {site.owner && (
              <>
                {site.owner.name}{' '}
                {site.owner.phone && (
                  <Unmasked
                    id={site.id}
                    number={site.owner.phone}
                    what="电话"
                    whose={site.owner.name}
                    needs="site:phone"
                    look={(reason) =>
                      call(sitesApi.phone, { body: { id: site.id, reason } }).then(({ phone }) => phone)
                    }
                  >
                    {(phone) => <a href={`tel:${phone}`}>{phone}</a>}
                  </Unmasked>
                )}
              </>
            )}
          </Fact>
          <Fact name="户型">
            {[site.layout, site.area && `${Number(site.area)} ㎡`, site.style].filter(Boolean).join(' · ')}
          </Fact>
          <Fact name="工期">{termOf(site)}</Fact>
          <Fact name="项目经理">{person(site.manager)}</Fact>
          <Fact name="项目管家">{person(site.steward)}</Fact>
          <Fact name="当前阶段">{site.stage && `${siteStage.label(site.stage)} · ${site.progress}%`}</Fact>
          <SiteContract site={site} />
          <SiteHandover site_id={site.id} />
          <Fact name="整洁度">
            <Tidy result={site.tidiness} />
          </Fact>
          <Fact name="今日">
            {site.today.rests ? '今天休息' : `应到 ${site.today.expected} 人`}
            {`，到 ${came} 人${guests}${first}`}
          </Fact>
          <Fact name="报警">
            {mayAlarm ? (
              <LinkTo page="AlarmEvent" query={{ site_id: site.id, correctionStatus: '1,2' }}>
                {alarms}
              </LinkTo>
            ) : (
              alarms
            )}
          </Fact>
          <WarningsFact site_id={site.id} warnings={warnings} />
        </Facts>
        <Elsewhere site={site} />
      </section>
      <StageSection site={site} warnings={warnings} onDone={() => void refetch()} />
      <div className="two">
        <Timeline site={site.id} />
        <div>
          <Devices site={site} />
          <Team site={site} />
        </div>
      </div>
      {open && <SiteDrawers {...open} onClose={() => setOpen(null)} onDone={() => void refetch()} />}
    </>
  )
}

/** From the day it began, or shall begin, to the day it was over, or shall be. */
function termOf({ startDate, plannedStart, plannedFinish, actualFinish }: SiteDetail): string | null {
  const from = startDate ?? plannedStart
  const to = actualFinish ?? plannedFinish
  if (!from && !to) return null
  return `${from ?? '--'}${startDate ? '' : '（计划）'} 至 ${to ?? '--'}${actualFinish ? '' : '（计划）'}`
}

/** The other pages about this site, for those who may open them. */
function Elsewhere({ site: { id, code, lng, noWork: stopped } }: { site: SiteDetail }) {
  const links = [
    {
      page: 'SiteMap',
      label: '地图上的位置',
      query: { ids: id },
      may: useMayOpen('SiteMap') && lng !== null,
    },
    { page: 'WorkerAttend', label: '出勤记录', query: { site_id: id }, may: useMayOpen('WorkerAttend') },
    { page: 'WorkerList', label: '工人', query: { site_id: id }, may: useMayOpen('WorkerList') },
    { page: 'AlarmEvent', label: '全部报警', query: { site_id: id }, may: useMayOpen('AlarmEvent') },
    { page: 'DeviceList', label: '设备', query: { site_id: id }, may: useMayOpen('DeviceList') },
    { page: 'OrderList', label: '订单', query: { site_id: id }, may: useMayReach('OrderList') },
    {
      page: 'NoWork',
      label: '停工预警',
      query: { keyword: code },
      may: useMayOpen('NoWork') && stopped.length > 0,
    },
  ] as const
  if (!links.some((link) => link.may)) return null
  return (
    <p className="site-links">
      <span className="quiet">这个工地的</span>
      {links.map(
        ({ page, label, query, may }) =>
          may && (
            <LinkTo key={page} page={page} query={query}>
              {label}
            </LinkTo>
          ),
      )}
    </p>
  )
}

function Devices({ site }: { site: SiteDetail }) {
  const [watched, setWatched] = useState<readonly string[]>([])
  const watch = (id: string) =>
    setWatched(watched.includes(id) ? watched.filter((w) => w !== id) : [...watched, id])
  const mayLive = hasPermission(useActor(), 'device:live')
  const mayList = useMayOpen('DeviceList')
  const mayBands = useMayOpen('SiteVidicon')
  const mayLooks = useMayOpen('OwnerVideoaccess')
  const mayRecorded = useMayOpen('videoRecord')
  const over = site.status === siteStatus.code.finished || site.status === siteStatus.code.terminated
  return (
    <section className="card section">
      <h2>
        设备{' '}
        <small>
          {site.devicesOnline}/{site.devicesTotal} 在线
        </small>
        <span className="right">
          {mayBands && (
            <LinkTo page="SiteVidicon" query={{ site_id: site.id }}>
              摄像头在线分析
            </LinkTo>
          )}{' '}
          {mayLooks && (
            <LinkTo page="OwnerVideoaccess" query={{ site_id: site.id }}>
              视频观看记录
            </LinkTo>
          )}
        </span>
      </h2>
      {site.devices.length === 0 && <p className="quiet">没有绑定设备。</p>}
      {over && site.devices.length > 0 && (
        <p className="quiet">
          工地{siteStatus.label(site.status)}，这些设备等待收回
          {mayList && (
            <>
              {'：'}
              <LinkTo page="DeviceList" query={{ retrieval: 'true', site_id: site.id }}>
                去收回
              </LinkTo>
            </>
          )}
        </p>
      )}
      {site.noLook && site.devices.some((d) => d.type === 'camera') && <p className="quiet">{site.noLook}</p>}
      <div className="device-lines">
        {site.devices.map((d) => (
          <p key={d.id}>
            {mayList ? (
              <LinkTo page="DeviceList" query={{ keyword: d.sn }}>
                {d.sn}
              </LinkTo>
            ) : (
              <span>{d.sn}</span>
            )}
            <small>{deviceType.label(d.type)}</small>
            <State tone={DEVICE[d.deviceStatus] ?? 'bad'}>{deviceStatus.label(d.deviceStatus)}</State>
            <small>{ago(d.lastSeen)}</small>
            {mayLive && d.type === 'camera' && (!site.noLook || watched.includes(d.id)) ? (
              <button
                className="text-button"
                aria-pressed={watched.includes(d.id)}
                onClick={() => watch(d.id)}
              >
                {watched.includes(d.id) ? '关闭画面' : '实时预览'}
              </button>
            ) : (
              <span />
            )}
            {mayRecorded && d.type === 'camera' ? (
              <LinkTo page="videoRecord" query={{ device_id: d.id }} target="_blank">
                录像
              </LinkTo>
            ) : (
              <span />
            )}
          </p>
        ))}
      </div>
      <div className="site-live">
        {site.devices.map(
          (d) =>
            watched.includes(d.id) && (
              <figure key={d.id}>
                <CameraLive deviceId={d.id} purpose={viewPurpose.code.patrol} size="full" />
                <figcaption>{d.sn}</figcaption>
              </figure>
            ),
        )}
      </div>
    </section>
  )
}

function Team({ site }: { site: SiteDetail }) {
  const mayWorkers = useActor().roles.includes('WorkerInfo')
  return (
    <section className="card section">
      <h2>
        班组{' '}
        <small>
          {site.team.filter((t) => t.present).length}/{site.team.length} 今日到场
        </small>
      </h2>
      {site.team.length === 0 && <p className="quiet">没有在场工人。</p>}
      <div className="wrapping">
        {site.team.map((t) => (
          <a key={t.id} href={mayWorkers ? hrefOf('WorkerInfo', { id: t.id }) : undefined}>
            <State tone={t.present ? 'ok' : 'grey'}>{`${t.w_name} ${workerType.label(t.w_type)}`}</State>
          </a>
        ))}
      </div>
    </section>
  )
}
