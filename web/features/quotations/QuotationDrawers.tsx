import { customersApi } from '@zhuguan/contract/features/customers/customers.api.ts'
import type { CustomerRow } from '@zhuguan/contract/features/customers/customers.record.ts'
import { quotationsApi } from '@zhuguan/contract/features/quotations/quotations.api.ts'
import { DEFAULT_TAX, VALID_DAYS } from '@zhuguan/contract/features/quotations/quotations.record.ts'
import { Button, Drawer } from 'antd'
import { useEffect, useRef, useState } from 'react'

import { call } from '../../kit/api.ts'
import { OwnField } from '../../kit/form/fields.tsx'
import { type DrawerProps, FormDrawer } from '../../kit/form/FormDrawer.tsx'
import { useForm } from '../../kit/form/useForm.ts'
import { dayOf, nowSeconds } from '../../kit/time.ts'
import { AddCustomer } from '../../parts/CustomerDrawer.tsx'
import { CustomerPick } from '../../parts/CustomerPick.tsx'

export type OpenedQuotation =
  | { kind: 'new' }
  | { kind: 'copy'; id: string; code: string; number: number; customer_id: string }
  | { kind: 'customer'; onPick: (customer: CustomerRow) => void }

interface Props extends Omit<DrawerProps, 'onDone'> {
  /** The quotation that has been made. */
  onMade: (id: string) => void
}
/** Loaded with the first drawer that is opened. */
export default function QuotationDrawers({ opened, ...p }: Props & { opened: OpenedQuotation }) {
  if (opened.kind === 'new') return <NewQuotation {...p} />
  if (opened.kind === 'copy') return <CopyQuotation {...p} {...opened} />
  return <PickCustomer onPick={opened.onPick} onClose={p.onClose} />
}

const DAY = 86_400
const empty = (area: string) => ({
  package_id: null,
  area,
  taxPercent: DEFAULT_TAX,
  validUntil: dayOf(nowSeconds() + VALID_DAYS * DAY),
  remark: '',
  rooms: [],
  lines: [],
  discounts: [],
})
function NewQuotation({ onMade, onClose }: Props) {
  const form = useForm(quotationsApi.add, { customer_id: null, content: empty('0') })
  return (
    <FormDrawer
      narrow
      form={form}
      title="新建报价单"
      done={(made) => ({ text: `报价单 ${made.code} 已建好` })}
      onClose={onClose}
      onDone={(made) => onMade(made.id)}
    >
      <OwnField of={form} name="customer_id" hint="新来的人：输入姓名，按回车新增">
        {(_id, put) => (
          <CustomerChoice
            onPick={(customer) => {
              put(customer.id)
              form.raw.put('content', empty(customer.area ?? '0'))
            }}
          />
        )}
      </OwnField>
    </FormDrawer>
  )
}
function CopyQuotation({
  id,
  code,
  number,
  customer_id,
  onMade,
  onClose,
}: Props & Extract<OpenedQuotation, { kind: 'copy' }>) {
  const form = useForm(quotationsApi.copy, { id, number, customer_id })
  return (
    <FormDrawer
      narrow
      form={form}
      title={`复制 ${code} v${number}`}
      done={(made) => ({ text: `已复制为 ${made.code}` })}
      onClose={onClose}
      onDone={(made) => onMade(made.id)}
    >
      <OwnField of={form} name="customer_id" hint="可以换一个客户">
        {(_id, put) => <CustomerChoice begun={customer_id} onPick={(picked) => put(picked.id)} />}
      </OwnField>
    </FormDrawer>
  )
}
function PickCustomer({ onPick, onClose }: { onPick: (customer: CustomerRow) => void; onClose: () => void }) {
  const [chosen, setChosen] = useState<CustomerRow | null>(null)
  return (
    <Drawer
      open
      title="换一个客户"
      size="min(420px, 100vw)"
      onClose={onClose}
      footer={
        <div className="drawer-foot">
          <span className="grow" />
          <Button onClick={onClose}>取消</Button>
          <Button
            type="primary"
            disabled={!chosen}
            onClick={() => {
              onPick(chosen!)
              onClose()
            }}
          >
            确定
          </Button>
        </div>
      }
    >
      <CustomerChoice onPick={setChosen} />
    </Drawer>
  )
}

/** Looked up, or made on the spot. */
function CustomerChoice({ begun, onPick }: { begun?: string; onPick: (customer: CustomerRow) => void }) {
  const [customer, setCustomer] = useState<CustomerRow | null>(null)
  useEffect(() => {
    if (begun)
      void call(customersApi.pick, { query: { id: begun } }).then(([one]) => setCustomer(one ?? null))
  }, [begun])
  const [typed, setTyped] = useState<string | null>(null)
  const pick = (picked: CustomerRow) => {
    setCustomer(picked)
    onPick(picked)
  }
  const box = useRef<HTMLDivElement>(null)
  const isAdding = typed !== null
  useEffect(() => {
    // The drawer in front took the keyboard with it.
    if (!isAdding) requestAnimationFrame(() => box.current?.querySelector('input')?.focus())
  }, [isAdding])
  return (
    <div ref={box}>
      <CustomerPick value={customer} onPick={pick} onNew={setTyped} />
      <button type="button" className="text-button" onClick={() => setTyped('')}>
        新增客户
      </button>
      {typed !== null && (
        // Its keys are its own, not those of the form that it was opened from.
        <div onKeyDown={(e) => e.stopPropagation()}>
          <NewCustomer typed={typed} onClose={() => setTyped(null)} onMade={pick} />
        </div>
      )}
    </div>
  )
}
const isPhone = (text: string) => /^\d{7,}/.test(text)
function NewCustomer({
  typed,
  onClose,
  onMade,
}: {
  typed: string
  onClose: () => void
  onMade: (customer: CustomerRow) => void
}) {
  /** The form behind has its customer before it has the keyboard again; unread, they are looked up there by name. */
  const made = async (id: string) => {
    const [customer] = await call(customersApi.pick, { query: { id } }).catch(() => [])
    if (customer) onMade(customer)
  }
  const known = isPhone(typed) ? { phone: typed } : { name: typed }
  return <AddCustomer {...known} mine onClose={onClose} onMade={made} />
}
