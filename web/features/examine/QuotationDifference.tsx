import { useQuery } from '@tanstack/react-query'
import { type ExamineDetail, examineState } from '@zhuguan/contract/features/examine/examine.record.ts'
import { quotationsApi } from '@zhuguan/contract/features/quotations/quotations.api.ts'
import type { Compared } from '@zhuguan/contract/features/quotations/quotations.compare.ts'
import type {
  QuotationDetail,
  QuotationLine,
} from '@zhuguan/contract/features/quotations/quotations.record.ts'
import { useState } from 'react'

import { call } from '../../kit/api.ts'
import { LinkTo } from '../../kit/LinkTo.tsx'
import { Failed } from '../../kit/list/ListPage.tsx'
import { short } from '../../kit/time.ts'
import { Bridge, BridgeDifference } from '../../parts/Bridge.tsx'
import { LinesToJudge } from './LinesToJudge.tsx'

type Earlier = ExamineDetail['earlier'][number]
const wordsOf = (e: Earlier): string => {
  const outcome = e.withdrawn ? '已撤回' : examineState.label(e.examineState)
  return `第 ${e.round} 次提交（${outcome}${e.seenAt === null ? '' : `，我看于 ${short(e.seenAt)}`}）`
}
/** The version that the approver saw last, or that was refused; else the one submitted before. */
const firstOf = (earlier: readonly Earlier[]): Earlier | undefined =>
  earlier.find((e) => e.seenAt !== null || e.examineState === examineState.code.rejected) ?? earlier[0]

/** The name of the room that a line is for. */
function roomOf(q: QuotationDetail) {
  const rooms = new Map(q.rooms.map((room) => [room.id, room.name]))
  return (line: QuotationLine) => rooms.get(line.room_id ?? '') ?? '全屋'
}
function comparedOf(q: QuotationDetail): Compared {
  const room = roomOf(q)
  return { sum: q.sum, lines: q.lines.map((line) => ({ ...line, room: room(line) })) }
}
/** A quotation at one of its versions; the newest says which number that is. */
const useVersion = (id: string, version: string | null | undefined) =>
  useQuery({
    queryKey: [quotationsApi.details.path, id, version],
    enabled: version !== undefined,
    queryFn: async ({ signal }) => {
      const newest = await call(quotationsApi.details, { query: { id } }, signal)
      const number = newest.versions.find((v) => v.id === version)?.number
      if (number === undefined || newest.version_id === version) return newest
      return call(quotationsApi.details, { query: { id, number } }, signal)
    },
  })

/** The quotation as it was submitted, and beside it what the approver knows of it already. */
export default function QuotationDifference({ request: r }: { request: ExamineDetail }) {
  const [chosen, setChosen] = useState(firstOf(r.earlier)?.id)
  const before = r.earlier.find((e) => e.id === chosen)
  const now = useVersion(r.object_id, r.version_id)
  const was = useVersion(r.object_id, before?.version_id)
  const error = now.error ?? was.error
  if (error)
    return (
      <Failed
        error={error}
        again={() => {
          void now.refetch()
          void was.refetch()
        }}
      />
    )
  if (!now.data || (before && !was.data))
    return (
      <p aria-busy="true" className="quiet">
        正在读取报价单…
      </p>
    )
  const q = now.data
  return (
    <>
      <p className="examine-about">
        {before && (
          <label>
            与
            <select className="input" value={chosen} onChange={(e) => setChosen(e.target.value)}>
              {r.earlier.map((e) => (
                <option key={e.id} value={e.id}>
                  {wordsOf(e)}
                </option>
              ))}
            </select>
            相比
          </label>
        )}
        <LinkTo page="QuotationEdit" query={{ id: q.id, v: q.shown }}>
          打开报价单第 {q.shown} 版
        </LinkTo>
      </p>
      {before && was.data ? (
        <BridgeDifference
          before={comparedOf(was.data)}
          after={comparedOf(q)}
          names={[`第 ${before.round} 次`, `第 ${r.round} 次`]}
        />
      ) : (
        <Bridge
          sum={q.sum}
          lines={comparedOf(q).lines}
          packageName={q.package?.name ?? ''}
          discounts={q.discounts}
        />
      )}
      <LinesToJudge of={q} roomOf={roomOf(q)} />
    </>
  )
}
