/** The owner's score; what staff typed for them says so. */
export const ScoreOf = ({ of: { score, scoredBy } }: { of: { score: number | null; scoredBy: string } }) => {
  if (score === null) return <>--</>
  if (!scoredBy) return <>{score} 分</>
  return (
    <span title={`${scoredBy} 代业主填写，不计入满意率`}>
      {score} 分 <small className="quiet">代填</small>
    </span>
  )
}
