import { sitesApi } from '@zhuguan/contract/features/sites/sites.api.ts'
import { type SiteDetail, siteStage, stageState } from '@zhuguan/contract/features/sites/sites.record.ts'
import { stageActions } from '@zhuguan/contract/features/sites/stages.actions.ts'
import { stagesApi } from '@zhuguan/contract/features/sites/stages.api.ts'

import { call } from '../../kit/api.ts'
import { DayField } from '../../kit/form/DayField.tsx'
import { ReasonField } from '../../kit/form/fields.tsx'
import { type DrawerProps, FormDrawer } from '../../kit/form/FormDrawer.tsx'
import { useForm } from '../../kit/form/useForm.ts'
import { dayOf, nowSeconds } from '../../kit/time.ts'
import { planText, type Stage } from './stageDays.ts'

/** The fate of a stage, and where it is known, by whom and on which day. */
const saidOf = (as: Stage | undefined): string =>
  as?.acceptedBy
    ? `已被 ${as.acceptedBy} 于 ${as.actualFinish} 验收通过，已换成最新的内容`
    : `这个阶段刚刚变为“${stageState.label(as?.state)}”，已换成最新的内容`

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
    latest: async () => {
      const now = await call(sitesApi.details, { query: { id: site.id } })
      const as = now.stages.find((s) => s.stage === stage.stage)
      if (as?.state === stage.state) return { ...start, version: now.version }
      // Somebody has done it: the drawer gives way to the stage as it is now.
      p.onDone()
      p.onClose()
      throw new Error(saidOf(as))
    },
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
