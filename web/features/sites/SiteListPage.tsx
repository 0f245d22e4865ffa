import { sitesApi } from '@zhuguan/contract/features/sites/sites.api.ts'
import { siteColumns } from '@zhuguan/contract/features/sites/sites.columns.ts'
import { noWork, siteDeviceStatus } from '@zhuguan/contract/features/sites/sites.record.ts'
import { useState } from 'react'

import { rowsBy } from '../../kit/ahead.ts'
import { lazyPart } from '../../kit/lazyPart.tsx'
import { LinkTo, hrefOf } from '../../kit/LinkTo.tsx'
import { columnsOf } from '../../kit/list/columnsOf.tsx'
import { ListPage } from '../../kit/list/ListPage.tsx'
import { useList } from '../../kit/list/useList.ts'
import { useLiveRows } from '../../kit/list/useLiveRows.ts'
import { State } from '../../kit/State.tsx'
import { Granted } from '../../parts/granted.tsx'
import { ListExport, ListImport } from '../../parts/listButtons.tsx'
import { useMayOpen } from '../../parts/session.ts'
import { Tidy } from '../../parts/Tidy.tsx'
import { SiteFilters } from './SiteFilters.tsx'
import { LivedIn, SiteState } from './siteStates.tsx'
import { type OpenSiteDrawer, useSiteActions } from './useSiteActions.ts'

const load = () => import('@zhuguan/contract/features/sites/sites.import.ts').then((m) => m.sitesImport)

const SiteDrawers = lazyPart(() => import('./SiteDrawers.tsx'))

const columns = columnsOf<typeof sitesApi.list>()(siteColumns, {
  name: (s) => (
    <LinkTo page="SiteInfo" query={{ id: s.id }}>
      {s.ws_name}
    </LinkTo>
  ),
  status: (s) => (
    <>
      <SiteState status={s.status} /> {s.livedIn && <LivedIn />}
    </>
  ),
  alarms: (s) =>
    s.openAlarms ? (
      <LinkTo page="AlarmEvent" query={{ site_id: s.id, correctionStatus: '1,2' }}>
        <b>{s.openAlarms}</b>
      </LinkTo>
    ) : (
      0
    ),
  nowork: (s) =>
    s.noWork.length ? (
      <State tone={s.noWorkRun > 3 ? 'bad' : 'wait'}>{s.noWork.map(noWork.label).join('、')}</State>
    ) : (
      '--'
    ),
  devices: (s) =>
    s.devicesTotal ? (
      <span
        title={siteDeviceStatus.label(s.devicesOnline === s.devicesTotal ? 1 : 2)}
        className={s.devicesOnline < s.devicesTotal ? 'bad' : undefined}
      >
        {s.devicesOnline}/{s.devicesTotal}
      </span>
    ) : (
      '--'
    ),
  tidy: (s) => <Tidy result={s.tidiness} />,
  place: (s) => (
    <span title={s.address}>
      {s.community} {s.address}
    </span>
  ),
})

/** Fetched when a link to the list is pressed. */
export const ahead = rowsBy(sitesApi.list)

export default function SiteListPage() {
  const list = useList(sitesApi.list)
  const mayMap = useMayOpen('SiteMap')
  const [open, setOpen] = useState<OpenSiteDrawer | null>(null)
  const refresh = () => void list.refresh()
  useLiveRows(list, ['site', 'alarm', 'device', 'tidiness'], (e) => e.site_id)
  const actionsOf = useSiteActions(setOpen)
  return (
    <>
      <ListPage
        name="工地"
        list={list}
        columns={columns}
        linkTo={(s) => hrefOf('SiteInfo', { id: s.id })}
        empty="还没有工地。新增或签约后会出现在这里。"
        filters={<SiteFilters list={list} />}
        actions={
          <>
            {mayMap && (
              <a className="button" href={hrefOf('SiteMap', list.address.filters)}>
                切换到地图模式
              </a>
            )}
            <ListExport list={list} endpoint={sitesApi.export} name="工地" />
            <ListImport list={list} needs="site:import" load={load} />
            <Granted needs="site:add">
              <button className="button primary" onClick={() => setOpen({ kind: 'edit', site: null })}>
                新增
              </button>
            </Granted>
          </>
        }
        actionsOf={actionsOf}
      />
      {open && <SiteDrawers {...open} onClose={() => setOpen(null)} onDone={refresh} />}
    </>
  )
}
