import { warningsApi } from '@zhuguan/contract/features/warnings/warnings.api.ts'
import {
  deviationWords,
  type WarningRow,
  warningRule,
} from '@zhuguan/contract/features/warnings/warnings.record.ts'

import { call } from '../../kit/api.ts'
import { DayField } from '../../kit/form/DayField.tsx'
import { TextField } from '../../kit/form/fields.tsx'
import { type DrawerProps, FormDrawer } from '../../kit/form/FormDrawer.tsx'
import { useForm } from '../../kit/form/useForm.ts'
import { dayOf, nowSeconds } from '../../kit/time.ts'

/** The person who takes a warning says what will be done and until when. */
export default function TakeDrawer(p: DrawerProps & { warning: WarningRow }) {
  const { id, version, siteName, rule, deviation } = p.warning
  const form = useForm(
    warningsApi.take,
    { id, version, text: '', until: '' },
    {
      // Somebody was faster: the drawer gives way to the warning as it is now.
      latest: async () => {
        await call(warningsApi.details, { query: { id } })
        p.onDone()
        p.onClose()
        throw new Error('已换成最新的内容')
      },
    },
  )
  return (
    <FormDrawer {...p} narrow form={form} title="处理预警" done="已记下，到那天以前不再提醒">
      <div className="lead">
        <b>{siteName}</b>
        <p className="quiet">
          {warningRule.label(rule)}，{deviationWords(rule, deviation)}
        </p>
      </div>
      <TextField of={form} name="text" rows={3} />
      <DayField of={form} name="until" from={dayOf(nowSeconds())} hint="到这一天早上还没有消除，会再提醒" />
    </FormDrawer>
  )
}
