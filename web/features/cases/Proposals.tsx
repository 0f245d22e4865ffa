import type { casesApi } from '@zhuguan/contract/features/cases/cases.api.ts'
import { type CaseProposal, caseState } from '@zhuguan/contract/features/cases/cases.record.ts'
import type { DataOf } from '@zhuguan/contract/kit/api.ts'
import { hasPermission } from '@zhuguan/contract/kit/permits.ts'
import { Drawer } from 'antd'
import { useState } from 'react'

import { LinkTo } from '../../kit/LinkTo.tsx'
import { useActor } from '../../parts/session.ts'

type Pair = [field: 'lack' | 'soon' | 'state', value: string | undefined]
const FEW = 3

/** What speaks for a home, in the order in which it counts. */
const reasonsOf = (s: CaseProposal): string[] => [
  s.pairs > 0 ? `${s.pairs} 组前后对比` : '没有同一机位的对比',
  s.tidy === null ? `整洁样本不足（${s.tidyOf} 次）` : `整洁 ${s.tidy}%（${s.tidyOf} 次）`,
  ...(s.onTime === null ? [] : [s.onTime ? '按期' : '已超计划']),
  ...(s.praises > 0 ? [`表扬 ${s.praises} 条`] : []),
]

/** What is one step from being shown, what the others want, each a click away; then homes that propose themselves. */
export function Proposals({
  of: { lackConsent, lackMasks, ready, sites },
  onAdd,
  onFilter,
}: {
  of: DataOf<typeof casesApi.proposals>
  onAdd: (site_id: string) => void
  onFilter: (...pairs: Pair[]) => void
}) {
  const mayAdd = hasPermission(useActor(), 'case:add')
  const [all, setAll] = useState(false)
  const only = (soon: string | undefined, lack?: string) => () =>
    onFilter(['soon', soon], ['lack', lack], ['state', undefined])
  return (
    <section className="case-proposals" aria-label="可以发布的案例">
      <p>
        <button disabled={ready === 0} onClick={only('true')}>
          今天可以发布 <b>{ready}</b> 个
        </button>
        <button disabled={lackMasks === 0} onClick={only(undefined, 'masks')}>
          照片还没处理完 <b>{lackMasks}</b> 个
        </button>
        <button disabled={lackConsent === 0} onClick={only(undefined, 'consent')}>
          等业主同意 <b>{lackConsent}</b> 个
        </button>
      </p>
      {mayAdd && sites.length > 0 && (
        <p className="case-proposed">
          <span className="quiet">值得做案例的工地：</span>
          {sites.slice(0, FEW).map((s) => (
            <button key={s.site_id} title={reasonsOf(s).join('，')} onClick={() => onAdd(s.site_id)}>
              {s.siteName}
              <small>（{reasonsOf(s)[0]}）</small>
            </button>
          ))}
          {sites.length > FEW && <button onClick={() => setAll(true)}>全部 {sites.length} 个和理由</button>}
        </p>
      )}
      {all && (
        <Drawer open title="值得做案例的工地" size="min(720px, 100vw)" onClose={() => setAll(false)}>
          <p className="quiet">
            按前后对比、整洁度、是否按期、业主表扬排；有人说过不同意的、做过案例的不在里面。生成以后还差打码、放行和业主同意，才能
            {caseState.label(caseState.code.published)}。
          </p>
          <ol className="case-ranked">
            {sites.map((s) => (
              <li key={s.site_id}>
                <span>
                  <LinkTo page="SiteInfo" query={{ id: s.site_id }}>
                    {s.siteName}
                  </LinkTo>
                  <small>
                    {[s.bc_name, s.style, s.layout, `${s.pictures} 张照片`].filter(Boolean).join(' · ')}
                  </small>
                  <small>{reasonsOf(s).join('，')}</small>
                </span>
                <button
                  className="button"
                  onClick={() => {
                    setAll(false)
                    onAdd(s.site_id)
                  }}
                >
                  生成案例
                </button>
              </li>
            ))}
          </ol>
        </Drawer>
      )}
    </section>
  )
}
