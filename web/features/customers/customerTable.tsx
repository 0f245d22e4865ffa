import type { customersApi } from '@zhuguan/contract/features/customers/customers.api.ts'
import { customerColumns } from '@zhuguan/contract/features/customers/customers.columns.ts'
import {
  customerHeld,
  type CustomerRow,
  customerStep,
} from '@zhuguan/contract/features/customers/customers.record.ts'

import { columnsOf } from '../../kit/list/columnsOf.tsx'
import { State, type Tone } from '../../kit/State.tsx'
import { nowSeconds, short } from '../../kit/time.ts'
import { CustomerPhone } from './CustomerPhone.tsx'

const { assigned, lost, pool } = customerHeld.code
const { deposit, signed } = customerStep.code
const TONE: Readonly<Record<number, Tone>> = { [deposit]: 'wait', [signed]: 'ok' }

/** How far it has come; what is lost and what nobody has says so first. */
export function StepOf({ row: k }: { row: Pick<CustomerRow, 'held' | 'step' | 'refuses'> }) {
  return (
    <>
      {k.held === lost && <State tone="bad">已流失</State>}
      {k.held === pool && <State tone="wait">公海</State>}{' '}
      <State tone={TONE[k.step] ?? 'grey'}>{customerStep.label(k.step)}</State>
      {k.refuses && (
        <>
          {' '}
          <State tone="bad">拒绝联系</State>
        </>
      )}
    </>
  )
}
/** A moment to come, red once it is past. */
export function DueOf({ at, late }: { at: number | null; late: boolean }) {
  if (at === null) return <>--</>
  return late ? <b className="customer-late">{short(at)}</b> : <>{short(at)}</>
}
/** What is due next: a new one is answered, the others have what is planned. */
export const nextOf = (k: CustomerRow) =>
  k.held === assigned && k.answerDue !== null ? (
    <>
      <DueOf at={k.answerDue} late={k.answerDue < nowSeconds()} /> <small>前联系</small>
    </>
  ) : (
    <DueOf at={k.nextAt} late={k.overdue} />
  )

export const customerTable = columnsOf<typeof customersApi.list>()(customerColumns, {
  phone: (k) => <CustomerPhone customer={k} />,
  area: (k) =>
    k.area ? (
      <>
        {k.area} <small>㎡</small>
      </>
    ) : (
      '--'
    ),
  progress: (k) => <StepOf row={k} />,
  next: nextOf,
})
