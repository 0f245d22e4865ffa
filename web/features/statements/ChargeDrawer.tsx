import { statementsApi } from '@zhuguan/contract/features/statements/statements.api.ts'
import { chargeKind, chargeSide } from '@zhuguan/contract/features/statements/statements.record.ts'

import { ChoiceField, TextField } from '../../kit/form/fields.tsx'
import { type DrawerProps, FormDrawer } from '../../kit/form/FormDrawer.tsx'
import { useForm } from '../../kit/form/useForm.ts'

interface Named {
  id: string
  name: string
}
/** Freight, damage, a difference, a fine: owed, or not, once the examiner has approved it. */
export default function ChargeDrawer({
  receiver,
  bc,
  month,
  ...p
}: DrawerProps & { receiver: Named; bc: Named; month: string }) {
  const form = useForm(statementsApi.charge, {
    receiver_id: receiver.id,
    bc_id: bc.id,
    kind: null,
    side: 'take',
    amount: null,
    reason: '',
    month,
  })
  return (
    <FormDrawer
      {...p}
      form={form}
      title={`加手工行：${receiver.name}`}
      ok="提交审核"
      done={({ code }) => ({ text: `手工行 ${code} 已提交审核，通过后计入应付` })}
    >
      <p className="quiet">
        {bc.name} 与 {receiver.name} {month} 的账，不属于某一次验收的：运费、货损、补差、罚款等。
      </p>
      <ChoiceField of={form} name="kind" codes={chargeKind} />
      <ChoiceField of={form} name="side" codes={chargeSide} />
      <TextField of={form} name="amount" label="金额（元）" example="120" />
      <TextField of={form} name="reason" rows={3} example="11 月 12 日加急送货，双方说定由我方承担" />
    </FormDrawer>
  )
}
