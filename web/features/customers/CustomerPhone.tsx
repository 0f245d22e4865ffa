import { customersApi } from '@zhuguan/contract/features/customers/customers.api.ts'

import { call } from '../../kit/api.ts'
import { Unmasked } from '../../parts/Unmasked.tsx'

/** A number with its middle hidden, of the customer or of somebody of the home. */
export const CustomerPhone = ({
  customer: { id, name, phone },
  contact,
}: {
  customer: { id: string; name: string; phone: string }
  contact?: { id: string; name: string; phone: string }
}) => (
  <Unmasked
    id={contact?.id ?? id}
    number={contact?.phone ?? phone}
    what="电话"
    whose={contact?.name ?? name}
    needs="customer:number"
    look={(reason) =>
      call(customersApi.phone, { body: { id, contact_id: contact?.id ?? null, reason } }).then((p) => p.phone)
    }
  >
    {(whole) => <a href={`tel:${whole}`}>{whole}</a>}
  </Unmasked>
)
