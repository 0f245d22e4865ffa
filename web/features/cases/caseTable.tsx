import type { casesApi } from '@zhuguan/contract/features/cases/cases.api.ts'
import { caseColumns } from '@zhuguan/contract/features/cases/cases.columns.ts'
import { type CaseRow, caseState } from '@zhuguan/contract/features/cases/cases.record.ts'

import { LinkTo } from '../../kit/LinkTo.tsx'
import { columnsOf } from '../../kit/list/columnsOf.tsx'
import { Picture } from '../../kit/Picture.tsx'
import { State, type Tone } from '../../kit/State.tsx'
import { casePictureAt } from '../../parts/casePicture.ts'

const { asked, candidate, consented, expired, published, refused, withdrawn } = caseState.code
const TONE: Readonly<Record<CaseRow['state'], Tone>> = {
  [candidate]: 'wait',
  [asked]: 'wait',
  [consented]: 'ok',
  [published]: 'ok',
  [refused]: 'bad',
  [expired]: 'grey',
  [withdrawn]: 'grey',
}
/** Days before its last one in which a home is asked anew. */
const SOON = 30

export const StateOf = ({ row: k }: { row: Pick<CaseRow, 'state'> }) => (
  <State tone={TONE[k.state]}>{caseState.label(k.state)}</State>
)
/** The next step, and whose it is. */
export function nextOf(k: Pick<CaseRow, 'missing' | 'state'>): string {
  if (k.missing) return k.missing
  if (k.state === candidate) return '征求业主同意'
  if (k.state === asked) return '业主的答复'
  return k.state === consented ? '上架' : ''
}
/** The drawer in which that is done; nothing where it is done on the case itself. */
export function nextDrawer(k: Pick<CaseRow, 'missing' | 'raw' | 'masked' | 'state'>) {
  if (k.state === asked) return 'answer' as const
  if (k.state !== candidate || k.raw + k.masked > 0) return undefined
  return k.missing ? ('edit' as const) : ('ask' as const)
}
const untilOf = (k: CaseRow) => {
  if (!k.until) return '--'
  if (k.daysLeft === null || k.daysLeft > SOON) return k.until
  return (
    <>
      {k.until} <b className="due-soon">还有 {k.daysLeft} 天</b>
    </>
  )
}

/** `onNext`: what is missing is begun by pressing it. */
export const caseTable = (onNext: (k: CaseRow) => void) =>
  columnsOf<typeof casesApi.list>()(caseColumns, {
    cover: (k) => (
      <Picture
        plain
        at={casePictureAt}
        picture={k.cover}
        caption={k.title}
        width={48}
        height={32}
        size="thumb"
      />
    ),
    site: (k) => (
      <LinkTo page="SiteInfo" query={{ id: k.site_id }}>
        {k.siteName}
      </LinkTo>
    ),
    area: (k) => (k.area ? `${k.area} ㎡` : '--'),
    until: untilOf,
    status: (k) => <StateOf row={k} />,
    missing: (k) =>
      nextOf(k) ? (
        <button
          className="text-button case-next"
          title={nextOf(k)}
          onClick={(e) => {
            e.stopPropagation()
            onNext(k)
          }}
        >
          {nextOf(k)}
        </button>
      ) : (
        '--'
      ),
  })
