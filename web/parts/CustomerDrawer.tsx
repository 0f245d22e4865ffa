import { useQuery } from '@tanstack/react-query'
import { customersApi } from '@zhuguan/contract/features/customers/customers.api.ts'
import { type CustomerRow, customerSource } from '@zhuguan/contract/features/customers/customers.record.ts'
import { hasPermission } from '@zhuguan/contract/kit/permits.ts'
import { useEffect, useState } from 'react'

import { call } from '../kit/api.ts'
import { OneField, OwnField, TextField } from '../kit/form/fields.tsx'
import { FormDrawer } from '../kit/form/FormDrawer.tsx'
import { type Fields, useForm } from '../kit/form/useForm.ts'
import { IntroducerPick } from './IntroducerPick.tsx'
import { PersonField, BranchField } from './pickFields.tsx'
import { useBranches } from './places.tsx'
import { useActor } from './session.ts'
import { ToldField } from './ToldField.tsx'
import { useSources } from './useSources.ts'

const PAUSE_MS = 400
const { introduced } = customerSource.code
const WHOLE = /^(\+?86)?[\s-]*1[3-9](\D?\d){9}$/

const useStores = () =>
  useQuery({
    queryKey: [customersApi.stores.path],
    staleTime: Infinity,
    queryFn: ({ signal }) => call(customersApi.stores, {}, signal),
  }).data ?? []

/** The owner of a number, asked when somebody pauses with a whole one. */
function useKnown(bc_id: string | null | undefined, phone: string | null | undefined): string {
  const [words, setWords] = useState('')
  useEffect(() => {
    setWords('')
    if (!bc_id || !phone || !WHOLE.test(phone.trim())) return undefined
    const timer = setTimeout(
      () =>
        void call(customersApi.known, { body: { bc_id, phone } }).then(
          (k) => setWords(k.words),
          () => {},
        ),
      PAUSE_MS,
    )
    return () => clearTimeout(timer)
  }, [bc_id, phone])
  return words
}

/** Somebody new: in the own name, a colleague's, or in the pool of the store. */
export function AddCustomer({
  name = '',
  phone = '',
  mine = false,
  onClose,
  onMade,
}: {
  name?: string
  phone?: string
  /** The one who writes them down follows them up. */
  mine?: boolean
  onClose: () => void
  onMade: (id: string) => void | Promise<void>
}) {
  const branches = useBranches()
  const actor = useActor()
  const stores = useStores()
  const form = useForm(customersApi.add, {
    bc_id: branches.length === 1 ? branches[0]!.bc_id : null,
    store_id: null,
    name,
    phone,
    source: 'walkIn',
    community: '',
    address: '',
    area: null,
    budget: null,
    style: '',
    introducer_id: null,
    consultant_id: mine && hasPermission(actor, 'customer:follow') ? actor.id : null,
    told: false,
  })
  const { bc_id } = form.values
  const near = stores.filter((s) => s.bc_id === bc_id)
  const only = near.length === 1 ? near[0]!.id : undefined
  const onlyBranch = branches.length === 0 ? stores[0]?.bc_id : undefined
  useEffect(() => {
    if (only) form.raw.preset('store_id', only)
  }, [only])
  useEffect(() => {
    if (onlyBranch) form.raw.preset('bc_id', onlyBranch)
  }, [onlyBranch])
  const known = useKnown(bc_id, form.values.phone)
  return (
    <FormDrawer
      form={form}
      title="新增客户"
      done={() => ({ text: `${form.values.name} 已记下` })}
      onClose={onClose}
      onDone={({ id }) => onMade(id)}
    >
      {branches.length > 1 && <BranchField of={form} name="bc_id" />}
      <div className="pair">
        <TextField of={form} name="name" focus />
        <TextField of={form} name="phone" inputMode="tel" hint={known || undefined} />
      </div>
      <HomeFields of={form} />
      <div className="pair">
        <SourceField of={form} />
        {near.length > 1 && (
          <OneField
            of={form}
            name="store_id"
            clear
            placeholder="分公司本部"
            options={near.map((s) => ({ value: s.id, label: s.name }))}
          />
        )}
      </div>
      {form.values.source === introduced && (
        <OwnField of={form} name="introducer_id">
          {(_now, put) => <IntroducerPick onPick={put} />}
        </OwnField>
      )}
      <PersonField
        of={form}
        name="consultant_id"
        {...(bc_id ? { bc: bc_id } : {})}
        hint="不选就放进公海，等分配或认领"
      />
      <ToldField of={form} notice="customer" />
    </FormDrawer>
  )
}

/** The sources of the group; one that is not offered any more stays where it is. */
function SourceField({ of: form }: { of: Fields<{ source?: string }> }) {
  const now = form.values.source
  return (
    <OneField of={form} name="source" options={useSources().filter((s) => s.offered || s.value === now)} />
  )
}

/** The facts of a home. */
function HomeFields({ of: form }: { of: ReturnType<typeof useForm<typeof customersApi.add>> }) {
  return (
    <>
      <div className="pair">
        <TextField of={form} name="community" />
        <TextField of={form} name="address" />
      </div>
      <div className="pair">
        <TextField of={form} name="area" label="面积（㎡）" />
        <TextField of={form} name="budget" label="预算（元）" />
      </div>
      <TextField of={form} name="style" />
    </>
  )
}

export function EditCustomer({
  customer,
  onClose,
  onDone,
}: {
  customer: CustomerRow
  onClose: () => void
  onDone: () => void
}) {
  const {
    address,
    area,
    bc_id,
    budget,
    community,
    id,
    introducer_id,
    name,
    source,
    store_id,
    style,
    version,
  } = customer
  const stores = useStores().filter((s) => s.bc_id === bc_id)
  const form = useForm(customersApi.edit, {
    id,
    version,
    name,
    phone: '',
    source,
    store_id,
    community,
    address,
    area,
    budget,
    style,
    introducer_id,
  })
  return (
    <FormDrawer form={form} title={`编辑 ${name}`} done="已保存" onClose={onClose} onDone={onDone}>
      <div className="pair">
        <TextField of={form} name="name" focus />
        <TextField of={form} name="phone" inputMode="tel" hint={`现在是 ${customer.phone}，不改就留空`} />
      </div>
      <div className="pair">
        <SourceField of={form} />
        {stores.length > 1 && (
          <OneField
            of={form}
            name="store_id"
            clear
            placeholder="分公司本部"
            options={stores.map((s) => ({ value: s.id, label: s.name }))}
          />
        )}
      </div>
      <div className="pair">
        <TextField of={form} name="community" />
        <TextField of={form} name="address" />
      </div>
      <div className="pair">
        <TextField of={form} name="area" label="面积（㎡）" />
        <TextField of={form} name="budget" label="预算（元）" />
      </div>
      <TextField of={form} name="style" />
      {form.values.source === introduced && (
        <OwnField of={form} name="introducer_id">
          {(_now, put) => <IntroducerPick name={customer.introducerName} onPick={put} />}
        </OwnField>
      )}
    </FormDrawer>
  )
}
