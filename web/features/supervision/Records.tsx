import { supervisionApi } from '@zhuguan/contract/features/supervision/supervision.api.ts'
import { recordColumns } from '@zhuguan/contract/features/supervision/supervision.columns.ts'
import {
  evidence,
  type EvidenceRow,
  figure,
} from '@zhuguan/contract/features/supervision/supervision.record.ts'

import { LinkTo } from '../../kit/LinkTo.tsx'
import { columnsOf } from '../../kit/list/columnsOf.tsx'
import { CodeFilter, DayRangeFilter } from '../../kit/list/filters.tsx'
import { ListPage } from '../../kit/list/ListPage.tsx'
import type { List } from '../../kit/list/useList.ts'
import { message } from '../../kit/notices.ts'
import { usePage } from '../../kit/page.tsx'
import { State } from '../../kit/State.tsx'
import { lasting, nowSeconds } from '../../kit/time.ts'
import { ListExport } from '../../parts/listButtons.tsx'
import { useActor } from '../../parts/session.ts'
import { linkOf } from './evidenceLinks.ts'

/** Only who supervises is told that there are some. */
const OWN_FIGURES = figure.options.filter((o) => o.value !== figure.code.kept)
/** The age of what waits, or the time that it took once it is over. */
const tookWords = (r: EvidenceRow, isOpen: boolean) => {
  if (isOpen) return r.since === null ? '--' : `已等 ${lasting(nowSeconds() - r.since)}`
  return r.took === null ? '--' : lasting(r.took)
}
const columnsFor = (isOpen: boolean) =>
  columnsOf<typeof supervisionApi.records>()(recordColumns, {
    title: (r) =>
      r.isReached ? (
        <a href={`#${linkOf(r)}`}>{r.title || evidence.label(r.kind)}</a>
      ) : (
        <span className="quiet">已经交出去</span>
      ),
    kind: (r) => (
      <>
        {evidence.label(r.kind)} {r.bad > 0 && <State tone="bad">{isOpen ? '超期' : '没做好'}</State>}
      </>
    ),
    took: (r) => tookWords(r, isOpen),
  }).map((c) => {
    if (c.key === 'took') return { ...c, title: isOpen ? '等了' : '用时' }
    return c.key === 'at' && isOpen ? { ...c, title: '期限' } : c
  })

/** The records behind one figure of somebody, exactly as many as it says. */
export function Records({ person, list }: { person: string; list: List<typeof supervisionApi.records> }) {
  const page = usePage()
  const actor = useActor()
  const { bc_id, from, to } = list.address.filters
  const name = list.address.filters.figure ?? figure.code.open
  const open = (r: EvidenceRow) =>
    r.isReached ? page.go(linkOf(r)) : message.info('这个工地已经交出去，记录打不开了')
  return (
    <ListPage
      name="记录"
      list={list}
      columns={columnsFor(name === figure.code.open)}
      onOpen={open}
      empty="这段时间没有这样的记录。"
      filters={
        <>
          <LinkTo page="ManageSupervise" query={{ id: person, bc_id, from, to }}>
            ‹ 回到指标
          </LinkTo>
          <CodeFilter
            single
            list={list}
            field="figure"
            label="指标"
            options={person === actor.id ? OWN_FIGURES : figure.options}
          />
          {name !== figure.code.open && name !== figure.code.sites && (
            <DayRangeFilter list={list} from="from" to="to" label="日期（默认近 30 天）" />
          )}
        </>
      }
      actions={<ListExport list={list} endpoint={supervisionApi.recordsExport} name="监督记录" />}
    />
  )
}
