const MOST = 5

/** A score of five as stars and a number. */
export const Score = ({ mean }: { mean: number }) => (
  <span className="num" title={`${mean} 分，满分 ${MOST} 分`}>
    <span aria-hidden="true">{'★'.repeat(Math.round(mean)).padEnd(MOST, '☆')}</span> {mean}
  </span>
)
