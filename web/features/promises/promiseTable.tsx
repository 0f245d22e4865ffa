import type { promisesApi } from '@zhuguan/contract/features/promises/promises.api.ts'
import { promiseColumns } from '@zhuguan/contract/features/promises/promises.columns.ts'
import { type PromiseRow, promiseState } from '@zhuguan/contract/features/promises/promises.record.ts'

import { LinkTo } from '../../kit/LinkTo.tsx'
import { columnsOf } from '../../kit/list/columnsOf.tsx'
import { State, type Tone } from '../../kit/State.tsx'
import { dayOf, nowSeconds } from '../../kit/time.ts'

const { broken, extended, kept, open, withdrawn } = promiseState.code
const TONE: Readonly<Record<PromiseRow['state'], Tone>> = {
  [open]: 'wait',
  [extended]: 'wait',
  [kept]: 'ok',
  [broken]: 'bad',
  [withdrawn]: 'grey',
}
export const isOpen = (p: PromiseRow) => p.state === open || p.state === extended
/** What the owner objects to waits for its decision; what is past its day says so. */
export function StatusOf({ row: p }: { row: PromiseRow }) {
  const label = promiseState.label(p.state)
  if (p.objected) return <State tone="bad">{`${label}，有异议`}</State>
  if (p.upheld) return <State tone="bad">{`${label}，异议成立`}</State>
  return isOpen(p) && p.lateDays !== null ? (
    <State tone="bad">{`${label}，已逾期`}</State>
  ) : (
    <State tone={TONE[p.state]}>{label}</State>
  )
}
export const dueOf = (p: PromiseRow) => (
  <>
    {p.due}
    {isOpen(p) && p.due === dayOf(nowSeconds()) && <b className="due-today">今天</b>}
  </>
)

export const promiseTable = columnsOf<typeof promisesApi.list>()(promiseColumns, {
  site: (p) => (
    <LinkTo page="SiteInfo" query={{ id: p.site_id }}>
      {p.siteName}
    </LinkTo>
  ),
  owner: (p) => (
    <LinkTo page="OwnerPromise" query={{ site_id: p.site_id }}>
      {p.ownerName || '--'}
    </LinkTo>
  ),
  due: dueOf,
  status: (p) => <StatusOf row={p} />,
  late: (p) => (p.lateDays === null ? '--' : <b className="late-days">{p.lateDays}</b>),
})
