import { useQuery } from '@tanstack/react-query'
import { devicesApi } from '@zhuguan/contract/features/devices/devices.api.ts'
import { type DeviceRow, deviceStatus, spanCause } from '@zhuguan/contract/features/devices/devices.record.ts'
import { Drawer } from 'antd'

import { call } from '../../kit/api.ts'
import { TextField } from '../../kit/form/fields.tsx'
import { type DrawerProps, FormDrawer } from '../../kit/form/FormDrawer.tsx'
import { useForm } from '../../kit/form/useForm.ts'
import { Failed } from '../../kit/list/ListPage.tsx'
import { full, lasting, nowSeconds, short } from '../../kit/time.ts'
import LiveDrawer from '../../parts/LiveDrawer.tsx'
import { SiteField } from '../../parts/pickFields.tsx'

interface Props {
  device: DeviceRow
  onClose: () => void
}

/** Comes when the first drawer is opened. */
export default function DeviceDrawers({
  kind,
  onDone,
  ...p
}: Props & { kind: 'bind' | 'history' | 'live'; onDone: () => void }) {
  if (kind === 'bind') return <BindDrawer {...p} onDone={onDone} />
  if (kind === 'history') return <HistoryDrawer {...p} />
  return <LiveDrawer id={p.device.id} sn={p.device.sn} onClose={p.onClose} />
}

function BindDrawer({ device, ...p }: Props & DrawerProps) {
  const { id, version } = device
  const form = useForm(devicesApi.bind, { id, version, site_id: null, remark: '' })
  return (
    <FormDrawer {...p} narrow form={form} title={`绑定 ${device.sn}`} done="已绑定，等待设备的第一次心跳">
      <SiteField of={form} name="site_id" hint="与设备同一分公司的工地" />
      <TextField of={form} name="remark" rows={2} />
    </FormDrawer>
  )
}

function HistoryDrawer({ device, onClose }: Props) {
  const { data, error, refetch } = useQuery({
    queryKey: [devicesApi.history.path, device.id],
    queryFn: ({ signal }) => call(devicesApi.history, { query: { id: device.id } }, signal),
  })
  return (
    <Drawer open title={`${device.sn} 的历史`} size="min(640px, 100vw)" onClose={onClose}>
      {error ? (
        <Failed error={error} again={() => void refetch()} />
      ) : (
        <>
          <h3>状态</h3>
          <ol className="log">
            {data?.spans.map((s) => (
              <li key={s.from}>
                <b>{deviceStatus.label(s.state)}</b>{' '}
                <small>
                  {spanCause.label(s.cause)} · {full(s.from)} 起，
                  {s.to ? `持续 ${lasting(s.to - s.from)}` : `已持续 ${lasting(nowSeconds() - s.from)}`}
                </small>
              </li>
            ))}
          </ol>
          <h3>绑定</h3>
          {data?.bindings.length === 0 && <p className="quiet">还没有绑定过工地。</p>}
          <ol className="log">
            {data?.bindings.map((b) => (
              <li key={`${b.at}${b.action}`}>
                <b>{b.action}</b> {b.siteName}{' '}
                <small>
                  {b.actor} · {short(b.at)}
                </small>
                {b.remark && <p>{b.remark}</p>}
              </li>
            ))}
          </ol>
        </>
      )}
    </Drawer>
  )
}
