import { sitesApi } from '@zhuguan/contract/features/sites/sites.api.ts'
import { type SiteDetail, siteStage } from '@zhuguan/contract/features/sites/sites.record.ts'
import { stagesApi } from '@zhuguan/contract/features/sites/stages.api.ts'
import { plannedEndOf } from '@zhuguan/contract/features/sites/stages.record.ts'
import type { BodyOf } from '@zhuguan/contract/kit/api.ts'

import { call } from '../../kit/api.ts'
import { DayField } from '../../kit/form/DayField.tsx'
import { type DrawerProps, FormDrawer } from '../../kit/form/FormDrawer.tsx'
import { Lines } from '../../kit/form/Lines.tsx'
import { type Draft, type RowIn, useForm } from '../../kit/form/useForm.ts'

const planOf = ({ id, version, stages }: SiteDetail) => ({
  id,
  version,
  stages: stages.map(({ stage, plannedStart, plannedFinish }) => ({
    stage,
    plannedStart: plannedStart ?? '',
    plannedFinish: plannedFinish ?? '',
  })),
})

type PlannedRow = Draft<RowIn<BodyOf<typeof stagesApi.plan>, 'stages'>>
/** What the site's own plan becomes, and where a stage goes on after the next has begun: said before it is saved. */
function Consequences({ rows, site }: { rows: readonly PlannedRow[]; site: SiteDetail }) {
  const stages = site.stages.map((was, i) => {
    const now = rows[i]
    return now?.plannedStart && now.plannedFinish
      ? { stage: was.stage, plannedStart: now.plannedStart, plannedFinish: now.plannedFinish }
      : was
  })
  const end = plannedEndOf(stages, site.plannedFinish)
  const planned = stages.filter((s) => s.plannedStart && s.plannedFinish)
  const overlaps = planned.flatMap((s, i) => {
    const next = planned[i + 1]
    if (!next || s.plannedFinish! < next.plannedStart!) return []
    return [
      `${siteStage.label(s.stage)}到 ${s.plannedFinish} 才完成，${siteStage.label(next.stage)} ${next.plannedStart} 就开始`,
    ]
  })
  return (
    <div className="lead" aria-live="polite">
      {end !== site.plannedFinish && (
        <p>
          保存以后，整个工地的计划完工由 {site.plannedFinish ?? '未填'} 改为 <b>{end}</b>
        </p>
      )}
      {overlaps.length > 0 && <p className="quiet">有重叠：{overlaps.join('；')}</p>}
    </div>
  )
}

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
      <Consequences rows={form.values.stages ?? []} site={site} />
    </FormDrawer>
  )
}
