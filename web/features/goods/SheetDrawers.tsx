import { goodsApi } from '@zhuguan/contract/features/goods/goods.api.ts'
import {
  finding,
  goodsOutcome,
  goodsReason,
  type SheetDetail,
} from '@zhuguan/contract/features/goods/goods.record.ts'

import { ChoiceField, CodeField, SwitchField, TextField } from '../../kit/form/fields.tsx'
import { type DrawerProps, FormDrawer } from '../../kit/form/FormDrawer.tsx'
import { useForm } from '../../kit/form/useForm.ts'
import { PicturesField } from '../../parts/PictureFields.tsx'
import { COMPLAINTS, RETURN_OUTCOMES } from './outcomes.ts'
import type { SheetLine } from './sheetDraft.ts'

type Props = DrawerProps & { sheet: SheetDetail; line: SheetLine }
const { exchange, return: returned } = finding.code

/** The claims of a line beside the judging: something wrong with what was accepted, or more than was ordered. */
export default function SheetDrawers({ kind, ...p }: Props & { kind: 'complain' | 'surplus' }) {
  return kind === 'complain' ? <Complain {...p} /> : <Surplus {...p} />
}
const begun = ({ id, version }: SheetDetail, line: SheetLine) => ({
  id,
  version,
  line_id: line.line_id,
  quantity: '',
  reason: '',
  photos: [],
  outcomeReason: '',
  scrap: false,
})

function Complain({ sheet, line, ...p }: Props) {
  const form = useForm(
    goodsApi.complain,
    { ...begun(sheet, line), result: exchange, reasonCode: 'quality', outcome: goodsOutcome.code.none },
    { need: ['photos'] },
  )
  const { outcome, result } = form.values
  return (
    <FormDrawer
      {...p}
      form={form}
      title={`申请退换补 ${line.name}`}
      ok="提交申请"
      done={({ code }) => ({ text: `已提交 ${code}，等待商家答复和审核` })}
    >
      <p className="quiet">
        已验收 {line.accepted} {line.unit}，申诉期到 {sheet.complainUntil} 为止。审核通过以后才会变动。
      </p>
      <ChoiceField of={form} name="result" codes={{ options: COMPLAINTS }} label="申请" />
      <TextField of={form} name="quantity" label={`数量（${line.unit}）`} inputMode="numeric" />
      <CodeField of={form} name="reasonCode" codes={goodsReason} />
      <TextField of={form} name="reason" rows={2} example="开裂，装上后才看到" />
      <PicturesField of={form} name="photos" caption={`${line.name} 照片`} />
      {result === returned && (
        <>
          <ChoiceField of={form} name="outcome" codes={{ options: RETURN_OUTCOMES }} />
          {outcome === goodsOutcome.code.borne && <TextField of={form} name="outcomeReason" rows={2} />}
        </>
      )}
      {(result === returned || result === exchange) && (
        <SwitchField of={form} name="scrap" label="实物" words={['现场报废', '退回商家']} />
      )}
    </FormDrawer>
  )
}

function Surplus({ sheet, line, ...p }: Props) {
  const form = useForm(
    goodsApi.surplus,
    { ...begun(sheet, line), reasonCode: 'other', outcome: goodsOutcome.code.back },
    { need: ['photos'] },
  )
  return (
    <FormDrawer
      {...p}
      form={form}
      title={`登记多件 ${line.name}`}
      ok="登记"
      done={({ code }) => ({ text: `已登记 ${code}，等待商家答复和审核` })}
    >
      <p className="quiet">
        比发货单多出来的数量，不占用订单，退回商家。要留下用，请先在合同里做增项，再按新订单下单。
      </p>
      <TextField of={form} name="quantity" label={`多出数量（${line.unit}）`} inputMode="numeric" />
      <TextField of={form} name="reason" rows={2} example="多送了一箱" />
      <PicturesField of={form} name="photos" caption={`${line.name} 多件照片`} />
    </FormDrawer>
  )
}
