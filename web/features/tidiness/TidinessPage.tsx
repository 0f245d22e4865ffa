import { useQueryClient } from '@tanstack/react-query'
import { correctionStatus } from '@zhuguan/contract/features/alarms/alarms.record.ts'
import { tidinessResult } from '@zhuguan/contract/features/sites/sites.record.ts'
import { correctRefusal } from '@zhuguan/contract/features/tidiness/tidiness.actions.ts'
import { tidinessApi } from '@zhuguan/contract/features/tidiness/tidiness.api.ts'
import { tidinessColumns } from '@zhuguan/contract/features/tidiness/tidiness.columns.ts'
import { type TidinessRow, tidinessSource } from '@zhuguan/contract/features/tidiness/tidiness.record.ts'
import { principalPost } from '@zhuguan/contract/features/users/users.record.ts'
import { useState } from 'react'

import { rowsBy } from '../../kit/ahead.ts'
import { barePart } from '../../kit/barePart.tsx'
import { withControls } from '../../kit/Controls.tsx'
import { lazyPart } from '../../kit/lazyPart.tsx'
import { LinkTo } from '../../kit/LinkTo.tsx'
import { columnsOf, NOTHING } from '../../kit/list/columnsOf.tsx'
import { CodeFilter, DayRangeFilter } from '../../kit/list/filters.tsx'
import { ListPage } from '../../kit/list/ListPage.tsx'
import { useList } from '../../kit/list/useList.ts'
import { useLiveRows } from '../../kit/list/useLiveRows.ts'
import { useQueue } from '../../kit/list/useQueue.ts'
import { usePage } from '../../kit/page.tsx'
import { Picture } from '../../kit/Picture.tsx'
import type { RowAction } from '../../kit/RowActions.tsx'
import { full } from '../../kit/time.ts'
import { useOpened } from '../../kit/useOpened.ts'
import { useGranted } from '../../parts/granted.tsx'
import { ListExport } from '../../parts/listButtons.tsx'
import { BranchFilter, PersonFilter, SiteFilter } from '../../parts/places.tsx'
import { Tidy } from '../../parts/Tidy.tsx'
import { MissedChecks } from './MissedChecks.tsx'
import { TidinessShots } from './TidinessShots.tsx'
import { Change, Judged, seenBy } from './words.tsx'

import './tidiness.css'

const TidinessPanel = lazyPart(() => import('./TidinessPanel.tsx'))
const CorrectDrawer = lazyPart(() => import('./CorrectDrawer.tsx'))
const JudgeDrawer = lazyPart(() => import('./JudgeDrawer.tsx'))
/** With its charts: whoever sees the list or the pictures does not wait for them. */
const TidinessTrend = barePart(() => import('./TidinessTrend.tsx'))

const columns = columnsOf<typeof tidinessApi.list>()(tidinessColumns, {
  picture: (t) => (
    <Picture picture={t.picture} caption={`${seenBy(t)} ${full(t.at)}`} width={54} height={30} />
  ),
  name: (t) => (
    <LinkTo page="SiteInfo" query={{ id: t.site_id }}>
      {t.siteName}
    </LinkTo>
  ),
  status: (t) => <Tidy result={t.result} />,
  change: (t) => <Change check={t} />,
  correction: (t) =>
    t.correction_id === null ? (
      NOTHING
    ) : (
      <LinkTo page="Correction" query={{ id: t.correction_id }}>
        {correctionStatus.label(t.correctionStatus)}
      </LinkTo>
    ),
  judged: (t) => <Judged check={t} />,
})
const VIEWS = [
  ['table', '列表'],
  ['pictures', '看图'],
  ['trend', '趋势'],
] as const
type View = (typeof VIEWS)[number][0]

/** Fetched when a link to the list is pressed. */
export const ahead = rowsBy(tidinessApi.list)

function TidinessPage() {
  const list = useList(tidinessApi.list)
  const client = useQueryClient()
  const page = usePage()
  const granted = useGranted()
  const [opened, show] = useOpened()
  const queue = useQueue(list, [opened, show])
  const { current, onCurrent } = queue
  const [judging, setJudging] = useState<TidinessRow | null>(null)
  const [correcting, setCorrecting] = useState<TidinessRow | null>(null)
  const asked = new URLSearchParams(page.search).get('view')
  const view: View = VIEWS.find(([v]) => v === asked)?.[0] ?? 'table'
  const refresh = () => {
    queue.done()
    for (const { path } of [tidinessApi.details, tidinessApi.trend])
      void client.invalidateQueries({ queryKey: [path] })
  }
  // What is told of a new check names its site: the page is asked for a little later.
  useLiveRows(list, ['tidiness'], (e) => e.id)
  function open(check: TidinessRow) {
    onCurrent(check.id)
    show(check.id)
  }
  function showAs(to: View) {
    const search = new URLSearchParams(page.search)
    if (to === 'table') search.delete('view')
    else search.set('view', to)
    page.go(`${page.path}?${search.toString()}`, { replace: true })
  }
  const actionsOf = (check: TidinessRow): RowAction[] =>
    granted([
      { needs: 'tidiness:judge', key: 'judge', label: '改判', open: () => setJudging(check) },
      ...(check.result === tidinessResult.code.poor || check.correction_id !== null
        ? [
            {
              needs: 'tidiness:correct',
              key: 'correct',
              label: '生成整改',
              why: correctRefusal(check),
              open: () => setCorrecting(check),
            },
          ]
        : []),
    ])
  const shapes = {
    table: undefined,
    pictures: (
      <TidinessShots
        rows={list.rows}
        current={current}
        actionsOf={actionsOf}
        onOpen={open}
        onDone={refresh}
      />
    ),
    trend: <TidinessTrend list={list} />,
  }

  return (
    <div className={`tidiness-page ${view}`}>
      <MissedChecks list={list} />
      <ListPage
        name="整洁度检查"
        list={list}
        columns={columns}
        current={current}
        onCurrent={onCurrent}
        onOpen={open}
        empty="摄像头还没有上报过整洁度；有新的检查时会自动出现在这里。"
        filters={
          <>
            {view !== 'trend' && (
              <CodeFilter list={list} field="result" label="结果" options={tidinessResult.options} />
            )}
            <BranchFilter list={list} />
            <SiteFilter list={list} />
            <PersonFilter list={list} field="manager_id" label="项目经理" post={principalPost.code.manager} />
            <PersonFilter list={list} field="steward_id" label="项目管家" post={principalPost.code.steward} />
            <CodeFilter list={list} field="source" label="来源" options={tidinessSource.options} />
            <DayRangeFilter seconds list={list} from="from" to="to" label="时间范围" />
          </>
        }
        actions={
          <>
            <span className="switch" role="group" aria-label="显示方式">
              {VIEWS.map(([v, label]) => (
                <button key={v} aria-pressed={view === v} onClick={() => showAs(v)}>
                  {label}
                </button>
              ))}
            </span>
            <ListExport list={list} endpoint={tidinessApi.export} name="整洁度检查" />
          </>
        }
        actionsOf={actionsOf}
        onDone={refresh}
      >
        {shapes[view]}
      </ListPage>
      {opened && (
        <TidinessPanel
          id={opened}
          queue={queue}
          row={list.rows.find((r) => r.id === opened)}
          actionsOf={actionsOf}
          onOpen={show}
          onDone={refresh}
          onClose={() => show(null)}
        />
      )}
      {correcting && (
        <CorrectDrawer check={correcting} onClose={() => setCorrecting(null)} onDone={refresh} />
      )}
      {judging && <JudgeDrawer check={judging} onClose={() => setJudging(null)} onDone={refresh} />}
    </div>
  )
}

export default withControls(TidinessPage)
