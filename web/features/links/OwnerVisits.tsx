import { homePageApi } from '@zhuguan/contract/features/owners/home-page.api.ts'
import type { HomeVisit } from '@zhuguan/contract/features/owners/home-page.record.ts'
import { receptionPurpose, receptionState } from '@zhuguan/contract/features/receptions/receptions.record.ts'
import { useState } from 'react'

import { call } from '../../kit/api.ts'
import { short } from '../../kit/time.ts'
import type { Bearer } from './bearer.ts'
import { SayForm } from './SayForm.tsx'
import { ScoreButtons } from './ScoreButtons.tsx'

interface Part {
  bearer: Bearer
  again: () => void
}
/** The owners' score: asked once, with words if they like. */
function Score({ bearer, id, again }: Part & { id: string }) {
  const [score, setScore] = useState<number | null>(null)
  return (
    <>
      <ScoreButtons legend="这次到访您满意吗？" chosen={score} onChoose={setScore} />
      {score !== null && (
        <SayForm
          label="想说的话（可以不写）"
          send={`提交 ${score} 分`}
          least={0}
          onCancel={() => setScore(null)}
          onSend={async (words, actOf) => {
            await call(homePageApi.scoreVisit, { body: { ...bearer, act: actOf(score), id, score, words } })
            again()
          }}
        />
      )}
    </>
  )
}

/** When the home's people are expected at the site, what became of it, and how content they were. */
export function OwnerVisits({ visits, ...part }: Part & { visits: readonly HomeVisit[] }) {
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
            {v.score !== null && (
              <p className="owner-meta">
                {v.typed ? '管家代填' : '您的评分'}：{v.score} 分
              </p>
            )}
            {v.mayScore && <Score {...part} id={v.id} />}
          </li>
        ))}
      </ul>
    </section>
  )
}
