import { homePageApi } from '@zhuguan/contract/features/owners/home-page.api.ts'
import type { HomePromise } from '@zhuguan/contract/features/owners/home-page.record.ts'
import { promiseAct, promiseState } from '@zhuguan/contract/features/promises/promises.record.ts'
import { useState } from 'react'

import { call } from '../../kit/api.ts'
import { short } from '../../kit/time.ts'
import type { Bearer } from './bearer.ts'
import { LinkPicture } from './LinkPicture.tsx'
import { SayForm } from './SayForm.tsx'

const { broken, extended, kept, withdrawn } = promiseState.code
const { dismiss, extend } = promiseAct.code
/** What of a promise is said to its owner beside its state: what has passed since is not said any more. */
function saidOf(p: HomePromise): string {
  if (!p.said || !p.saidAt) return ''
  const isNow = {
    open: false,
    [extended]: p.said === extend,
    [kept]: p.said === dismiss,
    [broken]: true,
    [withdrawn]: true,
  }[p.state]
  return isNow ? `${short(p.saidAt)} ${promiseAct.label(p.said)}：${p.saidFor}` : ''
}

const stateOf = (p: HomePromise): string => {
  if (p.objected) return '您提出了异议，等待处理'
  if (p.lateDays > 0) return `${promiseState.label(p.state)}，晚 ${p.lateDays} 天`
  return p.late ? '已过期，还没有兑现' : promiseState.label(p.state)
}

/** Promises to this home, with their last days. */
export function OwnerPromises({
  bearer,
  promises,
  again,
}: {
  bearer: Bearer
  promises: readonly HomePromise[]
  again: () => void
}) {
  const [objecting, setObjecting] = useState<string | null>(null)
  if (promises.length === 0) return null
  return (
    <section className="owner-card">
      <h2>给您的承诺</h2>
      <ul className="owner-items">
        {promises.map((p) => (
          <li key={p.id}>
            <p>{p.content}</p>
            <p className="owner-meta">
              <span data-tone={p.late || p.objected ? 'warn' : 'plain'}>{stateOf(p)}</span>
              <span>
                {p.due} 到期{p.firstDue !== p.due && `（原定 ${p.firstDue}）`}
              </span>
            </p>
            {saidOf(p) && <p className="owner-waits">{saidOf(p)}</p>}
            {p.pictures.length > 0 && (
              <div className="owner-pictures">
                {p.pictures.map((key) => (
                  <LinkPicture key={key} bearer={bearer} of={key} title={`“${p.content}”的照片`} />
                ))}
              </div>
            )}
            {p.mayObject && objecting !== p.id && (
              <button className="button" onClick={() => setObjecting(p.id)}>
                没有兑现
              </button>
            )}
            {objecting === p.id && (
              <SayForm
                label="哪里没有做到"
                send="提交异议"
                onCancel={() => setObjecting(null)}
                onSend={async (reason, actOf) => {
                  await call(homePageApi.object, { body: { ...bearer, act: actOf(), id: p.id, reason } })
                  setObjecting(null)
                  again()
                }}
              />
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}
