import type { HomeVisit } from '@zhuguan/contract/features/owners/home-page.record.ts'
import { receptionPurpose, receptionState } from '@zhuguan/contract/features/receptions/receptions.record.ts'

import { short } from '../../kit/time.ts'

/** When the home's people are expected at the site, and what became of it. */
export function OwnerVisits({ visits }: { visits: readonly HomeVisit[] }) {
  if (visits.length === 0) return null
  return (
    <section className="owner-card">
      <h2>到访</h2>
      <ul className="owner-items">
        {visits.map((v) => (
          <li key={v.id}>
            <p>
              {short(v.at)} {receptionPurpose.label(v.purpose)}
            </p>
            <p className="owner-meta">
              <span>
                {receptionState.label(v.state)}
                {v.endedAt && `（${short(v.endedAt)}）`}
              </span>
              <span>{v.host} 接待</span>
            </p>
            {v.why && <p className="owner-waits">{v.why}</p>}
          </li>
        ))}
      </ul>
    </section>
  )
}
