import { customersApi } from '@zhuguan/contract/features/customers/customers.api.ts'
import { customerAsk, customerStep } from '@zhuguan/contract/features/customers/customers.record.ts'
import { useEffect, useState } from 'react'

import { call } from '../../kit/api.ts'
import { TextField } from '../../kit/form/fields.tsx'
import { type DrawerProps, FormDrawer } from '../../kit/form/FormDrawer.tsx'
import { useForm } from '../../kit/form/useForm.ts'
import { AddCustomer, EditCustomer } from '../../parts/CustomerDrawer.tsx'
import type { Dropped } from './CustomerBoard.tsx'
import HoldDrawers from './HoldDrawers.tsx'
import type { Asking } from './useCustomerActions.ts'

/** Comes when the first of them is opened. */
export default function CustomerDrawers({
  opened,
  onMade,
  ...p
}: DrawerProps & {
  opened: Asking | { kind: 'add' } | ({ kind: 'ask' } & Dropped)
  onMade: (id: string) => void
}) {
  if (opened.kind === 'add') return <AddCustomer mine onClose={p.onClose} onMade={onMade} />
  if (opened.kind === 'ask') return <AskDrawer {...p} of={opened} />
  if (opened.kind === 'edit') return <EditCustomer {...p} customer={opened.customers[0]!} />
  return <HoldDrawers {...p} {...opened} />
}

/** Money and signatures are others' work: they are asked, with a word. */
function AskDrawer({ of, ...p }: DrawerProps & { of: Dropped }) {
  const what = of.to === customerStep.code.signed ? customerAsk.code.sign : customerAsk.code.deposit
  const form = useForm(customersApi.ask, { id: of.id, version: undefined, what, words: '' })
  const [read, setRead] = useState(false)
  useEffect(() => {
    void call(customersApi.details, { query: { id: of.id } }).then(({ version }) => {
      form.raw.preset('version', version)
      setRead(true)
    })
  }, [of.id])
  return (
    <FormDrawer
      {...p}
      narrow
      may={read}
      form={form}
      title={`请人给 ${of.name} ${customerAsk.label(what)}`}
      done={({ told }) => ({ text: `已告诉${told.join('、')}` })}
    >
      <p className="quiet">
        {what === customerAsk.code.deposit ? '收了定金' : '签了合同'}，{of.name} 的进展会自己变成“
        {customerStep.label(of.to)}”
      </p>
      <TextField of={form} name="words" rows={3} />
    </FormDrawer>
  )
}
