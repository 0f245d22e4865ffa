import { useQuery } from '@tanstack/react-query'
import { receptionsApi } from '@zhuguan/contract/features/receptions/receptions.api.ts'
import { RATED_DAYS, type ScoreRate } from '@zhuguan/contract/features/receptions/receptions.record.ts'
import { FEW_SCORES, GOOD_SCORE } from '@zhuguan/contract/kit/score.ts'

import { call } from '../../kit/api.ts'
import { clock } from '../../kit/time.ts'

const RULE = `业主自己在链接里打的分，${GOOD_SCORE} 分及以上算满意；工作人员代填的不算，不满 ${FEW_SCORES} 次不算满意率。`

function Rate({ title, rate }: { title: string; rate: ScoreRate }) {
  return (
    <span className="rate">
      {title} <b>{rate.n < FEW_SCORES ? '样本不足' : `${Math.round((rate.good / rate.n) * 100)}%`}</b>{' '}
      <small>
        {rate.good}/{rate.n} 次
      </small>
    </span>
  )
}

/** A home's scores of its visits, and beside them the others of the branch. */
export function ScoreRates({ site_id, mark }: { site_id: string; mark: number }) {
  const { data, error } = useQuery({
    queryKey: [receptionsApi.rates.path, site_id, mark],
    queryFn: ({ signal }) => call(receptionsApi.rates, { query: { site_id } }, signal),
    placeholderData: (before) => before,
  })
  return (
    <section className="card reception-rates" aria-busy={!data && !error} title={RULE}>
      <h2>满意率</h2>
      {error && <span role="alert">{error.message}</span>}
      {data && (
        <>
          <Rate title="这一家" rate={data.home} />
          <Rate title={`分公司近 ${RATED_DAYS} 天（我能看到的）`} rate={data.branch} />
          <small className="quiet">截至 {clock(data.at)}，只算业主自己打的分</small>
        </>
      )}
    </section>
  )
}
