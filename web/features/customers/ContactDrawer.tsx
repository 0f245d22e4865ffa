import { customersApi } from '@zhuguan/contract/features/customers/customers.api.ts'
import { contactRelation, type CustomerRow } from '@zhuguan/contract/features/customers/customers.record.ts'

import { CodeField, TextField } from '../../kit/form/fields.tsx'
import { type DrawerProps, FormDrawer } from '../../kit/form/FormDrawer.tsx'
import { useForm } from '../../kit/form/useForm.ts'

/** Another person of the home. */
export default function ContactDrawer({ customer: k, ...p }: DrawerProps & { customer: CustomerRow }) {
  const form = useForm(customersApi.addContact, {
    id: k.id,
    version: k.version,
    name: '',
    relation: 'spouse',
    phone: '',
  })
  return (
    <FormDrawer {...p} narrow form={form} title={`${k.name} 的联系人`} done="已记下">
      <TextField of={form} name="name" focus />
      <CodeField of={form} name="relation" codes={contactRelation} />
      <TextField of={form} name="phone" inputMode="tel" />
    </FormDrawer>
  )
}
