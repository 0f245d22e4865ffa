import { storesApi } from '@zhuguan/contract/features/companies/companies.api.ts'
import { companyStatus, type StoreRow } from '@zhuguan/contract/features/companies/companies.record.ts'

import { call } from '../../kit/api.ts'
import { ChoiceField, SwitchField, TextField } from '../../kit/form/fields.tsx'
import { type DrawerProps, FormDrawer } from '../../kit/form/FormDrawer.tsx'
import { type Fields, useForm } from '../../kit/form/useForm.ts'
import { BranchField } from '../../parts/pickFields.tsx'
import { PlaceField } from './PlaceField.tsx'

const NEW = {
  name: '',
  bc_id: null,
  address: '',
  principal: '',
  phone: '',
  receivesOrders: false,
  lng: null,
  lat: null,
  status: companyStatus.code.active,
}
const factsOf = ({
  id,
  version,
  name,
  bc_id,
  address,
  principal,
  phone,
  receivesOrders,
  lng,
  lat,
  status,
}: StoreRow) => ({
  id,
  version,
  name,
  bc_id,
  address,
  principal,
  phone,
  receivesOrders,
  lng,
  lat,
  status,
  confirmed: false,
})

const { active, disabled } = companyStatus.code
const isStopping = (was: number, now: number | null | undefined) => was === active && now === disabled

export default function StoreDrawer({ store, ...p }: DrawerProps & { store: StoreRow | null }) {
  const latest = () =>
    call(storesApi.list, { query: { bc_id: [store!.bc_id], pageSize: 100 } }).then(({ list }) =>
      factsOf(list.find((s) => s.id === store!.id) ?? store!),
    )
  const form = useForm(
    store ? storesApi.edit : storesApi.add,
    store ? factsOf(store) : NEW,
    store ? { latest } : {},
  )
  const stopping: Fields<{ confirmed: boolean }> = { raw: form.raw, values: {}, set: () => {} }
  return (
    <FormDrawer
      {...p}
      form={form}
      title={store ? `编辑 ${store.name}` : '新增门店'}
      done={() => ({ text: `${form.values.name} 已${store ? '保存' : '新增'}` })}
    >
      <BranchField of={form} name="bc_id" disabled={!!store} />
      <TextField of={form} name="name" />
      <TextField of={form} name="address" />
      <div className="pair">
        <TextField of={form} name="principal" label="店长" />
        <TextField of={form} name="phone" inputMode="tel" />
      </div>
      <PlaceField of={form} />
      <SwitchField of={form} name="receivesOrders" words={['接单', '不接单']} />
      <ChoiceField of={form} name="status" codes={companyStatus} />
      {store && isStopping(store.status, form.values.status) && (
        <SwitchField
          of={stopping}
          name="confirmed"
          words={['仍要停用', '先处理']}
          hint="还有订单没有答复时：仍要停用的，下单人会收到通知，商家的账号还能答复"
        />
      )}
    </FormDrawer>
  )
}
