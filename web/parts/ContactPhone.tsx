import { ownersApi } from '@zhuguan/contract/features/owners/owners.api.ts'

import { call } from '../kit/api.ts'
import { Unmasked } from './Unmasked.tsx'

/** A contact's number, its middle hidden until somebody says why they look. */
export const ContactPhone = ({ of }: { of: { id: string; name: string; phone: string } }) => (
  <Unmasked
    id={of.id}
    number={of.phone}
    what="电话"
    whose={of.name}
    needs="owner:phone"
    look={(reason) => call(ownersApi.phone, { body: { id: of.id, reason } }).then(({ phone }) => phone)}
  >
    {(phone) => <a href={`tel:${phone}`}>{phone}</a>}
  </Unmasked>
)
