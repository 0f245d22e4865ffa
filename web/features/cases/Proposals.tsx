import type { casesApi } from '@zhuguan/contract/features/cases/cases.api.ts'
import type { DataOf } from '@zhuguan/contract/kit/api.ts'
import { hasPermission } from '@zhuguan/contract/kit/permits.ts'
import { useState } from 'react'

import { lazyPart } from '../../kit/lazyPart.tsx'
import { useActor } from '../../parts/session.ts'
import { reasonsOf } from './caseFacts.ts'

const ProposedDrawer = lazyPart(() => import('./ProposedDrawer.tsx'))

type Pair = [field: 'lack' | 'soon' | 'state', value: string | undefined]
const FEW = 3

/**
 * The cases one step from being shown, the wants of the others, each a click away; then homes that propose
 * themselves.
 */
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
        <ProposedDrawer
          sites={sites}
          onClose={() => setAll(false)}
          onAdd={(site_id) => {
            setAll(false)
            onAdd(site_id)
          }}
        />
      )}
    </section>
  )
}
