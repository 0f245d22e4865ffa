import { isUnvouched, writtenBy } from '@zhuguan/contract/features/owners/home-devices.record.ts'

/** The owner's score; what staff typed for them says so, and what one hand alone vouches for as well. */
export const ScoreOf = ({ of: { score, scoredBy } }: { of: { score: number | null; scoredBy: string } }) => {
  if (score === null) return <>--</>
  if (!scoredBy) return <>{score} 分</>
  return (
    <span title={`${writtenBy(scoredBy, ' 代业主填写')}，不计入满意率`}>
      {score} 分 <small className="quiet">{isUnvouched(scoredBy) ? '未核对' : '代填'}</small>
    </span>
  )
}
