import { sitesApi } from '@zhuguan/contract/features/sites/sites.api.ts'
import { type SiteDetail, siteStage } from '@zhuguan/contract/features/sites/sites.record.ts'
import { stagesApi } from '@zhuguan/contract/features/sites/stages.api.ts'

import { call } from '../../kit/api.ts'
import { DayField } from '../../kit/form/DayField.tsx'
import { type DrawerProps, FormDrawer } from '../../kit/form/FormDrawer.tsx'
import { Lines } from '../../kit/form/Lines.tsx'
import { useForm } from '../../kit/form/useForm.ts'

const planOf = ({ id, version, stages }: SiteDetail) => ({
  id,
  version,
  stages: stages.map(({ stage, plannedStart, plannedFinish }) => ({
    stage,
    plannedStart: plannedStart ?? '',
    plannedFinish: plannedFinish ?? '',
  })),
})

/** The planned days of every stage; comes when somebody plans. */
export default function PlanDrawer({ site, ...p }: DrawerProps & { site: SiteDetail }) {
  const form = useForm(stagesApi.plan, planOf(site), {
    blank: { stages: ['plannedStart', 'plannedFinish'] },
    latest: () => call(sitesApi.details, { query: { id: site.id } }).then(planOf),
  })
  return (
    <FormDrawer {...p} form={form} title={`阶段排期：${site.ws_name}`} done="已保存排期">
      <p className="quiet lead">两个日期都不填的阶段，保留原来的排期。</p>
      <Lines
        of={form}
        name="stages"
        mayBeBlank
        columns="72px 1fr 1fr"
        title={({ stage }) => siteStage.label(stage)}
      >
        {(row) => (
          <>
            <b className="line-name">{siteStage.label(row.values.stage)}</b>
            <DayField of={row} name="plannedStart" />
            <DayField of={row} name="plannedFinish" from={row.values.plannedStart} />
          </>
        )}
      </Lines>
    </FormDrawer>
  )
}
