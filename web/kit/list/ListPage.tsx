import type { ListEndpoint, RowOf, SortOf } from '@zhuguan/contract/kit/paging.ts'
import { type ReactNode, useRef, useState } from 'react'

import { ApiError } from '../api.ts'
import { usePage } from '../page.tsx'
import { type RowAction, RowActions } from '../RowActions.tsx'
import { usePhone } from '../usePhone.ts'
import { countFilters } from './address.ts'
import { ColumnChooser } from './ColumnChooser.tsx'
import { FilterRow } from './FilterRow.tsx'
import { ListCards } from './ListCards.tsx'
import { ListTable } from './ListTable.tsx'
import { Pager } from './Pager.tsx'
import { SortPick } from './SortPick.tsx'
import { useColumns } from './useColumns.ts'
import type { List } from './useList.ts'
import { useListKeys } from './useListKeys.ts'
import { ViewMenu } from './ViewMenu.tsx'

import './list.css'

/** A column of a list's table. */
export type ColumnOf<E extends ListEndpoint> = Column<RowOf<E>, SortOf<E>>
export interface Column<R, S extends string = string> {
  key: string
  title: string
  render: (row: R) => ReactNode
  right?: boolean
  /** The server's name for sorting by it. */
  sort?: S
  /** Cannot be hidden. */
  fixed?: boolean
  /** Only where the window is wide, unless somebody asks for it. */
  wide?: boolean
  /** The place on a phone's card; otherwise among the facts with its name. What is fixed is a title as well. */
  card?: 'title' | 'line' | 'badge' | 'picture' | 'none'
}
interface Props<E extends ListEndpoint> {
  name: string
  list: List<E>
  columns: ColumnOf<E>[]
  filters: ReactNode
  actions?: ReactNode
  batch?: ReactNode
  /** Whether a row can be selected; without it every row can. */
  mayPick?: (row: RowOf<E>) => boolean
  /** The further look of a row: where a group begins, what is out of question. */
  classOf?: (row: RowOf<E>) => string
  /** The commands of a row; where nothing may be done to any, there is no column for it. */
  actionsOf?: (row: RowOf<E>) => RowAction[]
  /** After one of them, instead of reading the list anew. */
  onDone?: () => void
  /** Opens the row in place. */
  onOpen?: (row: RowOf<E>) => void
  /** Where the row stands by itself: its first column leads there, and so does a click beside it. */
  linkTo?: (row: RowOf<E>) => string
  /** A second shape over the same rows (pictures, cards) instead of the table. */
  children?: ReactNode
  empty: string
  /** The order of the rows when no column is sorted by, where that needs a word: a short one and the whole rule. */
  order?: readonly [short: string, rule: string]
  /** The row that the keyboard stands on, where the page wants to know it. */
  current?: string | null
  onCurrent?: (id: string) => void
}

/** The buttons of a row; nothing where no row of the page has any. */
function buttonsOf<E extends ListEndpoint>({ actionsOf, list, onDone }: Props<E>, phone: boolean) {
  if (!actionsOf || !list.rows.some((row) => actionsOf(row).length > 0)) return undefined
  const done = onDone ?? (() => void list.refresh())
  return (row: RowOf<E>) => <RowActions actions={actionsOf(row)} onDone={done} shown={2} bar={phone} />
}

/** Picks a row or lets go of it; nothing where rows are not picked. */
function pickerOf<E extends ListEndpoint>({ batch, list, mayPick = () => true }: Props<E>) {
  if (!batch) return undefined
  const { selected, select } = list
  return (row: RowOf<E>) =>
    mayPick(row) &&
    select(selected.includes(row.id) ? selected.filter((id) => id !== row.id) : [...selected, row.id])
}

/** The name that every list gives the column of the branch. */
const BRANCH = 'bc'

export function ListPage<E extends ListEndpoint>(p: Props<E>) {
  const { list } = p
  const page = usePage()
  const box = useRef<HTMLDivElement>(null)
  const phone = usePhone()
  const chosen = useColumns(
    `columns${list.endpoint.path.replaceAll('/', '.')}`,
    page.oneBranch ? p.columns.filter((c) => c.key !== BRANCH) : p.columns,
    list.address.cols,
    list.ownColumns,
  )
  const columns = chosen.shown
  const [own, setOwn] = useState<string | null>(null)
  const current = p.onCurrent ? p.current : own
  const onCurrent = p.onCurrent ?? setOwn
  const open = p.onOpen ?? (p.linkTo && ((row: RowOf<E>) => page.go(p.linkTo!(row).replace(/^#/, ''))))
  const active = countFilters(list.chosen)
  const none = !list.first && list.rows.length === 0

  useListKeys(box, list.rows, { current, onCurrent, open, pick: pickerOf(p) })
  const Rows = phone ? ListCards : ListTable

  return (
    <section className="card list" ref={box} aria-busy={list.busy}>
      <div className="list-bar">
        <FilterRow>
          {phone && <SortPick list={list} columns={p.columns} order={p.order?.[0]} />}
          {p.filters}
        </FilterRow>
        {active > 0 && (
          <button className="text-button" onClick={list.clear}>
            清除 {active} 个条件
          </button>
        )}
        {p.actions}
        <ViewMenu cols={chosen.text} />
        {!p.children && !phone && <ColumnChooser columns={chosen} />}
      </div>
      {list.error && <Failed error={list.error} again={() => void list.refresh()} />}
      {!list.error && none && <Nothing active={active} empty={p.empty} onClear={list.clear} />}
      {!list.error &&
        !none &&
        (p.children ?? (
          <Rows
            name={p.name}
            list={list}
            columns={columns}
            isPinned={chosen.isPinned}
            selectable={!!p.batch}
            mayPick={p.mayPick}
            classOf={p.classOf}
            rowActions={buttonsOf(p, phone)}
            onOpen={open}
            linkTo={p.linkTo}
            current={current}
            onCurrent={onCurrent}
          />
        ))}
      <Foot list={list} batch={p.batch} order={phone ? undefined : p.order} />
    </section>
  )
}

/** The selection and its commands, the order of the rows, the pages. */
function Foot<E extends ListEndpoint>({
  list,
  batch,
  order,
}: { list: List<E> } & Pick<Props<E>, 'batch' | 'order'>) {
  const { sort, pageNo, pageSize } = list.address
  const selects = !!batch && list.selected.length > 0
  return (
    <div className="pager">
      {selects && (
        <span className="selected">
          已选 {list.selected.length} 项 {batch}
          <button className="text-button" onClick={() => list.select([])}>
            取消选择
          </button>
        </span>
      )}
      {order && !selects && (
        <small className="order" title={order[1]}>
          {sort ? (
            <button className="text-button" onClick={() => list.sort('')}>
              恢复{order[0]}
            </button>
          ) : (
            order[0]
          )}
        </small>
      )}
      <Pager
        pageNo={pageNo}
        pageSize={pageSize}
        total={list.first || list.error ? undefined : list.total}
        onTurn={list.turn}
      />
    </div>
  )
}

const Nothing = ({ active, empty, onClear }: { active: number; empty: string; onClear: () => void }) => (
  <div className="empty">
    <h2>{active ? '没有符合条件的记录' : '没有记录'}</h2>
    <p className="quiet">{active ? '换一个条件，或清除条件再看。' : empty}</p>
    {active > 0 && (
      <button className="button" onClick={onClear}>
        清除条件
      </button>
    )}
  </div>
)

/** What is not theirs stays so, however often they ask. */
const FINAL: readonly number[] = [401, 403]
export const Failed = ({ error, again }: { error: Error; again: () => void }) => (
  <div className="empty" role="alert">
    <h2>没有读到数据</h2>
    <p className="quiet">{error.message}</p>
    {!(error instanceof ApiError && FINAL.includes(error.code)) && (
      <button className="button" onClick={again}>
        重试
      </button>
    )}
  </div>
)
