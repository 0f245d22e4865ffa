import { OwnField } from '../../kit/form/fields.tsx'
import type { Fields } from '../../kit/form/useForm.ts'
import { PlacePicker } from '../../parts/PlacePicker.tsx'

interface Placed {
  lng?: number | null | undefined
  lat?: number | null | undefined
}
/** The place of a branch or a store: two numbers or none. */
export function PlaceField({ of }: { of: Fields<Placed> }) {
  const { lng, lat } = of.values
  return (
    <OwnField of={of} name="lng" label="地图上的位置">
      {() => (
        <PlacePicker place={lng != null && lat != null ? { lng, lat } : null} onChange={(to) => of.set(to)} />
      )}
    </OwnField>
  )
}
