import { homeDeviceState } from '@zhuguan/contract/features/owners/home-devices.record.ts'
import { homePageApi } from '@zhuguan/contract/features/owners/home-page.api.ts'
import type { HomePage } from '@zhuguan/contract/features/owners/home-page.record.ts'
import { useState } from 'react'

import { call, randomUuid } from '../../kit/api.ts'
import { short } from '../../kit/time.ts'
import type { Bearer } from './bearer.ts'

const { asking } = homeDeviceState.code

/** On what this link is read: who holds one of them lets in another, and takes one away. */
export function OwnerDevices({
  bearer,
  devices,
  again,
}: {
  bearer: Bearer
  devices: HomePage['devices']
  again: () => void
}) {
  const [why, setWhy] = useState('')
  const isVouched = devices.some((d) => d.mine && !d.onlyHand)
  async function act(endpoint: typeof homePageApi.allow | typeof homePageApi.remove, id: string) {
    setWhy('')
    try {
      await call(endpoint, { body: { ...bearer, act: randomUuid(), id } })
      again()
    } catch (error) {
      setWhy((error as Error).message)
    }
  }
  return (
    <section className="owner-card">
      <h2>我的设备</h2>
      <ul className="owner-items">
        {devices.map((d) => (
          <li key={d.id}>
            <p>
              {d.name}
              {d.mine && '（这一台）'}
            </p>
            <p className="owner-meta">
              <span>
                {homeDeviceState.label(d.state)}
                {d.state === asking && `，号码 ${d.code}`}
              </span>
              <span>{short(d.lastSeenAt)} 用过</span>
            </p>
            {d.onlyHand && (
              <p>
                链接和设备都由{d.onlyHand}
                一人经手，还没有另一个人核对：在这台设备上不能替您决定、提异议、重开反馈、介绍朋友，评分不算数，向他保密的反馈也不显示
              </p>
            )}
            {!d.mine && (
              <div className="owner-buttons">
                {d.state === asking && (
                  <button className="button" onClick={() => void act(homePageApi.allow, d.id)}>
                    是我的，允许
                  </button>
                )}
                {d.onlyHand && isVouched && (
                  <button className="button" onClick={() => void act(homePageApi.allow, d.id)}>
                    是我的，已核对
                  </button>
                )}
                <button
                  className="button"
                  onClick={() =>
                    confirm('移除以后，那台设备什么都看不到了。确定吗？') &&
                    void act(homePageApi.remove, d.id)
                  }
                >
                  移除
                </button>
              </div>
            )}
          </li>
        ))}
      </ul>
      {why && <p role="alert">{why}</p>}
    </section>
  )
}
