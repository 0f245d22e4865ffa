import { personsApi } from '@zhuguan/contract/features/persons/persons.api.ts'
import {
  personAsk,
  type PersonDetail,
  personKind,
  personProof,
} from '@zhuguan/contract/features/persons/persons.record.ts'

import { ChoiceField } from '../../kit/form/fields.tsx'
import { type DrawerProps, FormDrawer } from '../../kit/form/FormDrawer.tsx'
import { useForm } from '../../kit/form/useForm.ts'
import { PictureField } from '../../parts/PictureFields.tsx'

/** The proof that it is this person who asks. */
export default function VerifyDrawer(p: DrawerProps & { request: PersonDetail }) {
  const { ask, byDevice, id, kind, name, no, version } = p.request
  const { device, paper } = personProof.code
  const form = useForm(personsApi.verify, { id, version, proof: byDevice ? device : paper, paper: null })
  const isPaper = form.values.proof === paper
  return (
    <FormDrawer {...p} narrow form={form} title="核实本人" done="已核实，已通知可以执行的人">
      <div className="lead">
        <b>
          {no} {name}
        </b>
        <p className="quiet">
          {personKind.label(kind)}，{personAsk.label(ask)}
          {byDevice ? '；从业主页上提出' : ''}
        </p>
      </div>
      <ChoiceField
        of={form}
        name="proof"
        codes={personProof}
        hint="由两个人经手确认过的手机才算；核实的人不能自己执行"
      />
      {isPaper && (
        <PictureField of={form} name="paper" caption="本人签字的材料" hint="请拍清姓名、日期和签字" />
      )}
    </FormDrawer>
  )
}
