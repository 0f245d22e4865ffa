import type { CustomerRow } from '@zhuguan/contract/features/customers/customers.record.ts'
import { useState } from 'react'

import { CustomerPick } from './CustomerPick.tsx'

/** The person who brought a customer: another customer, an owner who has signed. */
export function IntroducerPick({
  name = '',
  onPick,
}: {
  /** The person that it is now. */
  name?: string
  onPick: (id: string) => void
}) {
  const [picked, setPicked] = useState<CustomerRow | null>(null)
  return (
    <>
      <CustomerPick
        label="介绍人"
        signed
        value={picked}
        onPick={(k) => {
          setPicked(k)
          onPick(k.id)
        }}
      />
      {name && !picked && <p className="quiet">现在是{name}</p>}
    </>
  )
}
