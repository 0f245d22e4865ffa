import { noWorkApi } from '@zhuguan/contract/features/no-work/no-work.api.ts'
import { type NoWorkRow, stopReason } from '@zhuguan/contract/features/no-work/no-work.record.ts'

import { CodeField, TextField } from '../../kit/form/fields.tsx'
import { type DrawerProps, FormDrawer } from '../../kit/form/FormDrawer.tsx'
import { useForm } from '../../kit/form/useForm.ts'

/** Why the site stands still, in a code and the clerk's own words. */
export default function ReasonDrawer({ site, ...p }: DrawerProps & { site: NoWorkRow }) {
  const { id, version, reason, remark } = site
  const form = useForm(noWorkApi.reason, { id, version, reason, remark })
  return (
    <FormDrawer {...p} narrow form={form} title={`登记停工原因 · ${site.ws_name}`} done="已登记">
      <p className="quiet lead">
        已停工 {site.noWorkRun} 天（累计 {site.noWorkSum} 天）。复工后原因自动清除，时间线里仍可查到。
      </p>
      <CodeField of={form} name="reason" codes={stopReason} placeholder="选择原因" />
      <TextField of={form} name="remark" rows={3} />
    </FormDrawer>
  )
}
