import { rankReason, type RankRow, reasonWords } from '@zhuguan/contract/features/rankings/rankings.record.ts'

const { random } = rankReason.code
const pointsOf = (points: number) => `加 ${points.toFixed(2)} 分`

/** The reason why a site is listed, the weightiest first. */
export const Reasons = ({ row }: { row: RankRow }) => {
  const said = row.reasons.map(reasonWords).join('、')
  return (
    <span className="reasons" title={`共 ${row.score.toFixed(2)} 分：${said}`}>
      {row.reasons.map((r) => (
        <span
          key={r.code}
          className={`reason${r.code === random ? ' chance' : ''}`}
          title={r.code === random ? '没有按分数，随机选出' : pointsOf(r.points)}
        >
          {reasonWords(r)}
        </span>
      ))}
    </span>
  )
}
