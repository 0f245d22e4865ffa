import { useQuery } from '@tanstack/react-query'
import { deviceStatus, deviceType } from '@zhuguan/contract/features/devices/devices.record.ts'
import { sitesApi } from '@zhuguan/contract/features/sites/sites.api.ts'
import {
  noWork,
  type SiteDetail,
  siteStage,
  siteStatus,
  tidinessLevel,
} from '@zhuguan/contract/features/sites/sites.record.ts'
import { workerType } from '@zhuguan/contract/features/workers/workers.record.ts'
import { hasPermission } from '@zhuguan/contract/kit/permits.ts'
import { useState } from 'react'

import { call } from '../../kit/api.ts'
import { Fact, Facts } from '../../kit/Facts.tsx'
import { lazyPart } from '../../kit/lazyPart.tsx'
import { hrefOf, LinkTo } from '../../kit/LinkTo.tsx'
import { Failed } from '../../kit/list/ListPage.tsx'
import { useLive } from '../../kit/live.ts'
import { usePageName, useParam } from '../../kit/page.tsx'
import { RowActions } from '../../kit/RowActions.tsx'
import { State, type Tone } from '../../kit/State.tsx'
import { ago, short } from '../../kit/time.ts'
import { LogLink } from '../../parts/LogLink.tsx'
import { useActor, useMayOpen } from '../../parts/session.ts'
import { StageSection } from './StageSection.tsx'
import { Timeline } from './Timeline.tsx'
import { type OpenSiteDrawer, useSiteActions } from './useSiteActions.ts'

import './sites.css'

const SiteDrawers = lazyPart(() => import('./SiteDrawers.tsx'))
const LiveDrawer = lazyPart(() => import('../../parts/LiveDrawer.tsx'))
const SITE: Record<number, Tone> = {
  [siteStatus.code.building]: 'ok',
  [siteStatus.code.notStarted]: 'wait',
}
const DEVICE: Record<number, Tone> = {
  [deviceStatus.code.online]: 'ok',
  [deviceStatus.code.notEnabled]: 'wait',
}

type Camera = { id: string; sn: string }

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
  const [live, setLive] = useState<Camera | null>(null)
  const [open, setOpen] = useState<OpenSiteDrawer | null>(null)
  const actionsOf = useSiteActions(setOpen)
  const mayMap = useMayOpen('SiteMap')
  useLive(['site', 'alarm', 'device', 'attendance', 'tidiness'], () => refetch(), {
    only: (e) => e.site_id === id,
  })
  if (!id)
    return (
      <div className="empty">
        <h2>没有指定工地</h2>
        <p className="quiet">请从工地列表打开。</p>
      </div>
    )
  if (error) return <Failed error={error} again={() => void refetch()} />
  if (!site) return <div className="page-wait" aria-busy="true" />
  const person = (p: { nickname: string; phone: string } | null) =>
    p && (
      <>
        {p.nickname} {p.phone.includes('*') ? p.phone : <a href={`tel:${p.phone}`}>{p.phone}</a>}
      </>
    )
  const first = site.today.firstIn ? `，最早 ${short(site.today.firstIn).slice(6)}` : ''
  return (
    <>
      <section className="card section">
        <h2>
          {site.ws_name} <State tone={SITE[site.status] ?? 'grey'}>{siteStatus.label(site.status)}</State>
          {site.noWork.map((c) => (
            <State key={c} tone="bad">{`无人施工 ${noWork.label(c)}`}</State>
          ))}{' '}
          <LogLink object="site" id={site.id} />
          <RowActions actions={actionsOf(site)} onDone={() => void refetch()} shown={3} />
        </h2>
        <Facts className="site-facts">
          <Fact name="编号">{site.code}</Fact>
          <Fact name="分公司">{`${site.bc_name} ${site.storeName}`}</Fact>
          <Fact name="地址">
            {site.community} {site.address}{' '}
            {mayMap && site.lng !== null && (
              <LinkTo className="under" page="SiteMap" query={{ ids: site.id }}>
                地图
              </LinkTo>
            )}
          </Fact>
          <Fact name="业主">{site.owner && `${site.owner.name} ${site.owner.phone}`}</Fact>
          <Fact name="户型">{`${site.layout} ${site.area ? `${site.area} ㎡` : ''} ${site.style}`}</Fact>
          <Fact name="工期">{`${site.startDate ?? site.plannedStart ?? '--'} 至 ${site.plannedFinish ?? '--'}`}</Fact>
          <Fact name="项目经理">{person(site.manager)}</Fact>
          <Fact name="项目管家">{person(site.steward)}</Fact>
          <Fact name="当前阶段">{site.stage && `${siteStage.label(site.stage)} · ${site.progress}%`}</Fact>
          {site.outsideContract && <Fact name="合同">{`合同外：${site.outsideContract}`}</Fact>}
          <Fact name="整洁度">{site.tidiness && tidinessLevel.label(site.tidiness)}</Fact>
          <Fact name="今日">{`到场 ${site.today.present}/${site.today.expected} 人${first}`}</Fact>
          <Fact name="报警">
            <LinkTo page="AlarmEvent" query={{ site_id: site.id, correctionStatus: '1,2' }}>
              未整改 {site.openAlarms} 条，今日新增 {site.today.alarms} 条
            </LinkTo>
          </Fact>
        </Facts>
      </section>
      <div className="two">
        <Timeline site={site.id} />
        <div>
          <StageSection site={site} onDone={() => void refetch()} />
          <Devices site={site} onWatch={setLive} />
          <Team site={site} />
        </div>
      </div>
      {open && <SiteDrawers {...open} onClose={() => setOpen(null)} onDone={() => void refetch()} />}
      {live && <LiveDrawer {...live} onClose={() => setLive(null)} />}
    </>
  )
}

function Devices({ site, onWatch }: { site: SiteDetail; onWatch: (device: Camera) => void }) {
  const mayLive = hasPermission(useActor(), 'device:live')
  return (
    <section className="card section">
      <h2>
        设备{' '}
        <small>
          {site.devicesOnline}/{site.devicesTotal} 在线
        </small>
      </h2>
      {site.devices.length === 0 && <p className="quiet">没有绑定设备。</p>}
      <div className="device-lines">
        {site.devices.map((d) => (
          <p key={d.id}>
            <LinkTo page="DeviceList" query={{ keyword: d.sn }}>
              {d.sn}
            </LinkTo>
            <small>{deviceType.label(d.type)}</small>
            <State tone={DEVICE[d.deviceStatus] ?? 'bad'}>{deviceStatus.label(d.deviceStatus)}</State>
            <small>{ago(d.lastSeen)}</small>
            {mayLive && d.type === 'camera' ? (
              <button className="text-button" onClick={() => onWatch(d)}>
                实时预览
              </button>
            ) : (
              <span />
            )}
          </p>
        ))}
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
