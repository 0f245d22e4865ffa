import { Opener } from '../Floating.tsx'
import { MenuList } from '../MenuList.tsx'
import type { Column } from './ListPage.tsx'

/** Sorting where there is no table head to press. */
export function SortPick<R>({
  list,
  columns,
  order = '默认顺序',
}: {
  list: { address: { sort: string }; sort: (field: string) => void }
  columns: readonly Column<R>[]
  order?: string | undefined
}) {
  const sortable = columns.filter((c) => c.sort)
  if (sortable.length === 0) return null
  const entries = [
    { key: '', label: order },
    ...sortable.flatMap((c) => [
      { key: `-${c.sort}`, label: `${c.title} ↓` },
      { key: c.sort!, label: `${c.title} ↑` },
    ]),
  ]
  const now = entries.find((e) => e.key === list.address.sort)
  return (
    <Opener
      align="end"
      button={
        <button className={`filter${list.address.sort ? ' on' : ''}`}>
          {list.address.sort && now ? now.label : '排序'}
          <i className="caret" />
        </button>
      }
    >
      {(close) => (
        <MenuList
          entries={entries}
          onPick={(key) => {
            close()
            list.sort(key)
          }}
        />
      )}
    </Opener>
  )
}
