import { useQuery } from '@tanstack/react-query'
import type { ShipFacts } from '@zhuguan/contract/features/dispatch/dispatch.record.ts'
import { tripsApi } from '@zhuguan/contract/features/dispatch/trips.api.ts'
import type { TripRow } from '@zhuguan/contract/features/dispatch/trips.record.ts'
import { Button } from 'antd'
import { useState } from 'react'

import { call } from '../../kit/api.ts'
import { DayField } from '../../kit/form/DayField.tsx'
import { OneField, TextField } from '../../kit/form/fields.tsx'
import { type Fields, useForm } from '../../kit/form/useForm.ts'
import { dayOf, nowSeconds } from '../../kit/time.ts'

const nameOf = (t: TripRow) => [t.day, t.code, t.driver, t.plate, `${t.stops} 站`].filter(Boolean).join(' · ')

/** A trip of the receiver's from today on, or a new one. */
export function TripField({
  of,
  receiver,
  day,
  onPick,
}: {
  of: Fields<Pick<ShipFacts, 'trip_id'>>
  receiver: string
  day: string
  onPick: (trip: Pick<TripRow, 'day'>) => void
}) {
  const [adding, setAdding] = useState(false)
  const { data, isPending, refetch } = useQuery({
    queryKey: [tripsApi.list.path, receiver],
    queryFn: ({ signal }) => call(tripsApi.list, { query: { receiver_id: receiver } }, signal),
  })
  const trips = data ?? []
  return (
    <>
      <OneField
        of={of}
        name="trip_id"
        loading={isPending}
        nothing="今天以后还没有车次，请新建"
        options={trips.map((t) => ({ value: t.id, label: nameOf(t) }))}
        also={(id) => {
          const picked = trips.find((t) => t.id === id)
          if (picked) onPick(picked)
          return {}
        }}
        hint={
          !adding && (
            <button type="button" className="text-button" onClick={() => setAdding(true)}>
              新建车次
            </button>
          )
        }
      />
      {adding && (
        <NewTrip
          receiver={receiver}
          day={day}
          onClose={() => setAdding(false)}
          onMade={async (id, on) => {
            await refetch()
            of.set({ trip_id: id })
            onPick({ day: on })
            setAdding(false)
          }}
        />
      )}
    </>
  )
}

function NewTrip({
  receiver,
  day,
  onMade,
  onClose,
}: {
  receiver: string
  day: string
  onMade: (id: string, day: string) => Promise<void>
  onClose: () => void
}) {
  const form = useForm(tripsApi.add, { receiver_id: receiver, day, driver: '', driverPhone: '', plate: '' })
  return (
    <fieldset className="note-trip">
      <legend>新建车次</legend>
      <div className="pair">
        <DayField of={form} name="day" from={dayOf(nowSeconds())} />
        <TextField of={form} name="plate" example="浙A12345" upper />
        <TextField of={form} name="driver" />
        <TextField of={form} name="driverPhone" inputMode="tel" />
      </div>
      <Button
        loading={form.busy}
        onClick={() => void form.submit(({ id }) => void onMade(id, form.values.day ?? day))}
      >
        保存车次
      </Button>{' '}
      <button type="button" className="text-button" onClick={onClose}>
        不建了
      </button>
    </fieldset>
  )
}
