import type { countsApi } from '@zhuguan/contract/features/pieces/counts.api.ts'
import type { DataOf } from '@zhuguan/contract/kit/api.ts'

import { lasting } from '../../kit/time.ts'

type Board = DataOf<typeof countsApi.board>
const STEP: Record<Board['steps'][number]['step'], string> = {
  answer: '下单 → 接单（上班时间）',
  ship: '制单 → 发货',
  carry: '发货 → 送达',
  check: '送达 → 验收',
}
const HOUR = 3_600
const hours = (h: number | null) => (h === null ? '–' : lasting(Math.round(h * HOUR)))
const share = (part: number, whole: number) =>
  whole === 0 ? '–' : `${((part / whole) * 100).toFixed(1)}%（${part} / ${whole}）`

/** The length of each step, and the parts that come late and go back. */
export function Steps({ board }: { board: Board }) {
  return (
    <section className="card section chart-card">
      <h2>
        各环节用时<small>近 {board.days} 天</small>
      </h2>
      <table className="plain-table">
        <thead>
          <tr>
            <th>环节</th>
            <th className="right">次数</th>
            <th className="right">一半不超过</th>
            <th className="right">九成不超过</th>
          </tr>
        </thead>
        <tbody>
          {board.steps.map((s) => (
            <tr key={s.step}>
              <td>{STEP[s.step]}</td>
              <td className="right">{s.count}</td>
              <td className="right">{hours(s.p50)}</td>
              <td className="right">{hours(s.p90)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <dl className="board-shares">
        <dt>晚于承诺送达</dt>
        <dd>{share(board.arrivedLate, board.arrived)}</dd>
        <dt>改期后送达</dt>
        <dd>{share(board.arrivedMoved, board.arrived)}</dd>
        <dt>退货占到货（按采购额）</dt>
        <dd>
          {board.returnedPart === null
            ? '--'
            : `${(100 * board.returnedPart).toFixed(1)} %（${board.sheets} 张验收单）`}
        </dd>
      </dl>
    </section>
  )
}
