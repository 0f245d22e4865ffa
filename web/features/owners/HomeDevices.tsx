import { useQuery } from '@tanstack/react-query'
import { homeDevicesApi } from '@zhuguan/contract/features/owners/home-devices.api.ts'
import { homeDeviceState } from '@zhuguan/contract/features/owners/home-devices.record.ts'

import { call } from '../../kit/api.ts'
import { useLive } from '../../kit/live.ts'
import { RowActions } from '../../kit/RowActions.tsx'
import { State } from '../../kit/State.tsx'
import { short } from '../../kit/time.ts'
import { useGranted } from '../../parts/granted.tsx'

const { asking } = homeDeviceState.code

/** On what the people of a home read their page: who asks is let in by whoever knows whose it is. */
export function HomeDevices({ site_id }: { site_id: string }) {
  const granted = useGranted()
  const { data, refetch } = useQuery({
    queryKey: [homeDevicesApi.list.path, site_id],
    queryFn: ({ signal }) => call(homeDevicesApi.list, { query: { site_id } }, signal),
  })
  const again = () => void refetch()
  useLive(['site'], again, { only: (e) => e.site_id === site_id })
  if (!data?.length) return null
  const actionsOf = (d: (typeof data)[number]) =>
    granted([
      ...(d.state === asking
        ? [
            {
              needs: 'owner:link',
              key: 'allow',
              label: '确认',
              confirm: `${d.person}的屏幕上显示的号码是 ${d.code} 吗？确认后这台设备就能看到这个家`,
              run: () => call(homeDevicesApi.allow, { body: { id: d.id } }),
            },
          ]
        : []),
      ...(d.onlyHand
        ? [
            {
              needs: 'owner:link',
              key: 'vouch',
              label: '核对',
              confirm: `链接和设备都由${d.onlyHand}经手。已经向${d.person}核实，这台设备是本人的？`,
              run: () => call(homeDevicesApi.allow, { body: { id: d.id } }),
            },
          ]
        : []),
      {
        needs: 'owner:link',
        key: 'remove',
        label: '移除',
        reason: true,
        confirm: `移除${d.person}的设备：请写明原因`,
        run: (reason: string) => call(homeDevicesApi.remove, { body: { id: d.id, reason } }),
      },
    ])
  return (
    <section className="card section">
      <h2>
        业主的设备 <small>{data.length} 台</small>
      </h2>
      <div className="owner-wide" tabIndex={0} role="region" aria-label="业主链接（表格）">
        <table className="plain-table">
          <thead>
            <tr>
              <th>联系人</th>
              <th>设备</th>
              <th>状态</th>
              <th>号码</th>
              <th>打开时间</th>
              <th>最近使用</th>
              <th>确认人</th>
              <th>操作</th>
            </tr>
          </thead>
          <tbody>
            {data.map((d) => (
              <tr key={d.id}>
                <td>{d.person}</td>
                <td>{d.name}</td>
                <td>
                  <State tone={d.state === asking ? 'wait' : 'ok'}>{homeDeviceState.label(d.state)}</State>
                </td>
                <td>{d.code}</td>
                <td>{short(d.askedAt)}</td>
                <td>{short(d.lastSeenAt)}</td>
                <td>
                  {d.boundBy || '—'}
                  {d.onlyHand && <small>（链接和设备同一人经手，待另一人核对）</small>}
                </td>
                <td>
                  <RowActions actions={actionsOf(d)} onDone={again} shown={2} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}
