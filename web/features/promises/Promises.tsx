import { promisesApi } from '@zhuguan/contract/features/promises/promises.api.ts'
import { promiseState, promiseSubject } from '@zhuguan/contract/features/promises/promises.record.ts'
import { type ReactNode, useState } from 'react'

import { lazyPart } from '../../kit/lazyPart.tsx'
import { CodeFilter, DayRangeFilter, GivenFilter, KeywordFilter } from '../../kit/list/filters.tsx'
import { ListPage } from '../../kit/list/ListPage.tsx'
import type { List } from '../../kit/list/useList.ts'
import { useLiveRows } from '../../kit/list/useLiveRows.ts'
import { Granted } from '../../parts/granted.tsx'
import { ListExport } from '../../parts/listButtons.tsx'
import { BranchFilter, PersonFilter, SiteFilter } from '../../parts/places.tsx'
import { promiseTable } from './promiseTable.tsx'
import { Rates } from './Rates.tsx'
import { type Asking, usePromiseActions } from './usePromiseActions.ts'

import './promises.css'

const PromisePanel = lazyPart(() => import('./PromisePanel.tsx'))
const PromiseDrawer = lazyPart(() => import('../../parts/PromiseDrawer.tsx'))
const ActDrawers = lazyPart(() => import('./ActDrawers.tsx'))
const OF_SITE = ['site', 'bc', 'owner']

/** Promises with what may be done to them: all, or those of one home. */
export function Promises({
  list,
  about,
  site_id,
  empty,
}: {
  list: List<typeof promisesApi.list>
  about?: ReactNode
  site_id?: string
  empty: string
}) {
  const [opened, setOpened] = useState<string | null>(null)
  const [adding, setAdding] = useState(false)
  const [asking, setAsking] = useState<Asking | null>(null)
  const [mark, setMark] = useState(0)
  const actionsOf = usePromiseActions(setAsking)
  const refresh = () => {
    setMark((n) => n + 1)
    void list.refresh()
  }
  useLiveRows(list, ['promise'], (e) => e.id)
  const shown = list.rows.find((p) => p.id === opened)
  return (
    <div className="promises">
      <Rates filters={list.address.filters} mark={mark} />
      <ListPage
        name="承诺"
        list={list}
        columns={promiseTable.filter((c) => !site_id || !OF_SITE.includes(c.key))}
        onOpen={(p) => setOpened(p.id)}
        empty={empty}
        order={['没兑现的在前', '没兑现的按到期先后在前，办完的在后']}
        filters={
          <>
            {about}
            <KeywordFilter list={list} placeholder="承诺内容" />
            <CodeFilter list={list} field="state" label="状态" options={promiseState.options} />
            <PersonFilter list={list} field="author_id" label="承诺人" />
            <PersonFilter list={list} field="responsible_id" label="责任人" />
            {!site_id && <BranchFilter list={list} />}
            {!site_id && <SiteFilter list={list} />}
            <DayRangeFilter list={list} from="from" to="to" label="到期范围" />
            <CodeFilter list={list} field="subject" label="事项" options={promiseSubject.options} />
            <CodeFilter
              single
              list={list}
              field="objected"
              label="异议"
              options={[{ value: 'true', label: '有异议' }]}
            />
            <GivenFilter list={list} field="id" label="承诺" value={() => '指定的一条'} />
          </>
        }
        actions={
          <>
            <ListExport list={list} endpoint={promisesApi.export} name="承诺管理" />
            <Granted needs="promise:add">
              <button className="button primary" onClick={() => setAdding(true)}>
                新增
              </button>
            </Granted>
          </>
        }
        actionsOf={actionsOf}
        onDone={refresh}
      />
      {shown && (
        <PromisePanel
          row={shown}
          actions={actionsOf(shown)}
          onDone={refresh}
          onClose={() => setOpened(null)}
        />
      )}
      {adding && <PromiseDrawer site_id={site_id} onClose={() => setAdding(false)} onDone={refresh} />}
      {asking && <ActDrawers {...asking} onClose={() => setAsking(null)} onDone={refresh} />}
    </div>
  )
}
