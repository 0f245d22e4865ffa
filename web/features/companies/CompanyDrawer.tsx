import { companiesApi } from '@zhuguan/contract/features/companies/companies.api.ts'
import { type CompanyRow, companyStatus } from '@zhuguan/contract/features/companies/companies.record.ts'

import { call } from '../../kit/api.ts'
import { SwitchField, TextField } from '../../kit/form/fields.tsx'
import { type DrawerProps, FormDrawer } from '../../kit/form/FormDrawer.tsx'
import { useForm } from '../../kit/form/useForm.ts'
import { PlaceField } from './PlaceField.tsx'

const NEW = {
  bc_name: '',
  code: '',
  city: '',
  principal: '',
  phone: '',
  address: '',
  lng: null,
  lat: null,
  receivesOrders: true,
  status: companyStatus.code.active,
}
const factsOf = (company: CompanyRow) => {
  const { id, version, bc_name, code, city, principal, phone, address, lng, lat, receivesOrders, status } =
    company
  return { id, version, bc_name, code, city, principal, phone, address, lng, lat, receivesOrders, status }
}

export default function CompanyDrawer({ company, ...p }: DrawerProps & { company: CompanyRow | null }) {
  const latest = () =>
    call(companiesApi.list, { query: { pageSize: 100 } }).then(({ list }) =>
      factsOf(list.find((c) => c.id === company!.id) ?? company!),
    )
  const form = useForm(
    company ? companiesApi.edit : companiesApi.add,
    company ? factsOf(company) : NEW,
    company ? { latest } : {},
  )
  return (
    <FormDrawer
      {...p}
      form={form}
      title={company ? `编辑 ${company.bc_name}` : '新增分公司'}
      done={() => ({ text: `${form.values.bc_name} 已${company ? '保存' : '新增'}` })}
    >
      <TextField of={form} name="bc_name" example="绍兴分公司" />
      <div className="pair">
        <TextField upper of={form} name="code" example="SX" hint="大写字母和数字，2 到 8 位" />
        <TextField of={form} name="city" example="绍兴" />
        <TextField of={form} name="principal" />
        <TextField of={form} name="phone" inputMode="tel" />
      </div>
      <TextField of={form} name="address" />
      <PlaceField of={form} />
      <SwitchField of={form} name="receivesOrders" words={['接单', '不接单']} />
    </FormDrawer>
  )
}
