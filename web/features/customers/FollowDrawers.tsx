import { followUpsApi } from '@zhuguan/contract/features/customers/follow-ups.api.ts'
import { followKind, type FollowRow } from '@zhuguan/contract/features/customers/follow-ups.record.ts'

import { ChoiceField, OwnField, TextField } from '../../kit/form/fields.tsx'
import { type DrawerProps, FormDrawer } from '../../kit/form/FormDrawer.tsx'
import { MomentField } from '../../kit/form/MomentField.tsx'
import { useForm } from '../../kit/form/useForm.ts'
import { nowSeconds, short } from '../../kit/time.ts'
import { Clashes, NextFields, proposed } from './FollowFields.tsx'
import { useKeptWords } from './useKeptWords.ts'

interface Of {
  id: string
  name: string
}
export type OpenedFollow =
  | { kind: 'follow' | 'plan'; customer: Of; how?: FollowRow['kind'] }
  | { kind: 'done' | 'move'; follow: FollowRow; to?: number }

/** Comes when the first of them is opened. */
export default function FollowDrawers({ opened, ...p }: DrawerProps & { opened: OpenedFollow }) {
  switch (opened.kind) {
    case 'follow':
      return <FollowDrawer {...p} customer={opened.customer} how={opened.how ?? 'phone'} />
    case 'plan':
      return <PlanDrawer {...p} customer={opened.customer} how={opened.how ?? 'phone'} />
    case 'done':
      return <DoneDrawer {...p} follow={opened.follow} />
    default:
      return <MoveDrawer {...p} follow={opened.follow} to={opened.to ?? opened.follow.at} />
  }
}

/** Written in ten seconds: how, what was said, when again. */
function FollowDrawer({ customer, how, ...p }: DrawerProps & { customer: Of; how: FollowRow['kind'] }) {
  const form = useForm(followUpsApi.add, {
    customer_id: customer.id,
    kind: how,
    at: nowSeconds(),
    content: '',
    result: '',
    next: proposed('phone'),
  })
  const drop = useKeptWords(`follow/${customer.id}`, form.values.content, (content) => form.set({ content }))
  return (
    <FormDrawer
      {...p}
      narrow
      form={form}
      title={`跟进 ${customer.name}`}
      done="已记下"
      onDone={() => {
        drop()
        p.onDone()
      }}
    >
      <ChoiceField of={form} name="kind" codes={followKind} />
      <TextField of={form} name="content" rows={3} focus />
      <MomentField of={form} name="at" hint="最多补记 3 天之内的" />
      <OwnField of={form} name="next">
        {(value, put) => <NextFields customer_id={customer.id} value={value} put={put} />}
      </OwnField>
    </FormDrawer>
  )
}

function PlanDrawer({ customer, how, ...p }: DrawerProps & { customer: Of; how: FollowRow['kind'] }) {
  const form = useForm(followUpsApi.plan, {
    customer_id: customer.id,
    kind: how,
    at: proposed(how).at,
    content: '',
  })
  return (
    <FormDrawer {...p} narrow form={form} title={`计划跟进 ${customer.name}`} done="已计划">
      <ChoiceField of={form} name="kind" codes={followKind} />
      <MomentField of={form} name="at" />
      <Clashes customer_id={customer.id} at={form.values.at} />
      <TextField of={form} name="content" rows={3} />
    </FormDrawer>
  )
}

function Planned({ follow: f }: { follow: FollowRow }) {
  return (
    <div className="lead">
      <b>
        {followKind.label(f.kind)} {f.customerName}
      </b>
      <p className="quiet">
        计划 {short(f.at)}
        {f.content && `，${f.content}`}
      </p>
    </div>
  )
}

function DoneDrawer({ follow: f, ...p }: DrawerProps & { follow: FollowRow }) {
  const form = useForm(followUpsApi.done, {
    id: f.id,
    version: f.version,
    at: nowSeconds(),
    result: '',
    next: proposed('phone'),
  })
  const drop = useKeptWords(`done/${f.id}`, form.values.result, (result) => form.set({ result }))
  return (
    <FormDrawer
      {...p}
      narrow
      form={form}
      title="完成跟进"
      done="已完成"
      onDone={() => {
        drop()
        p.onDone()
      }}
    >
      <Planned follow={f} />
      <TextField of={form} name="result" rows={3} focus />
      <MomentField of={form} name="at" hint="最多补记 3 天之内的" />
      <OwnField of={form} name="next">
        {(value, put) => <NextFields customer_id={f.customer_id} value={value} put={put} />}
      </OwnField>
    </FormDrawer>
  )
}

function MoveDrawer({ follow: f, to, ...p }: DrawerProps & { follow: FollowRow; to: number }) {
  const form = useForm(followUpsApi.move, { id: f.id, version: f.version, at: to })
  return (
    <FormDrawer {...p} narrow form={form} title="跟进改期" done="已改期">
      <Planned follow={f} />
      <MomentField of={form} name="at" />
      <Clashes customer_id={f.customer_id} at={form.values.at} id={f.id} />
    </FormDrawer>
  )
}
