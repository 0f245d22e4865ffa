import { ownersApi } from '@zhuguan/contract/features/owners/owners.api.ts'
import {
  type Contact,
  contactRelation,
  promisesAfter,
} from '@zhuguan/contract/features/owners/owners.record.ts'

import { ChoiceField, CodeField, ReasonField, TextField } from '../../kit/form/fields.tsx'
import { type DrawerProps, FormDrawer } from '../../kit/form/FormDrawer.tsx'
import { useForm } from '../../kit/form/useForm.ts'
import { SiteField } from '../../parts/pickFields.tsx'

type Known = Pick<Contact, 'id' | 'name' | 'phone' | 'relation' | 'version'>
export type Opened =
  | { kind: 'add' }
  | { kind: 'correct' | 'change' | 'edit'; contact: Known }
  | { kind: 'contact'; site_id: string }
const KEEPS = '不填则保持原来的号码'
const relations = {
  ...contactRelation,
  options: contactRelation.options.filter(({ value }) => value !== contactRelation.code.owner),
}

function Add(p: DrawerProps) {
  const form = useForm(ownersApi.add, { site_id: null, name: '', phone: '' })
  return (
    <FormDrawer {...p} form={form} title="新增业主" done="业主已登记">
      <SiteField of={form} name="site_id" hint="还没有业主的工地；已有业主的请用“更换业主”" />
      <TextField of={form} name="name" example="李女士" />
      <TextField of={form} name="phone" inputMode="tel" example="13900139000" />
    </FormDrawer>
  )
}
function Correct({ contact, ...p }: DrawerProps & { contact: Known }) {
  const { id, name, version } = contact
  const form = useForm(ownersApi.correct, { id, version, name, phone: '', reason: '' })
  return (
    <FormDrawer {...p} form={form} title={`更正业主：${name}`} done="已更正">
      <p className="quiet lead">还是同一个人：姓名写错了，或换了号码。这个人名下的其他工地一起更正。</p>
      <TextField of={form} name="name" />
      <TextField of={form} name="phone" inputMode="tel" {...(contact.phone ? { hint: KEEPS } : {})} />
      <ReasonField of={form} name="reason" example="签约时姓名写错" />
    </FormDrawer>
  )
}
function Change({ contact, ...p }: DrawerProps & { contact: Known }) {
  const { id, name, version } = contact
  const form = useForm(ownersApi.change, {
    id,
    version,
    name: '',
    phone: '',
    promises: undefined,
    reason: '',
  })
  return (
    <FormDrawer {...p} form={form} title={`更换业主：${name}`} done="业主已更换">
      <p className="quiet lead">
        换成另一个人：{name}
        和家人从今天起不再是这个家的联系人，以前的合同和记录仍在他们名下；新业主从今天看起；业主链接、看现场的同意和授权同时结束，正在看的画面停止。还没有答复的询问由系统撤回，约好还没来的到访由系统取消，需要时和新业主重新约。
      </p>
      <TextField of={form} name="name" label="新业主姓名" example="王先生" />
      <TextField of={form} name="phone" label="新业主电话" inputMode="tel" example="13900139000" />
      <ChoiceField
        of={form}
        name="promises"
        codes={promisesAfter}
        hint="还有没兑现的承诺时必选；已到期的撤回后算没有兑现"
      />
      <ReasonField of={form} name="reason" example="房屋转让，已核对过户资料" />
    </FormDrawer>
  )
}
function NewContact({ site_id, ...p }: DrawerProps & { site_id: string }) {
  const form = useForm(ownersApi.addContact, { site_id, name: '', relation: null, phone: '' })
  return (
    <FormDrawer {...p} form={form} title="新增联系人" done="已新增">
      <TextField of={form} name="name" example="李先生" />
      <CodeField of={form} name="relation" codes={relations} />
      <TextField of={form} name="phone" inputMode="tel" />
    </FormDrawer>
  )
}
function EditContact({ contact, ...p }: DrawerProps & { contact: Known }) {
  const { id, name, relation, version } = contact
  const form = useForm(ownersApi.editContact, { id, version, name, relation, phone: '' })
  return (
    <FormDrawer {...p} form={form} title={`编辑联系人：${name}`} done="已保存">
      <TextField of={form} name="name" />
      <CodeField of={form} name="relation" codes={relations} />
      <TextField of={form} name="phone" inputMode="tel" {...(contact.phone ? { hint: KEEPS } : {})} />
    </FormDrawer>
  )
}

export default function OwnerDrawers({ opened, ...p }: DrawerProps & { opened: Opened }) {
  switch (opened.kind) {
    case 'add':
      return <Add {...p} />
    case 'correct':
      return <Correct {...p} contact={opened.contact} />
    case 'change':
      return <Change {...p} contact={opened.contact} />
    case 'edit':
      return <EditContact {...p} contact={opened.contact} />
    case 'contact':
      return <NewContact {...p} site_id={opened.site_id} />
  }
}
