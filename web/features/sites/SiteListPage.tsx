import { sitesApi } from '@zhuguan/contract/features/sites/sites.api.ts'
import { sitesImport } from '@zhuguan/contract/features/sites/sites.import.ts'
import {
  noWork,
  siteDeviceStatus,
  type SiteRow,
  siteStage,
  siteStatus,
  tidinessLevel,
} from '@zhuguan/contract/features/sites/sites.record.ts'
import { hasPermission } from '@zhuguan/contract/kit/permits.ts'
import { PAGES } from '@zhuguan/contract/pages.ts'
import { lazy, Suspense, useState } from 'react'

import { call } from '../../kit/api.ts'
import { writeAddress } from '../../kit/list/address.ts'
import { ExportButton } from '../../kit/list/ExportButton.tsx'
import { type ColumnOf, ListPage } from '../../kit/list/ListPage.tsx'
import { useList } from '../../kit/list/useList.ts'
import { useLiveRows } from '../../kit/list/useLiveRows.ts'
import { usePage } from '../../kit/page.tsx'
import { RowActions } from '../../kit/RowActions.tsx'
import { State, type Tone } from '../../kit/State.tsx'
import { useActor, useMayOpen } from '../../parts/session.ts'
import { SiteFilters } from './SiteFilters.tsx'
import { type OpenSiteDrawer, useSiteActions } from './useSiteActions.ts'

const ImportDrawer = lazy(() => import('../../parts/ImportDrawer.tsx'))
const SiteDrawers = lazy(() => import('./SiteDrawers.tsx'))

export const SITE_TONE: Record<number, Tone> = { 1: 'ok', 2: 'wait', 3: 'grey', 4: 'grey' }
const TIDY: Record<number, Tone> = { 1: 'ok', 2: 'wait', 3: 'bad' }
const columns: ColumnOf<typeof sitesApi.list>[] = [
  { key: 'code', title: '工地编号', fixed: true, sort: 'code', render: (s) => s.code },
  {
    key: 'name',
    title: '工地名称',
    sort: 'ws_name',
    render: (s) => <a href={`#/SiteInfo?id=${s.id}`}>{s.ws_name}</a>,
  },
  {
    key: 'status',
    title: '状态',
    sort: 'status',
    render: (s) => <State tone={SITE_TONE[s.status] ?? 'grey'}>{siteStatus.label(s.status)}</State>,
  },
  { key: 'stage', title: '当前阶段', render: (s) => (s.stage ? siteStage.label(s.stage) : '--') },
  { key: 'progress', title: '进度%', right: true, sort: 'progress', render: (s) => s.progress },
  {
    key: 'alarms',
    title: '未办结报警',
    right: true,
    sort: 'openAlarms',
    render: (s) =>
      s.openAlarms ? (
        <a href={`#/image/AlarmEvent?site_id=${s.id}&correctionStatus=1,2`}>
          <b>{s.openAlarms}</b>
        </a>
      ) : (
        0
      ),
  },
  {
    key: 'nowork',
    title: '连续无人施工',
    sort: 'noWorkRun',
    render: (s) =>
      s.noWork.length ? (
        <State tone={s.noWorkRun > 3 ? 'bad' : 'wait'}>
          {s.noWork.map((c) => noWork.label(c)).join('、')}
        </State>
      ) : (
        '--'
      ),
  },
  {
    key: 'devices',
    title: '设备在线',
    render: (s) =>
      s.devicesTotal ? (
        <span
          title={siteDeviceStatus.label(s.devicesOnline === s.devicesTotal ? 1 : 2)}
          style={s.devicesOnline < s.devicesTotal ? { color: 'var(--bad)' } : undefined}
        >
          {s.devicesOnline}/{s.devicesTotal}
        </span>
      ) : (
        '--'
      ),
  },
  {
    key: 'tidy',
    title: '整洁度',
    sort: 'tidiness',
    render: (s) =>
      s.tidiness ? <State tone={TIDY[s.tidiness]!}>{tidinessLevel.label(s.tidiness)}</State> : '--',
  },
  { key: 'manager', title: '项目经理', render: (s) => s.managerName || '--' },
  { key: 'steward', title: '项目管家', render: (s) => s.stewardName || '--' },
  { key: 'owner', title: '业主', render: (s) => s.ownerName || '--' },
  { key: 'start', title: '开工日期', sort: 'startDate', render: (s) => s.startDate ?? '--' },
  { key: 'finish', title: '计划完工', sort: 'plannedFinish', render: (s) => s.plannedFinish ?? '--' },
  { key: 'bc', title: '分公司', render: (s) => s.bc_name },
  { key: 'store', title: '门店', render: (s) => s.storeName || '--' },
  {
    key: 'place',
    title: '小区/地址',
    render: (s) => (
      <span title={s.address}>
        {s.community} {s.address}
      </span>
    ),
  },
]

export default function SiteListPage() {
  const list = useList(sitesApi.list)
  const page = usePage()
  const actor = useActor()
  const mayMap = useMayOpen('SiteMap')
  const [current, setCurrent] = useState<string | null>(null)
  const [open, setOpen] = useState<OpenSiteDrawer | null>(null)
  const [importing, setImporting] = useState(false)
  const refresh = () => void list.refresh()
  useLiveRows(list, ['site', 'alarm', 'device', 'tidiness'], (e) => e.site_id)
  const may = (label: string) => hasPermission(actor, label)
  const actionsOf = useSiteActions(setOpen)
  const some = ['site:edit', 'site:bind', 'site:state'].some(may)
  return (
    <>
      <ListPage
        name="工地"
        list={list}
        columns={columns}
        current={current}
        onCurrent={setCurrent}
        onOpen={(s) => page.go(`/SiteInfo?id=${s.id}`)}
        empty="还没有工地。新增或签约后会出现在这里。"
        filters={<SiteFilters list={list} />}
        actions={
          <>
            {mayMap && (
              <a
                className="button"
                href={`#${PAGES.SiteMap.path}${writeAddress('', { filters: list.address.filters })}`}
              >
                切换到地图模式
              </a>
            )}
            {may('site:export') && (
              <ExportButton
                endpoint={sitesApi.export}
                filters={list.address.filters}
                total={list.total}
                name="工地"
              />
            )}
            {may('site:import') && (
              <button className="button" onClick={() => setImporting(true)}>
                导入 Excel
              </button>
            )}
            {may('site:add') && (
              <button className="button primary" onClick={() => setOpen({ kind: 'edit', site: null })}>
                新增
              </button>
            )}
          </>
        }
        {...(some
          ? { rowActions: (s: SiteRow) => <RowActions actions={actionsOf(s)} onDone={refresh} shown={2} /> }
          : {})}
      />
      {open && (
        <Suspense fallback={null}>
          <SiteDrawers {...open} onClose={() => setOpen(null)} onDone={refresh} />
        </Suspense>
      )}
      {importing && (
        <Suspense fallback={null}>
          <ImportDrawer def={sitesImport} onClose={() => setImporting(false)} onDone={refresh} />
        </Suspense>
      )}
    </>
  )
}
