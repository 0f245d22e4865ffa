import { supervisionApi } from '@zhuguan/contract/features/supervision/supervision.api.ts'
import {
  type Figure,
  figure as figures,
  type Supervision,
} from '@zhuguan/contract/features/supervision/supervision.record.ts'

import { TextField } from '../../kit/form/fields.tsx'
import { type DrawerProps, FormDrawer } from '../../kit/form/FormDrawer.tsx'
import { useForm } from '../../kit/form/useForm.ts'

/** What somebody has to say to a figure of theirs: it stays beside it, for whoever looks. */
export default function RemarkDrawer({
  figure,
  of: { from, person, to },
  ...p
}: DrawerProps & { figure: Figure; of: Supervision }) {
  const form = useForm(supervisionApi.remark, { bc_id: person.bc_id, figure, from, to, words: '' })
  return (
    <FormDrawer {...p} narrow form={form} title="写说明" done="已写在指标旁边，上级也看得到">
      <div className="lead">
        <b>{figures.label(figure)}</b>
        <p className="quiet">
          {from} 至 {to}
        </p>
      </div>
      <TextField of={form} name="words" rows={4} />
    </FormDrawer>
  )
}
