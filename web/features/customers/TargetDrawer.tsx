import { useQuery } from '@tanstack/react-query'
import { customersApi } from '@zhuguan/contract/features/customers/customers.api.ts'
import { signingBoardApi } from '@zhuguan/contract/features/customers/signing-board.api.ts'
import type { TargetRow } from '@zhuguan/contract/features/customers/signing-board.record.ts'

import { call } from '../../kit/api.ts'
import { NumberField, OneField, ReasonField, TextField } from '../../kit/form/fields.tsx'
import { type DrawerProps, FormDrawer } from '../../kit/form/FormDrawer.tsx'
import { useForm } from '../../kit/form/useForm.ts'
import { BranchField, PersonField } from '../../parts/pickFields.tsx'

/** The number and the amount of a month: of a branch, a store of it, a consultant. */
export default function TargetDrawer({
  month,
  target: t,
  ...p
}: DrawerProps & { month: string; target: TargetRow | null }) {
  const form = useForm(signingBoardApi.setTarget, {
    month,
    bc_id: t?.bc_id ?? null,
    store_id: t?.store_id ?? null,
    consultant_id: t?.consultant_id ?? null,
    people: t?.people ?? null,
    money: t?.money ?? '',
    version: t?.version ?? null,
    reason: '',
  })
  const { data: stores = [] } = useQuery({
    queryKey: [customersApi.stores.path],
    staleTime: Infinity,
    queryFn: ({ signal }) => call(customersApi.stores, {}, signal),
  })
  const near = stores.filter((s) => s.bc_id === form.values.bc_id)
  return (
    <FormDrawer {...p} narrow form={form} title={`${month} 的签约目标`} done="已设定">
      {t ? (
        <p className="quiet">{[t.bc_name, t.storeName, t.consultantName].filter(Boolean).join(' · ')}</p>
      ) : (
        <>
          <BranchField of={form} name="bc_id" />
          <OneField
            of={form}
            name="store_id"
            clear
            placeholder="整个分公司"
            options={near.map((s) => ({ value: s.id, label: s.name }))}
          />
          <PersonField
            of={form}
            name="consultant_id"
            {...(form.values.bc_id ? { bc: form.values.bc_id } : {})}
            hint="不选就是门店或分公司的目标"
          />
        </>
      )}
      <NumberField of={form} name="people" />
      <TextField of={form} name="money" label="签约金额（元）" />
      <ReasonField of={form} name="reason" example="旺季，比上月多两户" />
    </FormDrawer>
  )
}
