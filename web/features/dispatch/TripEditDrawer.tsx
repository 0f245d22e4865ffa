import { useQuery } from '@tanstack/react-query'
import { dispatchApi } from '@zhuguan/contract/features/dispatch/dispatch.api.ts'
import { dispatchState, type NoteRow } from '@zhuguan/contract/features/dispatch/dispatch.record.ts'
import { tripsApi } from '@zhuguan/contract/features/dispatch/trips.api.ts'
import type { TripRow } from '@zhuguan/contract/features/dispatch/trips.record.ts'
import { deliveryMethod } from '@zhuguan/contract/features/orders/orders.record.ts'
import { latestDay } from '@zhuguan/contract/kit/latest-day.ts'
import { MAX_PAGE_SIZE } from '@zhuguan/contract/kit/paging.ts'
import { Select } from 'antd'
import { useState } from 'react'

import { call } from '../../kit/api.ts'
import { DayField } from '../../kit/form/DayField.tsx'
import { ReasonField, TextField } from '../../kit/form/fields.tsx'
import { type DrawerProps, FormDrawer } from '../../kit/form/FormDrawer.tsx'
import { useForm } from '../../kit/form/useForm.ts'
import { dayOf, nowSeconds } from '../../kit/time.ts'
import { NoteState } from './noteStates.tsx'

import '../../kit/plainTable.css'
import './notes.css'

const { shipped, waiting } = dispatchState.code
const isOpen = (n: NoteRow) => n.state === waiting || n.state === shipped

/** Another driver, lorry, day or order of stops. */
export default function TripEditDrawer({
  trip,
  stops: now,
  onDone,
  ...p
}: DrawerProps & { trip: TripRow; stops: readonly NoteRow[] }) {
  const today = dayOf(nowSeconds())
  const [stops, setStops] = useState(now.filter(isOpen))
  const { day, driver, driverPhone, id, plate, receiver_id, version } = trip
  const form = useForm(tripsApi.edit, {
    id,
    version,
    day,
    driver,
    driverPhone,
    plate,
    stops: stops.map((n) => n.id),
    reason: '',
  })
  const { data } = useQuery({
    queryKey: [dispatchApi.list.path, 'for a trip', receiver_id],
    queryFn: ({ signal }) =>
      call(
        dispatchApi.list,
        { query: { receiver_id, state: [waiting, shipped], pageSize: MAX_PAGE_SIZE } },
        signal,
      ),
  })
  const others = (data?.list ?? []).filter(
    (n) =>
      n.receiver &&
      (n.trip_id === null || n.trip_id === id) &&
      n.method !== deliveryMethod.code.pickup &&
      !stops.some((s) => s.id === n.id),
  )
  function put(next: NoteRow[]) {
    setStops(next)
    form.set({ stops: next.map((n) => n.id) })
  }
  const move = (at: number, by: number) => {
    const next = [...stops]
    next.splice(at + by, 0, ...next.splice(at, 1))
    put(next)
  }
  const on = form.values.day ?? day
  const isMoved = stops.some((n) => n.plannedOn !== on && (on !== day || n.trip_id !== id))
  const isOther = form.values.driver !== driver || form.values.driverPhone !== driverPhone
  return (
    <FormDrawer
      form={form}
      title={`改车次：${trip.code}`}
      done={({ revoked }) => ({
        text: revoked ? '车次已改，原司机的链接已收回，请给新司机发新链接' : '车次已改',
      })}
      onDone={onDone}
      {...p}
    >
      <div className="pair">
        <DayField of={form} name="day" from={day < today ? day : today} to={latestDay(today)} />
        <TextField of={form} name="plate" upper />
        <TextField of={form} name="driver" />
        <TextField of={form} name="driverPhone" inputMode="tel" />
      </div>
      {isOther && (
        <p className="note-part">
          换了司机，发给原司机的链接会收回；他在没有网络时已经交的货，联网后仍会收到。
        </p>
      )}
      <table className="plain-table note-lines trip-stops" aria-label="还没交的站">
        <thead>
          <tr>
            <th>顺序</th>
            <th>发货单</th>
            <th>工地</th>
            <th>状态</th>
            <th />
          </tr>
        </thead>
        <tbody>
          {stops.map((n, i) => (
            <tr key={n.id}>
              <td>{i + 1}</td>
              <td className="note-nowrap">{n.code}</td>
              <td>{n.ws_name}</td>
              <td className="note-nowrap">
                <NoteState of={n} />
              </td>
              <td className="note-nowrap right">
                <button
                  type="button"
                  className="text-button"
                  aria-label={`${n.code} 提前`}
                  disabled={i === 0}
                  onClick={() => move(i, -1)}
                >
                  提前
                </button>{' '}
                <button
                  type="button"
                  className="text-button"
                  aria-label={`${n.code} 推后`}
                  disabled={i === stops.length - 1}
                  onClick={() => move(i, 1)}
                >
                  推后
                </button>{' '}
                <button
                  type="button"
                  className="text-button"
                  aria-label={`${n.code} 拿下`}
                  onClick={() => put(stops.filter((s) => s.id !== n.id))}
                >
                  拿下
                </button>
              </td>
            </tr>
          ))}
          {stops.length === 0 && (
            <tr>
              <td colSpan={5}>没有要送的货</td>
            </tr>
          )}
        </tbody>
      </table>
      <Select
        className="trip-add"
        aria-label="加一张发货单"
        placeholder="加一张发货单"
        showSearch
        optionFilterProp="label"
        value={null}
        notFoundContent="没有别的发货单可以加：已在别的车次的，先从那里拿下"
        options={others.map((n) => ({
          value: n.id,
          label: `${n.code} · ${n.ws_name} · ${dispatchState.label(n.state)}`,
        }))}
        onChange={(picked: string | null) => {
          const note = others.find((n) => n.id === picked)
          if (note) put([...stops, note])
        }}
      />
      {isMoved && <ReasonField of={form} name="reason" label="改日期的原因" example="车坏了，改到后天送" />}
    </FormDrawer>
  )
}
