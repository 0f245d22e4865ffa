import { noWorkApi } from '@zhuguan/contract/features/no-work/no-work.api.ts'
import { type NoWorkRow, stopReason } from '@zhuguan/contract/features/no-work/no-work.record.ts'
import { Input, Select } from 'antd'
import { useState } from 'react'

import { call } from '../../kit/api.ts'
import { AskDrawer, Field } from '../../kit/AskDrawer.tsx'

/** Why the site stands still, in a code and the clerk's own words. */
export default function ReasonDrawer({
  site,
  onClose,
  onDone,
}: {
  site: NoWorkRow
  onClose: () => void
  onDone: () => void
}) {
  const [reason, setReason] = useState(site.reason)
  const [remark, setRemark] = useState(site.remark)
  return (
    <AskDrawer
      title={`登记停工原因 · ${site.ws_name}`}
      done="已登记"
      ready={reason !== null}
      onClose={onClose}
      onDone={onDone}
      send={() =>
        call(noWorkApi.reason, { body: { id: site.id, version: site.version, reason: reason!, remark } })
      }
    >
      {(errors) => (
        <>
          <p className="quiet">
            已停工 {site.noWorkRun} 天（累计 {site.noWorkSum} 天）。复工后原因自动清除，时间线里仍可查到。
          </p>
          <Field label="原因" error={errors.reason}>
            <Select
              aria-label="原因"
              placeholder="选择原因"
              value={reason ?? undefined}
              options={stopReason.options}
              onChange={setReason}
              style={{ width: '100%' }}
            />
          </Field>
          <Field label="备注" error={errors.remark}>
            <Input.TextArea
              value={remark}
              maxLength={200}
              rows={3}
              showCount
              onChange={(e) => setRemark(e.target.value)}
            />
          </Field>
        </>
      )}
    </AskDrawer>
  )
}
