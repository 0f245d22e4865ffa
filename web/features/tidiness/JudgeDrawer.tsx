import { tidinessResult } from '@zhuguan/contract/features/sites/sites.record.ts'
import { tidinessApi } from '@zhuguan/contract/features/tidiness/tidiness.api.ts'
import type { TidinessRow } from '@zhuguan/contract/features/tidiness/tidiness.record.ts'

import { call } from '../../kit/api.ts'
import { ChoiceField, ReasonField } from '../../kit/form/fields.tsx'
import { type DrawerProps, FormDrawer } from '../../kit/form/FormDrawer.tsx'
import { useForm } from '../../kit/form/useForm.ts'
import { Picture } from '../../kit/Picture.tsx'
import { full, short } from '../../kit/time.ts'
import { Tidy } from '../../parts/Tidy.tsx'
import { seenBy } from './words.tsx'

/** Another result, and why. */
export default function JudgeDrawer({
  check,
  ...p
}: DrawerProps & { check: TidinessRow; onDone: () => void }) {
  const form = useForm(
    tidinessApi.judge,
    { id: check.id, version: check.version, result: null, reason: '' },
    {
      // Somebody was faster: the drawer gives way to the check as it is now, and says who it was.
      latest: async () => {
        const { judgedAt, judgedBy, result } = await call(tidinessApi.details, { query: { id: check.id } })
        p.onDone()
        p.onClose()
        throw new Error(`${judgedBy} 已于 ${short(judgedAt)} 改判为“${tidinessResult.label(result)}”`)
      },
    },
  )
  const others = {
    ...tidinessResult,
    options: tidinessResult.options.filter((o) => o.value !== check.result),
  }
  return (
    <FormDrawer {...p} narrow form={form} title={`改判 · ${check.siteName}`} ok="改判" done="已改判">
      <div className="lead">
        <Picture
          picture={check.picture}
          caption={`${seenBy(check)} ${full(check.at)}`}
          width="100%"
          size="medium"
        />
        <p>
          现在的结果：
          <Tidy result={check.result} />
        </p>
        <p className="quiet">
          改判后，工地的整洁度、统计、日报和首页都按新的结果算；“摄像头偏移”不计入统计。
        </p>
      </div>
      <ChoiceField of={form} name="result" codes={others} />
      <ReasonField of={form} name="reason" example="材料已归堆，地面干净" />
    </FormDrawer>
  )
}
