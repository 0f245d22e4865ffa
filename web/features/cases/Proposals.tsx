import type { casesApi } from '@zhuguan/contract/features/cases/cases.api.ts'
import { caseState } from '@zhuguan/contract/features/cases/cases.record.ts'
import type { DataOf } from '@zhuguan/contract/kit/api.ts'
import { hasPermission } from '@zhuguan/contract/kit/permits.ts'

import { useActor } from '../../parts/session.ts'

type Pair = [field: 'soon' | 'state', value: string | undefined]
const { asked, candidate } = caseState.code

/** What is one step from being shown, each of it one click away; then homes that nobody has thought of yet. */
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
  return (
    <section className="case-proposals" aria-label="可以发布的案例">
      <p>
        <button disabled={ready === 0} onClick={() => onFilter(['soon', 'true'], ['state', undefined])}>
          今天可以发布 <b>{ready}</b> 个
        </button>
        <button
          disabled={lackMasks === 0}
          onClick={() => onFilter(['soon', undefined], ['state', `${candidate},consented,published`])}
        >
          照片还没处理完 <b>{lackMasks}</b> 个
        </button>
        <button
          disabled={lackConsent === 0}
          onClick={() => onFilter(['soon', undefined], ['state', `${candidate},${asked}`])}
        >
          等业主同意 <b>{lackConsent}</b> 个
        </button>
      </p>
      {mayAdd && sites.length > 0 && (
        <p className="quiet">
          照片多、还没做案例的工地：
          {sites.slice(0, 4).map((s) => (
            <button key={s.site_id} onClick={() => onAdd(s.site_id)}>
              {s.siteName}（{s.pictures} 张）
            </button>
          ))}
        </p>
      )}
    </section>
  )
}
