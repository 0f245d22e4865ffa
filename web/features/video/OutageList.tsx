import { spanCause } from '@zhuguan/contract/features/devices/devices.record.ts'
import { endOf, type Outage } from '@zhuguan/contract/features/video/video.record.ts'
import { useState } from 'react'

import { State } from '../../kit/State.tsx'
import { full, lasting, short } from '../../kit/time.ts'
import { DeviceLink } from './DeviceLink.tsx'

const FIRST = 20
const MINUTE = 60

/** When the cameras were off line, why, for how long and what ended it, newest first. */
export function OutageList({ outages }: { outages: readonly Outage[] }) {
  const [all, setAll] = useState(false)
  const shown = all ? outages : outages.slice(0, FIRST)
  return (
    <section className="card section">
      <h2>
        离线记录 <small>{outages.length} 次，新的在前；跨出所选日期的按完整时长算</small>
      </h2>
      {outages.length === 0 && <p className="quiet">这段时间没有离线。</p>}
      {outages.length > 0 && (
        <div className="table-wrap" tabIndex={0} role="region" aria-label="离线记录表格">
          <table className="grid vidicon-outages">
            <thead>
              <tr>
                <th className="first">摄像头</th>
                <th>原因</th>
                <th>开始</th>
                <th>结束</th>
                <th className="right">时长</th>
                <th>怎样结束</th>
              </tr>
            </thead>
            <tbody>
              {shown.map((o) => (
                <tr key={`${o.device_id} ${o.from}`}>
                  <td className="first">
                    <DeviceLink id={o.device_id} sn={o.sn} reachable={o.reachable} />
                  </td>
                  <td data-name="原因">{spanCause.label(o.cause)}</td>
                  <td data-name="开始" title={full(o.from)}>
                    {short(o.from)}
                  </td>
                  <td data-name="结束" title={o.to === null ? undefined : full(o.to)}>
                    {short(o.to)}
                  </td>
                  <td data-name="时长" className="right">
                    {lasting(o.minutes * MINUTE)}
                  </td>
                  <td data-name="怎样结束">
                    {o.to === null ? <State tone="bad">{endOf(null)}</State> : endOf(o.endedBy)}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {shown.length < outages.length && (
        <button className="text-button" onClick={() => setAll(true)}>
          显示全部 {outages.length} 次
        </button>
      )}
    </section>
  )
}
