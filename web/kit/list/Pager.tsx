import { PAGE_SIZES } from '@zhuguan/contract/kit/paging.ts'

import { Opener } from '../Floating.tsx'
import { MenuList } from '../MenuList.tsx'
import { usePhone } from '../usePhone.ts'
import { pagesAround } from './pagesAround.ts'

const BUTTONS = 7
const BUTTONS_PHONE = 5

/** Total, numbered pages (7, or 5 where it is narrow), page size. */
export function Pager({
  pageNo,
  pageSize,
  total,
  onTurn,
}: {
  pageNo: number
  pageSize: number
  /** Unknown until the first page has come. */
  total: number | undefined
  onTurn: (pageNo: number, pageSize: number) => void
}) {
  const phone = usePhone()
  const last = Math.max(1, Math.ceil((total ?? 0) / pageSize))
  const turn = (to: number) => onTurn(Math.min(last, Math.max(1, to)), pageSize)
  return (
    <nav className="pages" aria-label="翻页">
      <span className="total">{total === undefined ? '' : `共 ${total} 条`}</span>
      <button aria-label="上一页" disabled={pageNo <= 1} onClick={() => turn(pageNo - 1)}>
        ‹
      </button>
      {pagesAround(pageNo, last, phone ? BUTTONS_PHONE : BUTTONS).map((p) =>
        typeof p === 'number' ? (
          <button key={p} aria-current={p === pageNo ? 'page' : undefined} onClick={() => turn(p)}>
            {p}
          </button>
        ) : (
          <button
            key={p}
            aria-label={p === 'back' ? '向前 5 页' : '向后 5 页'}
            onClick={() => turn(pageNo + (p === 'back' ? -5 : 5))}
          >
            …
          </button>
        ),
      )}
      <button aria-label="下一页" disabled={pageNo >= last} onClick={() => turn(pageNo + 1)}>
        ›
      </button>
      {!phone && (
        <Opener
          align="end"
          button={
            <button className="filter">
              {pageSize} 条/页
              <i className="caret" />
            </button>
          }
        >
          {(close) => (
            <MenuList
              entries={PAGE_SIZES.map((n) => ({ key: String(n), label: `${n} 条/页` }))}
              onPick={(n) => {
                close()
                onTurn(1, Number(n))
              }}
            />
          )}
        </Opener>
      )}
    </nav>
  )
}
