import { useQuery } from '@tanstack/react-query'
import { promisesApi } from '@zhuguan/contract/features/promises/promises.api.ts'
import { FEW_PROMISES, type PromiseRate } from '@zhuguan/contract/features/promises/promises.record.ts'

import { callAddressed } from '../../kit/api.ts'
import { clock } from '../../kit/time.ts'

const RULE =
  '只算到期日已经过完的承诺；到期以前撤回的不算，到期以后撤回的算没有兑现。按条件里的分公司、工地、承诺人、责任人、事项和到期范围统计，换过责任人的算在到期那天的责任人名下。'

function Rate({ title, rate }: { title: string; rate: PromiseRate | undefined }) {
  return (
    <span className="rate">
      {title}{' '}
      {rate && (
        <>
          <b>{rate.n < FEW_PROMISES ? '样本不足' : `${Math.round((rate.kept / rate.n) * 1000) / 10}%`}</b>{' '}
          <small>
            {rate.kept}/{rate.n} 条
          </small>
        </>
      )}
    </span>
  )
}

/** The part of what fell due that was kept: by the day first named, and by the day that stands. */
export function Rates({ filters, mark }: { filters: Record<string, string | undefined>; mark: number }) {
  const { author_id, bc_id, from, responsible_id, site_id, subject, to } = filters
  const asked = { author_id, bc_id, from, responsible_id, site_id, subject, to }
  const { data, error } = useQuery({
    queryKey: [promisesApi.rates.path, asked, mark],
    queryFn: ({ signal }) => callAddressed(promisesApi.rates, asked, signal),
    placeholderData: (before) => before,
  })
  return (
    <section className="card promise-rates" aria-busy={!data && !error} title={RULE}>
      <h2>兑现率</h2>
      {error ? (
        <span role="alert">{error.message}</span>
      ) : (
        <>
          <Rate title="按首次到期" rate={data?.first} />
          <Rate title="按现在的到期" rate={data?.present} />
          {data && <small className="quiet">截至 {clock(data.at)}，只算到期日已过完的</small>}
        </>
      )}
    </section>
  )
}
