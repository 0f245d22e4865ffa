import { useQuery } from '@tanstack/react-query'
import { rankingsApi } from '@zhuguan/contract/features/rankings/rankings.api.ts'
import {
  ENOUGH_PATROLS,
  rankReason,
  weightedReason,
  type WeightRow,
  YIELD_DAYS,
} from '@zhuguan/contract/features/rankings/rankings.record.ts'
import { useState } from 'react'

import { call } from '../../kit/api.ts'
import { lazyPart } from '../../kit/lazyPart.tsx'
import { Failed } from '../../kit/list/ListPage.tsx'
import { full, short } from '../../kit/time.ts'
import { Granted } from '../../parts/granted.tsx'
import { LogLink } from '../../parts/LogLink.tsx'

const WeightDrawer = lazyPart(() => import('./WeightDrawer.tsx'))

/** A share of few is not told as one. */
function yieldOf({ n, found }: { n: number; found: number }): string {
  if (n === 0) return '还没有'
  if (n < ENOUGH_PATROLS) return `${found}/${n}，次数少`
  return `${Math.round((found / n) * 100)}%（${found}/${n}）`
}

/** The weight of each reason in a branch, its yield, and its history. */
export function Weights({ branch }: { branch: string }) {
  const { data, error, refetch } = useQuery({
    queryKey: [rankingsApi.weights.path, branch],
    queryFn: ({ signal }) => call(rankingsApi.weights, { query: { bc_id: branch } }, signal),
  })
  const [setting, setSetting] = useState<WeightRow | null>(null)
  return (
    <>
      <h2>
        依据和权重 {data && <small>{data.bc_name}</small>} <LogLink object="ranking" id={branch} />
      </h2>
      {error && <Failed error={error} again={() => void refetch()} />}
      <table>
        <thead>
          <tr>
            <th>依据</th>
            <th>权重</th>
            <th title={`近 ${YIELD_DAYS} 天因此去的巡检中，发现问题的占多少`}>效果（{YIELD_DAYS} 天）</th>
          </tr>
        </thead>
        <tbody aria-busy={!data && !error}>
          {data?.weights.map((w) => (
            <tr key={w.reason}>
              <td>{weightedReason.label(w.reason)}</td>
              <td>
                {w.weight.toFixed(2)}
                {w.pinned && <small title={`${w.by} 固定，不学习`}> 固定</small>}{' '}
                <Granted needs="patrol:weights">
                  <button className="text-button" onClick={() => setSetting(w)}>
                    设置
                  </button>
                </Granted>
              </td>
              <td>{yieldOf(w)}</td>
            </tr>
          ))}
          {data && (
            <tr>
              <td>{rankReason.label(rankReason.code.random)}</td>
              <td title="随机抽查没有权重，固定占名单的十分之一">占 10%</td>
              <td>{yieldOf(data.random)}</td>
            </tr>
          )}
        </tbody>
        {data && (
          <tfoot>
            <tr>
              <td>全部巡检</td>
              <td />
              <td>{yieldOf(data.all)}</td>
            </tr>
          </tfoot>
        )}
      </table>
      <p className="quiet">
        当天或之后两天内去了名单上的工地，算因此去的；发现问题或整洁度差，算有效果。每周按效果调整一次，最多
        10%；
        {ENOUGH_PATROLS} 次以下不调整；固定的不调整。
      </p>
      <h3>调整记录</h3>
      {data?.history.length === 0 && <p className="quiet">还没有调整过。</p>}
      <ol className="log">
        {data?.history.map((h, i) => (
          <li key={i}>
            <b>
              {weightedReason.label(h.reason)} {h.was.toFixed(2)} → {h.weight.toFixed(2)}
            </b>{' '}
            <small title={full(h.at)}>
              {h.actor} · {short(h.at)}
            </small>
            <p>{h.text}</p>
          </li>
        ))}
      </ol>
      {setting && (
        <WeightDrawer
          branch={branch}
          weight={setting}
          onClose={() => setSetting(null)}
          onDone={() => void refetch()}
        />
      )}
    </>
  )
}
