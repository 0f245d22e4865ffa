import { useQuery } from '@tanstack/react-query'
import { customersApi } from '@zhuguan/contract/features/customers/customers.api.ts'
import {
  type CustomerRow,
  customerStep,
  lostReason,
} from '@zhuguan/contract/features/customers/customers.record.ts'
import { Radio } from 'antd'
import { useState } from 'react'

import { call } from '../../kit/api.ts'
import { CodeField, OneField, OwnField, ReasonField } from '../../kit/form/fields.tsx'
import { type DrawerProps, FormDrawer } from '../../kit/form/FormDrawer.tsx'
import { useForm } from '../../kit/form/useForm.ts'
import { message } from '../../kit/notices.ts'
import { CustomerPick } from '../../parts/CustomerPick.tsx'
import type { Asking } from './useCustomerActions.ts'

/** Who may have customers of a place; who is away or has enough says so. */
function useConsultants({ bc_id, store_id }: Pick<CustomerRow, 'bc_id' | 'store_id'>, but?: string | null) {
  const { data = [] } = useQuery({
    queryKey: [customersApi.consultants.path, bc_id, store_id],
    queryFn: ({ signal }) =>
      call(customersApi.consultants, { query: { bc_id, store_id: store_id ?? undefined } }, signal),
  })
  return data
    .filter((c) => c.id !== but)
    .map((c) => ({
      value: c.id,
      label: `${c.name}（在跟 ${c.n} / ${c.cap}${c.away ? '，今天不在' : ''}）`,
      disabled: c.n >= c.cap,
    }))
}

/** Comes when the first of them is opened. */
export default function HoldDrawers({
  kind,
  customers,
  ...p
}: DrawerProps & { kind: Asking['kind']; customers: Asking['customers'] }) {
  const [first] = customers
  switch (kind) {
    case 'assign':
      return <AssignDrawer {...p} customers={customers} />
    case 'hand':
      return <HandDrawer {...p} customer={first!} />
    case 'merge':
      return <MergeDrawer {...p} customer={first!} />
    default:
      return <LoseDrawer {...p} customer={first!} />
  }
}

/** One or many out of the pool: by rule, or to somebody. */
function AssignDrawer({ customers, ...p }: DrawerProps & { customers: readonly CustomerRow[] }) {
  const people = useConsultants(customers[0]!)
  const form = useForm(customersApi.assign, {
    list: customers.map(({ id, version }) => ({ id, version })),
    to: null,
  })
  return (
    <FormDrawer
      {...p}
      narrow
      form={form}
      title={`分配 ${customers.length} 位客户`}
      done={({ list }) => {
        const [one] = list
        return {
          text: list.length === 1 ? `${one!.name} 分给${one!.to}：${one!.why}` : `已分配 ${list.length} 位`,
        }
      }}
    >
      <p className="quiet">
        {customers
          .slice(0, 8)
          .map((k) => k.name)
          .join('、')}
        {customers.length > 8 && ` 等 ${customers.length} 位`}
      </p>
      <OneField
        of={form}
        name="to"
        clear
        placeholder="按规则分配"
        options={people}
        hint="按规则：同小区的先给已在那里跟进的顾问，其余轮流；不在的、到上限的不分"
      />
    </FormDrawer>
  )
}

function HandDrawer({ customer: k, ...p }: DrawerProps & { customer: CustomerRow }) {
  const people = useConsultants(k, k.consultant_id)
  const form = useForm(customersApi.hand, { id: k.id, version: k.version, to: null, reason: '' })
  return (
    <FormDrawer {...p} narrow form={form} title={`转交 ${k.name}`} done="已转交，双方都会收到消息">
      <p className="quiet">现在由{k.consultantName}跟进，没办完的跟进计划一起转过去</p>
      <OneField of={form} name="to" options={people} />
      <ReasonField of={form} name="reason" example="客户希望换一位顾问" />
    </FormDrawer>
  )
}

function LoseDrawer({ customer: k, ...p }: DrawerProps & { customer: CustomerRow }) {
  const form = useForm(customersApi.lose, { id: k.id, version: k.version, why: null, reason: '' })
  return (
    <FormDrawer {...p} narrow danger form={form} title={`${k.name} 流失`} done="已记为流失，仍在统计里">
      <CodeField of={form} name="why" codes={lostReason} />
      <ReasonField of={form} name="reason" example="嫌报价高，选了小区门口那家" />
    </FormDrawer>
  )
}

type Field =
  | 'address'
  | 'area'
  | 'budget'
  | 'community'
  | 'consultant'
  | 'name'
  | 'source'
  | 'store'
  | 'style'
const COMPARED: readonly (readonly [Field, string, (k: CustomerRow) => string])[] = [
  ['name', '姓名', (k) => k.name],
  ['community', '小区', (k) => k.community],
  ['address', '地址', (k) => k.address],
  ['area', '面积', (k) => k.area ?? ''],
  ['budget', '预算', (k) => k.budget ?? ''],
  ['style', '风格', (k) => k.style],
  ['store', '门店', (k) => k.storeName],
  ['consultant', '顾问', (k) => k.consultantName],
]

/** Side by side, field by field: which one stays, and what of the other is taken. */
function MergeDrawer({ customer: k, ...p }: DrawerProps & { customer: CustomerRow }) {
  const [into, setInto] = useState<CustomerRow | null>(null)
  const form = useForm(customersApi.merge, {
    id: k.id,
    version: k.version,
    into: null,
    intoVersion: 0,
    take: [],
    reason: '',
  })
  const pick = (other: CustomerRow) => {
    if (other.id === k.id) {
      message.error('请选择另一位客户')
      return
    }
    setInto(other)
    form.set({ into: other.id, intoVersion: other.version, take: [] })
  }
  return (
    <FormDrawer
      {...p}
      danger
      form={form}
      title={`把 ${k.name} 并入另一位`}
      done="已合并，原来的链接会打开合并后的客户"
    >
      <OwnField of={form} name="into" hint="跟进、报价、合同、电话都归到这一位名下，不能撤销">
        {() => <CustomerPick value={into} onPick={pick} onNew={() => {}} />}
      </OwnField>
      {into && (
        <OwnField of={form} name="take" label="内容不同的，选保留哪一个">
          {(value, put) => {
            const taken: readonly Field[] = value ?? []
            const different = COMPARED.filter(([, , of]) => of(k) !== of(into) && of(k) !== '')
            if (different.length === 0) return <p className="quiet">两位的内容没有不同</p>
            return (
              <table className="plain-table">
                <tbody>
                  {different.map(([field, title, of]) => (
                    <tr key={field}>
                      <th scope="row">{title}</th>
                      <td>
                        <Radio.Group
                          aria-label={title}
                          value={taken.includes(field) ? 'their' : 'own'}
                          options={[
                            { value: 'own', label: of(into) || '（空）' },
                            { value: 'their', label: of(k) },
                          ]}
                          onChange={(e) =>
                            put(
                              e.target.value === 'their'
                                ? [...taken, field]
                                : taken.filter((f) => f !== field),
                            )
                          }
                        />
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            )
          }}
        </OwnField>
      )}
      {into && (
        <p className="quiet">
          {into.name}：{customerStep.label(into.step)}，{into.phone}；{k.name}：{customerStep.label(k.step)}，
          {k.phone}
        </p>
      )}
      <ReasonField of={form} name="reason" example="夫妻两人各留了一个电话" />
    </FormDrawer>
  )
}
