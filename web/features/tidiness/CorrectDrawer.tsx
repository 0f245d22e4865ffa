import { tidinessApi } from '@zhuguan/contract/features/tidiness/tidiness.api.ts'
import type { TidinessRow } from '@zhuguan/contract/features/tidiness/tidiness.record.ts'

import { TextField } from '../../kit/form/fields.tsx'
import { type DrawerProps, FormDrawer } from '../../kit/form/FormDrawer.tsx'
import { useForm } from '../../kit/form/useForm.ts'
import { Picture } from '../../kit/Picture.tsx'
import { full } from '../../kit/time.ts'
import { PersonField } from '../../parts/pickFields.tsx'
import { Tidy } from '../../parts/Tidy.tsx'
import { seenBy } from './words.tsx'

/** Somebody has to tidy up: what, and who. */
export default function CorrectDrawer({
  check,
  ...p
}: DrawerProps & { check: TidinessRow; onDone: () => void }) {
  const form = useForm(tidinessApi.correct, {
    id: check.id,
    version: check.version,
    problem: '',
    assignee_id: null,
  })
  return (
    <FormDrawer
      {...p}
      narrow
      form={form}
      title={`生成整改 · ${check.siteName}`}
      ok="生成整改"
      done="已生成整改单，责任人会收到通知"
    >
      <div className="lead">
        <Picture
          picture={check.picture}
          caption={`${seenBy(check)} ${full(check.at)}`}
          width="100%"
          size="medium"
        />
        <p>
          整洁度：
          <Tidy result={check.result} />
        </p>
      </div>
      <TextField of={form} name="problem" example="客厅垃圾未清，材料未归堆" />
      <PersonField of={form} name="assignee_id" site={check.site_id} correct="correction" />
    </FormDrawer>
  )
}
