import { visitorsApi } from '@zhuguan/contract/features/visitors/visitors.api.ts'
import { type VisitRow, visitState } from '@zhuguan/contract/features/visitors/visitors.record.ts'
import { useState } from 'react'

import { rowsBy } from '../../kit/ahead.ts'
import { lazyPart } from '../../kit/lazyPart.tsx'
import { hrefOf } from '../../kit/LinkTo.tsx'
import { CodeFilter, DayRangeFilter, GivenFilter } from '../../kit/list/filters.tsx'
import { ListPage } from '../../kit/list/ListPage.tsx'
import { useList } from '../../kit/list/useList.ts'
import { useLiveRows } from '../../kit/list/useLiveRows.ts'
import { usePage } from '../../kit/page.tsx'
import { Picture } from '../../kit/Picture.tsx'
import { RowActions } from '../../kit/RowActions.tsx'
import { full, short } from '../../kit/time.ts'
import { ListExport } from '../../parts/listButtons.tsx'
import { BranchFilter, SiteFilter } from '../../parts/places.tsx'
import { useVisitActions } from './useVisitActions.ts'
import type { Opened } from './VisitDrawers.tsx'
import { captionOf, identityOf, StateOf, visitTable } from './visitTable.tsx'

const VisitDrawers = lazyPart(() => import('./VisitDrawers.tsx'))
const VIEWS = [
  ['table', '列表'],
  ['pictures', '看图'],
] as const

/** Fetched when a link to the list is pressed. */
export const ahead = rowsBy(visitorsApi.list)

/** Strangers that cameras saw on sites, and who they turned out to be. */
export default function VisitorListPage() {
  const list = useList(visitorsApi.list)
  const page = usePage()
  const [opened, setOpened] = useState<Opened | null>(null)
  const pictures = new URLSearchParams(page.search).get('view') === 'pictures'
  const actionsOf = useVisitActions(setOpened)
  const refresh = () => void list.refresh()
  useLiveRows(list, ['visitor'], (e) => (e.what === 'raised' ? null : e.id))
  const around = (v: VisitRow) => hrefOf('VisitorVisit', { near: v.id })
  function showAs(view: 'table' | 'pictures') {
    const to = new URLSearchParams(page.search)
    if (view === 'table') to.delete('view')
    else to.set('view', view)
    page.go(`${page.path}?${to.toString()}`, { replace: true })
  }
  return (
    <>
      <ListPage
        name="来访"
        list={list}
        columns={visitTable}
        linkTo={around}
        empty="摄像头还没有上报过陌生人；有人来访时会自动出现在这里。"
        filters={
          <>
            <CodeFilter single list={list} field="state" label="处理状态" options={visitState.options} />
            <BranchFilter list={list} />
            <SiteFilter list={list} />
            <DayRangeFilter seconds list={list} from="from" to="to" label="时间范围" />
            <GivenFilter list={list} field="id" label="来访" value={() => '通知里的这一次'} />
          </>
        }
        actions={
          <>
            <span className="switch" role="group" aria-label="显示方式">
              {VIEWS.map(([v, label]) => (
                <button key={v} aria-pressed={pictures === (v === 'pictures')} onClick={() => showAs(v)}>
                  {label}
                </button>
              ))}
            </span>
            <ListExport list={list} endpoint={visitorsApi.export} name="陌生人来访" />
          </>
        }
        actionsOf={actionsOf}
        onDone={refresh}
      >
        {pictures ? (
          <div className="shots">
            {list.rows.map((v) => (
              <article key={v.id} data-row={v.id} className="shot">
                <Picture picture={v.picture} caption={captionOf(v)} width="100%" />
                <p>
                  <span title={v.siteName}>{v.siteName}</span>
                  <small title={full(v.at)}>{short(v.at)}</small>
                </p>
                <small>
                  停留 {v.minutes} 分钟{v.identity !== null && ` · ${identityOf(v)}`}
                </small>
                <div>
                  <StateOf visit={v} />
                </div>
                <footer>
                  <RowActions
                    actions={[
                      ...actionsOf(v),
                      { key: 'around', label: '前后来访', open: () => page.go(around(v).replace(/^#/, '')) },
                    ]}
                    onDone={refresh}
                    shown={3}
                  />
                </footer>
              </article>
            ))}
          </div>
        ) : undefined}
      </ListPage>
      {opened && (
        <VisitDrawers
          key={opened.kind}
          {...opened}
          open={setOpened}
          onClose={() => setOpened(null)}
          onDone={refresh}
        />
      )}
    </>
  )
}
