import { sitesApi } from '@zhuguan/contract/features/sites/sites.api.ts'
import { type SiteDetail, siteStage } from '@zhuguan/contract/features/sites/sites.record.ts'
import { stageActions } from '@zhuguan/contract/features/sites/stages.actions.ts'
import { stagesApi } from '@zhuguan/contract/features/sites/stages.api.ts'

import { call } from '../../kit/api.ts'
import { DayField } from '../../kit/form/DayField.tsx'
import { ReasonField } from '../../kit/form/fields.tsx'
import { type DrawerProps, FormDrawer } from '../../kit/form/FormDrawer.tsx'
import { useForm } from '../../kit/form/useForm.ts'
import { dayOf, nowSeconds } from '../../kit/time.ts'
import { planText, type Stage } from './stageDays.ts'

export type StageStep = 'begin' | 'accept' | 'redo'

/** A step of a stage, and on which day it was; done again, it says why. */
export default function StageDrawer({
  site,
  stage,
  action,
  ...p
}: DrawerProps & { site: SiteDetail; stage: Stage; action: StageStep }) {
  const today = dayOf(nowSeconds())
  const start = { id: site.id, version: site.version, stage: stage.stage, action, day: today, reason: '' }
  const again = action === 'redo'
  const form = useForm(stagesApi.change, start, {
    need: again ? ['day', 'reason'] : ['day'],
    latest: async () => ({
      ...start,
      version: (await call(sitesApi.details, { query: { id: site.id } })).version,
    }),
  })
  const what = `${siteStage.label(stage.stage)}${stageActions.table[action].label}`
  return (
    <FormDrawer {...p} narrow form={form} title={`${what}：${site.ws_name}`} done={`${what}，已记录`}>
      <p className="quiet lead">计划 {planText(stage)}</p>
      <DayField
        of={form}
        name="day"
        from={action === 'accept' ? stage.actualStart : site.startDate}
        to={today}
      />
      {again && <ReasonField of={form} name="reason" label="返工的原因" example="卫生间地砖空鼓" />}
    </FormDrawer>
  )
}
