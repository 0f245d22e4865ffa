import { useQuery } from '@tanstack/react-query'
import { ownersApi } from '@zhuguan/contract/features/owners/owners.api.ts'
import { receptionActions } from '@zhuguan/contract/features/receptions/receptions.actions.ts'
import { receptionsApi } from '@zhuguan/contract/features/receptions/receptions.api.ts'
import { receptionColumns } from '@zhuguan/contract/features/receptions/receptions.columns.ts'
import {
  overdueVisit,
  type ReceptionRow,
  receptionState,
} from '@zhuguan/contract/features/receptions/receptions.record.ts'
import { LOW_SCORE } from '@zhuguan/contract/kit/score.ts'
import { type ComponentProps, useState } from 'react'

import { actionsOf } from '../../kit/actionsOf.ts'
import { call } from '../../kit/api.ts'
import { lazyPart } from '../../kit/lazyPart.tsx'
import { columnsOf, NOTHING } from '../../kit/list/columnsOf.tsx'
import { CodeFilter } from '../../kit/list/filters.tsx'
import { ListPage } from '../../kit/list/ListPage.tsx'
import { useList } from '../../kit/list/useList.ts'
import { useLiveRows } from '../../kit/list/useLiveRows.ts'
import { NoSubject } from '../../kit/NoSubject.tsx'
import { usePageName } from '../../kit/page.tsx'
import { Picture } from '../../kit/Picture.tsx'
import { State, type Tone } from '../../kit/State.tsx'
import { full, short } from '../../kit/time.ts'
import { Granted } from '../../parts/granted.tsx'
import { ListExport } from '../../parts/listButtons.tsx'
import { ScoreOf } from '../../parts/ScoreOf.tsx'
import { useActor } from '../../parts/session.ts'
import { ScoreRates } from './ScoreRates.tsx'

import './receptions.css'

const ReceptionDrawer = lazyPart(() => import('../../parts/ReceptionDrawer.tsx'))
const ReceptionDrawers = lazyPart(() => import('./ReceptionDrawers.tsx'))
type Asking = ComponentProps<typeof ReceptionDrawers>['kind']
const TONE: Readonly<Record<string, Tone>> = { planned: 'wait', arrived: 'ok', missed: 'bad' }
const toCall = (r: ReceptionRow) => r.score !== null && r.score <= LOW_SCORE && !r.calledBack
const table = columnsOf<typeof receptionsApi.list>()(receptionColumns, {
  at: (r) => <span title={full(r.at)}>{`${short(r.at)}${r.planned ? '' : '（未预约）'}`}</span>,
  remark: (r) => (
    <>
      {r.remark || (r.pictures.length > 0 ? '' : NOTHING)}
      {r.pictures.length > 0 && (
        <div className="reception-shots">
          {r.pictures.map((key) => (
            <Picture
              key={key}
              picture={key}
              caption={`业主留言里的照片 ${full(r.at)}`}
              width={72}
              height={54}
            />
          ))}
        </div>
      )}
    </>
  ),
  record: (r) => (
    <>
      {r.record || NOTHING}
      {r.scoreWords && <p className="quiet">业主评分时说：{r.scoreWords}</p>}
    </>
  ),
  score: (r) => (
    <>
      {toCall(r) && <State tone="bad">待回访</State>} <ScoreOf of={r} />
    </>
  ),
  host: (r) => r.hostName || <State tone="bad">没有人接待</State>,
  state: (r) => (
    <>
      <State tone={TONE[r.state] ?? 'grey'}>{receptionState.label(r.state)}</State>{' '}
      {r.overdue && <State tone="bad">{overdueVisit(r)}</State>}
    </>
  ),
})

/** The visits of a home to the site, the hosts, and what was said. */
export default function OwnerVisitPage() {
  const list = useList(receptionsApi.list, { about: 'site_id' })
  const { site_id } = list.address.filters
  const actor = useActor()
  const [adding, setAdding] = useState(false)
  const [asking, setAsking] = useState<{ kind: Asking; reception: ReceptionRow } | null>(null)
  const { data: home } = useQuery({
    queryKey: [ownersApi.details.path, site_id],
    enabled: !!site_id,
    queryFn: ({ signal }) => call(ownersApi.details, { query: { site_id: site_id! } }, signal),
  })
  usePageName(home?.ws_name)
  useLiveRows(list, ['reception'], (e) => e.id)
  if (!site_id) return <NoSubject what="业主" from="业主列表" />
  const owner = home?.contacts.find((c) => c.signatory && c.endedAt === null)
  const refresh = () => void list.refresh()
  const ofRow = (r: ReceptionRow) => {
    const one = { id: r.id, version: r.version }
    const what = `${full(r.at)}的到访`
    return actionsOf(receptionActions, r, actor, {
      arrive: { run: () => call(receptionsApi.arrive, { body: one }) },
      finish: {
        confirm: `完成${what}：请写下看了什么、说了什么`,
        run: (reason) => call(receptionsApi.finish, { body: { ...one, reason } }),
      },
      miss: {
        confirm: `${what}没有人来：请写明原因，业主看得到`,
        run: (reason) => call(receptionsApi.miss, { body: { ...one, reason } }),
      },
      score: { open: () => setAsking({ kind: 'score', reception: r }) },
      callback: { open: () => setAsking({ kind: 'callback', reception: r }) },
      host: { open: () => setAsking({ kind: 'host', reception: r }) },
      cancel: {
        confirm: `取消${what}：请写明原因${r.state === 'planned' ? '' : '（录错了什么）'}，业主看得到`,
        run: (reason) => call(receptionsApi.cancel, { body: { ...one, reason } }),
      },
    })
  }
  return (
    <div className="receptions">
      <ScoreRates site_id={site_id} mark={list.rows.reduce((n, r) => n + r.version, 0)} />
      <ListPage
        name="到访"
        list={list}
        columns={table}
        empty="还没有到访。业主要来看工地时先约好时间和接待人；已经在门口的，登记时不填时间。"
        filters={
          <>
            {home && <b className="about">{[owner?.name, home.ws_name].filter(Boolean).join(' · ')}</b>}
            <CodeFilter list={list} field="state" label="状态" options={receptionState.options} />
          </>
        }
        actions={
          <>
            <ListExport list={list} endpoint={receptionsApi.export} name="业主到访" />
            <Granted needs="reception:edit">
              <button className="button primary" onClick={() => setAdding(true)}>
                登记到访
              </button>
            </Granted>
          </>
        }
        actionsOf={ofRow}
        onDone={refresh}
      />
      {asking && <ReceptionDrawers {...asking} onClose={() => setAsking(null)} onDone={refresh} />}
      {adding && (
        <ReceptionDrawer
          site_id={site_id}
          host_id={home?.steward_id ?? null}
          onClose={() => setAdding(false)}
          onDone={refresh}
        />
      )}
    </div>
  )
}
