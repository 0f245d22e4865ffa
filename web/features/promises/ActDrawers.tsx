import { promisesApi } from '@zhuguan/contract/features/promises/promises.api.ts'
import type { PromiseRow } from '@zhuguan/contract/features/promises/promises.record.ts'

import { call } from '../../kit/api.ts'
import { DayField } from '../../kit/form/DayField.tsx'
import { ChoiceField, ReasonField, TextField } from '../../kit/form/fields.tsx'
import { type DrawerProps, FormDrawer } from '../../kit/form/FormDrawer.tsx'
import { useForm } from '../../kit/form/useForm.ts'
import { dayOf, nowSeconds, short } from '../../kit/time.ts'
import { heard } from '../../parts/EnterDrawer.tsx'
import { PicturesField } from '../../parts/PictureFields.tsx'
import type { Asking } from './usePromiseActions.ts'

type Props = DrawerProps & { promise: PromiseRow }

const Subject = ({ promise: p }: { promise: PromiseRow }) => (
  <div className="lead">
    <b>{p.content}</b>
    <p className="quiet">
      {p.siteName}，{p.due} 到期，{p.authorName} {short(p.madeAt)} 承诺
    </p>
  </div>
)
/** Somebody was faster: the drawer gives way to the promise as it is now. */
const givingWay = ({ promise, onDone, onClose }: Props) => ({
  latest: async () => {
    await call(promisesApi.details, { query: { id: promise.id } })
    onDone()
    onClose()
    throw new Error('已换成最新的内容')
  },
})

function KeepDrawer(p: Props) {
  const { id, version } = p.promise
  const form = useForm(promisesApi.keep, { id, version, pictures: [], text: '' }, givingWay(p))
  return (
    <FormDrawer {...p} narrow form={form} title="兑现承诺" done="已兑现">
      <Subject promise={p.promise} />
      <PicturesField of={form} name="pictures" label="照片（须在作出承诺之后拍摄）" caption="兑现的照片" />
      <TextField of={form} name="text" rows={3} />
    </FormDrawer>
  )
}

function ExtendDrawer(p: Props) {
  const { id, version, due } = p.promise
  const today = dayOf(nowSeconds())
  const form = useForm(promisesApi.extend, { id, version, due: '', reason: '' }, givingWay(p))
  return (
    <FormDrawer {...p} narrow form={form} title="延期承诺" done="已延期，首次到期仍保留">
      <Subject promise={p.promise} />
      <DayField of={form} name="due" from={due < today ? today : due} hint="须晚于现在的到期" />
      <ReasonField of={form} name="reason" example="材料晚到，已和业主说明" hint="业主在自己的页面上会看到" />
    </FormDrawer>
  )
}

function ObjectDrawer(p: Props) {
  const { id, version } = p.promise
  const form = useForm(promisesApi.object, { id, version, channel: null, reason: '' }, givingWay(p))
  return (
    <FormDrawer {...p} narrow form={form} title="代录异议" done="已登记为投诉，由主管裁定">
      <Subject promise={p.promise} />
      <ChoiceField of={form} name="channel" codes={heard} />
      <ReasonField
        of={form}
        name="reason"
        example="柜门还是关不上"
        hint="写业主的话；同时登记一条投诉，按反馈的时限答复"
      />
    </FormDrawer>
  )
}

const DRAWERS = { keep: KeepDrawer, extend: ExtendDrawer, object: ObjectDrawer }
/** Loaded with the first drawer that is opened. */
export default function ActDrawers({ kind, ...p }: Props & Pick<Asking, 'kind'>) {
  const Asked = DRAWERS[kind]
  return <Asked {...p} />
}
