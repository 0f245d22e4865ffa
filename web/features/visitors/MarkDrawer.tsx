import { visitorsApi } from '@zhuguan/contract/features/visitors/visitors.api.ts'
import { visitIdentity, type VisitRow } from '@zhuguan/contract/features/visitors/visitors.record.ts'

import { ChoiceField, TextField } from '../../kit/form/fields.tsx'
import { type DrawerProps, FormDrawer } from '../../kit/form/FormDrawer.tsx'
import { useForm } from '../../kit/form/useForm.ts'
import { Picture } from '../../kit/Picture.tsx'
import { full } from '../../kit/time.ts'
import { captionOf } from './visitTable.tsx'

/** Who a stranger was. */
export default function MarkDrawer({ visit: v, ...p }: DrawerProps & { visit: VisitRow }) {
  const form = useForm(visitorsApi.mark, { id: v.id, version: v.version, identity: null, remark: '' })
  return (
    <FormDrawer {...p} narrow form={form} title="标记身份" done="已标记">
      <div className="lead">
        {v.picture && <Picture picture={v.picture} caption={captionOf(v)} width="100%" size="medium" />}
        <p>
          <b>{v.siteName}</b>
          <br />
          <span className="quiet">
            {v.deviceSn && `${v.deviceSn} · `}
            {full(v.at)} · 停留 {v.minutes} 分钟
          </span>
        </p>
      </div>
      <ChoiceField of={form} name="identity" codes={visitIdentity} />
      <TextField of={form} name="remark" example="业主的父亲" />
    </FormDrawer>
  )
}
