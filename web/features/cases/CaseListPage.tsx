import { useQuery } from '@tanstack/react-query'
import { casesApi } from '@zhuguan/contract/features/cases/cases.api.ts'
import { caseLack, type CaseRow, caseState } from '@zhuguan/contract/features/cases/cases.record.ts'
import { hasPermission } from '@zhuguan/contract/kit/permits.ts'
import { useMemo, useState } from 'react'

import { rowsBy } from '../../kit/ahead.ts'
import { call } from '../../kit/api.ts'
import { lazyPart } from '../../kit/lazyPart.tsx'
import { CodeFilter, GivenFilter, KeywordFilter } from '../../kit/list/filters.tsx'
import { ListPage } from '../../kit/list/ListPage.tsx'
import { useList } from '../../kit/list/useList.ts'
import { useLiveRows } from '../../kit/list/useLiveRows.ts'
import { Granted } from '../../parts/granted.tsx'
import { ListExport } from '../../parts/listButtons.tsx'
import { BranchFilter, SiteFilter } from '../../parts/places.tsx'
import { useActor } from '../../parts/session.ts'
import { caseTable, nextDrawer } from './caseTable.tsx'
import { Proposals } from './Proposals.tsx'
import { type Asking, useCaseActions } from './useCaseActions.ts'

import './cases.css'

const CasePanel = lazyPart(() => import('./CasePanel.tsx'))
const CaseDrawers = lazyPart(() => import('./CaseDrawers.tsx'))

/** Fetched when a link to the list is pressed. */
export const ahead = rowsBy(casesApi.list)

/** Homes that are shown, or could be: how far each is, and what it still wants. */
export default function CaseListPage() {
  const list = useList(casesApi.list)
  const [opened, setOpened] = useState<string | null>(null)
  const [masking, setMasking] = useState(false)
  const [adding, setAdding] = useState<{ site_id: string | null } | null>(null)
  const [asking, setAsking] = useState<Asking | null>(null)
  const actionsOf = useCaseActions(setAsking)
  const proposals = useQuery({
    queryKey: [casesApi.proposals.path],
    queryFn: ({ signal }) => call(casesApi.proposals, { query: {} }, signal),
  })
  const refresh = () => {
    void list.refresh()
    void proposals.refetch()
  }
  useLiveRows(list, ['case'], (e) => e.id)
  const mayEdit = hasPermission(useActor(), 'case:edit')
  const columns = useMemo(
    () =>
      caseTable((k) => {
        const kind = mayEdit ? nextDrawer(k) : undefined
        if (kind) return setAsking({ kind, of: k })
        setMasking(k.raw + k.masked > 0)
        setOpened(k.id)
      }),
    [mayEdit],
  )
  const open = (k: CaseRow) => {
    setMasking(false)
    setOpened(k.id)
  }
  const shown = list.rows.find((k) => k.id === opened)
  const offered = (words: readonly string[] = []) => words.map((value) => ({ value, label: value }))
  return (
    <div className="cases">
      {proposals.data && (
        <Proposals
          of={proposals.data}
          onFilter={(...pairs) => list.filter(...pairs)}
          onAdd={(site_id) => setAdding({ site_id })}
        />
      )}
      <ListPage
        name="案例"
        list={list}
        columns={columns}
        onOpen={open}
        empty="还没有案例。从工地生成一个：选照片、打码，请业主看过同意后才能公开。"
        filters={
          <>
            <KeywordFilter list={list} placeholder="标题、工地" />
            <CodeFilter list={list} field="state" label="状态" options={caseState.options} />
            <CodeFilter
              single
              list={list}
              field="style"
              label="风格"
              options={offered(proposals.data?.styles)}
            />
            <CodeFilter
              single
              list={list}
              field="layout"
              label="户型"
              options={offered(proposals.data?.layouts)}
            />
            <BranchFilter list={list} />
            <SiteFilter list={list} />
            <CodeFilter
              single
              list={list}
              field="soon"
              label="今天可以发布"
              options={[{ value: 'true', label: '可以发布' }]}
            />
            <CodeFilter single list={list} field="lack" label="还差" options={caseLack.options} />
            <GivenFilter list={list} field="id" label="案例" value={() => '指定的一个'} />
          </>
        }
        actions={
          <>
            <ListExport list={list} endpoint={casesApi.export} name="案例管理" />
            <Granted needs="case:add">
              <button className="button primary" onClick={() => setAdding({ site_id: null })}>
                从工地生成
              </button>
            </Granted>
          </>
        }
        actionsOf={actionsOf}
        onDone={refresh}
      />
      {shown && (
        <CasePanel
          key={`${shown.id} ${masking}`}
          masks={masking}
          row={shown}
          actions={actionsOf(shown)}
          onDone={refresh}
          onClose={() => setOpened(null)}
        />
      )}
      {adding && (
        <CaseDrawers kind="add" site_id={adding.site_id} onClose={() => setAdding(null)} onDone={refresh} />
      )}
      {asking && <CaseDrawers {...asking} onClose={() => setAsking(null)} onDone={refresh} />}
    </div>
  )
}
