import { goodsApi } from '@zhuguan/contract/features/goods/goods.api.ts'
import {
  type GoodsChangeRow,
  goodsAnswer,
  goodsGrade,
} from '@zhuguan/contract/features/goods/goods.record.ts'

import { ChoiceField, TextField } from '../../kit/form/fields.tsx'
import { type DrawerProps, FormDrawer } from '../../kit/form/FormDrawer.tsx'
import { useForm } from '../../kit/form/useForm.ts'
import { whatOf } from '../../parts/goodsEvidence.tsx'
import { PicturesField } from '../../parts/PictureFields.tsx'
import type { OpenedChange, Step } from './useGoodsActions.ts'

const ANSWERS = { options: goodsAnswer.options.filter((o) => o.value !== goodsAnswer.code.none) }
const GRADES = { options: goodsGrade.options.filter((o) => o.value !== goodsGrade.code.none) }

export default function ChangeDrawers({ asked, ...p }: DrawerProps & { asked: OpenedChange }) {
  return asked.kind === 'answer' ? <Answer {...p} of={asked.change} /> : <Grade {...p} of={asked.step} />
}

function Answer({ of: g, ...p }: DrawerProps & { of: GoodsChangeRow }) {
  const form = useForm(goodsApi.answer, {
    id: g.id,
    version: g.version,
    answer: null,
    reason: '',
    photos: [],
  })
  const isDispute = form.values.answer === goodsAnswer.code.dispute
  return (
    <FormDrawer {...p} form={form} title={`答复 ${g.code}`} ok="答复" done="已答复，等待审核">
      <p className="quiet">
        {g.name} {whatOf(g)} {g.quantity} {g.unit}。答复以后不能修改，审核人会看到两边的说法和照片。
      </p>
      <ChoiceField of={form} name="answer" codes={ANSWERS} />
      <TextField
        of={form}
        name="reason"
        rows={3}
        label={isDispute ? '理由' : '说明'}
        example={isDispute ? '发出时完好，有装车照片' : '两天内补发'}
      />
      <PicturesField of={form} name="photos" caption={`${g.code} 商家照片`} />
    </FormDrawer>
  )
}

function Grade({ of: step, ...p }: DrawerProps & { of: Step }) {
  const form = useForm(goodsApi.grade, {
    id: step.id,
    version: step.version,
    grade: null,
    reason: '',
    amount: '0',
  })
  return (
    <FormDrawer {...p} narrow form={form} title={`验货 ${step.code}`} ok="验货" done="已验货，退货结束">
      <ChoiceField of={form} name="grade" codes={GRADES} />
      <TextField of={form} name="reason" rows={3} example="边角磕碰两处" />
      {form.values.grade === goodsGrade.code.damaged && (
        <TextField of={form} name="amount" label="请下单方赔付（元，不要求填 0）" example="60" />
      )}
    </FormDrawer>
  )
}
