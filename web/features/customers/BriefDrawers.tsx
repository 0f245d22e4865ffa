import type { CustomerDetail } from '@zhuguan/contract/features/customers/customers.record.ts'
import { handoversApi } from '@zhuguan/contract/features/handovers/handovers.api.ts'
import type { CustomerBrief } from '@zhuguan/contract/features/handovers/handovers.record.ts'
import { promiseSubject } from '@zhuguan/contract/features/promises/promises.record.ts'
import { principalPost } from '@zhuguan/contract/features/users/users.record.ts'

import { DayField } from '../../kit/form/DayField.tsx'
import { ChoiceField, TextField } from '../../kit/form/fields.tsx'
import { type DrawerProps, FormDrawer } from '../../kit/form/FormDrawer.tsx'
import { useForm } from '../../kit/form/useForm.ts'
import { dayOf, nowSeconds } from '../../kit/time.ts'

interface Of extends DrawerProps {
  customer: CustomerDetail
  brief: CustomerBrief
}
/** Comes when the first of them is opened. */
export default function BriefDrawers({ opened, ...p }: Of & { opened: 'promise' | 'write' }) {
  return opened === 'write' ? <WriteDrawer {...p} /> : <EarlyDrawer {...p} />
}

function WriteDrawer({ customer: k, brief: b, ...p }: Of) {
  const form = useForm(handoversApi.write, {
    customer_id: k.id,
    version: b.version,
    taste: b.taste,
    people: b.people,
    fears: b.fears,
    given: b.given,
  })
  return (
    <FormDrawer {...p} form={form} title={`${k.name} 给工地的交底`} done="已记下，签约时交给管家">
      <TextField of={form} name="taste" rows={2} example="原木色，少吊顶，厨房要大水槽" focus />
      <TextField of={form} name="people" rows={2} example="老人腿脚不便，孩子两岁，养猫" />
      <TextField of={form} name="fears" rows={2} example="怕拖工期，怕增项，上次装修被坑过" />
      <TextField of={form} name="given" rows={2} example="送全屋窗帘杆、保洁一次" />
    </FormDrawer>
  )
}

function EarlyDrawer({ customer: k, brief: _brief, ...p }: Of) {
  const form = useForm(handoversApi.promise, {
    customer_id: k.id,
    subject: null,
    content: '',
    due: '',
    post: principalPost.code.steward,
  })
  return (
    <FormDrawer {...p} form={form} title={`答应 ${k.name} 的事`} done="已记下，签约时带到工地">
      <ChoiceField of={form} name="subject" codes={promiseSubject} />
      <TextField of={form} name="content" rows={2} example="瓷砖按样板间的型号" />
      <DayField of={form} name="due" from={dayOf(nowSeconds())} hint="到这一天结束为止" />
      <ChoiceField of={form} name="post" codes={principalPost} hint="签约以后由工地的谁负责" />
    </FormDrawer>
  )
}
