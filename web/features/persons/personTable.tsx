import type { personsApi } from '@zhuguan/contract/features/persons/persons.api.ts'
import { personColumns } from '@zhuguan/contract/features/persons/persons.columns.ts'
import { ERASED, type PersonRow, personState } from '@zhuguan/contract/features/persons/persons.record.ts'

import { columnsOf } from '../../kit/list/columnsOf.tsx'
import { State, type Tone } from '../../kit/State.tsx'

const { executed, received, refused, restricted, verified } = personState.code
const TONE: Readonly<Record<PersonRow['state'], Tone>> = {
  [received]: 'wait',
  [verified]: 'wait',
  [restricted]: 'wait',
  [executed]: 'ok',
  [refused]: 'grey',
}
export const StateOf = ({ row: r }: { row: PersonRow }) => (
  <State tone={TONE[r.state]}>{personState.label(r.state)}</State>
)
/** The person who asks; of somebody who is forgotten that. */
export const nameOf = (r: Pick<PersonRow, 'name' | 'state'>): string =>
  r.name || (r.state === restricted ? personState.label(restricted) : ERASED)

export const personTable = columnsOf<typeof personsApi.list>()(personColumns, {
  state: (r) => <StateOf row={r} />,
  name: (r) => nameOf(r),
  due: (r) => (r.late ? <b className="overdue-day">{r.due} 已超期</b> : r.due),
})
