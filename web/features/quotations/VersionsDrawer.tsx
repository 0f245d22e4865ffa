import { useQuery } from '@tanstack/react-query'
import { examineState } from '@zhuguan/contract/features/examine/examine.record.ts'
import { quotationsApi } from '@zhuguan/contract/features/quotations/quotations.api.ts'
import type {
  QuotationDetail,
  QuotationVersion,
} from '@zhuguan/contract/features/quotations/quotations.record.ts'
import { grouped } from '@zhuguan/contract/kit/digits.ts'
import { Drawer } from 'antd'
import { useState } from 'react'

import { call } from '../../kit/api.ts'
import { Failed } from '../../kit/list/ListPage.tsx'
import { short } from '../../kit/time.ts'
import { BridgeDifference } from '../../parts/Bridge.tsx'
import { roomName } from './document.ts'

import '../../kit/plainTable.css'

const stateOf = (v: QuotationVersion): string => {
  if (v.submittedAt === null) return '草稿'
  if (v.withdrawn) return '已撤回'
  return v.examineState === null ? '已提交' : examineState.label(v.examineState)
}
const compared = (detail: QuotationDetail) => ({
  sum: detail.sum,
  lines: detail.lines.map((line) => ({ ...line, room: roomName(detail.rooms, line.room_id) })),
})

/** Every version, and any two of them beside each other. */
export default function VersionsDrawer({
  detail,
  onOpen,
  onClose,
}: {
  detail: QuotationDetail
  onOpen: (number: number) => void
  onClose: () => void
}) {
  const { versions } = detail
  const [two, setTwo] = useState<readonly number[]>(() =>
    versions
      .map((v) => v.number)
      .toSorted((a, b) => a - b)
      .slice(-2),
  )
  const choose = (number: number) =>
    setTwo((old) => (old.includes(number) ? old.filter((n) => n !== number) : [...old, number].slice(-2)))
  return (
    <Drawer open title={`${detail.code} 的版本`} size="min(1080px, 100vw)" onClose={onClose}>
      <table className="plain-table">
        <thead>
          <tr>
            {versions.length > 1 && <th>比较</th>}
            <th>版本</th>
            <th className="right">总价</th>
            <th>状态</th>
            <th>提交</th>
            <th>审核</th>
            <th>理由</th>
          </tr>
        </thead>
        <tbody>
          {versions.map((v) => (
            <tr key={v.id}>
              {versions.length > 1 && (
                <td>
                  <input
                    type="checkbox"
                    aria-label={`比较第 ${v.number} 版`}
                    checked={two.includes(v.number)}
                    onChange={() => choose(v.number)}
                  />
                </td>
              )}
              <td>
                <button className="text-button" onClick={() => onOpen(v.number)}>
                  v{v.number}
                </button>
                {v.number === detail.shown && <small> 正在看</small>}
              </td>
              <td className="right">{grouped(v.total)}</td>
              <td>{stateOf(v)}</td>
              <td>{v.submittedAt === null ? '--' : `${v.submittedBy} ${short(v.submittedAt)}`}</td>
              <td>{v.judgedAt === null ? '--' : `${v.judgedBy} ${short(v.judgedAt)}`}</td>
              <td>{v.reason || '--'}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {two.length === 2 ? (
        <Two id={detail.id} numbers={two.toSorted((a, b) => a - b)} />
      ) : (
        <p className="quiet">{versions.length < 2 ? '只有一个版本。' : '勾选两个版本来比较。'}</p>
      )}
    </Drawer>
  )
}

function Two({ id, numbers }: { id: string; numbers: readonly number[] }) {
  const { data, error, refetch } = useQuery({
    queryKey: [quotationsApi.details.path, id, 'two', numbers],
    queryFn: ({ signal }) =>
      Promise.all(numbers.map((number) => call(quotationsApi.details, { query: { id, number } }, signal))),
  })
  if (error) return <Failed error={error} again={() => void refetch()} />
  const [before, after] = data ?? []
  if (!before || !after) return <p className="quiet">正在读取两个版本…</p>
  return (
    <section className="versions-two">
      <h3>
        v{before.shown} 到 v{after.shown}
      </h3>
      <BridgeDifference
        before={compared(before)}
        after={compared(after)}
        names={[`v${before.shown}`, `v${after.shown}`]}
      />
    </section>
  )
}
