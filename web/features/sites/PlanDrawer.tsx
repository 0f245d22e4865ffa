import { type SiteDetail, siteStage } from '@zhuguan/contract/features/sites/sites.record.ts'
import { stagesApi } from '@zhuguan/contract/features/sites/stages.api.ts'
import { Input } from 'antd'
import { useState } from 'react'

import { call } from '../../kit/api.ts'
import { AskDrawer, Field } from '../../kit/AskDrawer.tsx'

/** The planned days of every stage; comes when somebody plans. */
export default function PlanDrawer({
  site,
  ...p
}: {
  site: SiteDetail
  onClose: () => void
  onDone: () => void
}) {
  const [days, setDays] = useState(
    site.stages.map(({ stage, plannedStart, plannedFinish }) => ({
      stage,
      plannedStart: plannedStart ?? '',
      plannedFinish: plannedFinish ?? '',
    })),
  )
  const set = (stage: string, more: Partial<(typeof days)[number]>) =>
    setDays((old) => old.map((d) => (d.stage === stage ? { ...d, ...more } : d)))
  const planned = days.filter((d) => d.plannedStart && d.plannedFinish)
  const half = days.some((d) => !d.plannedStart !== !d.plannedFinish)
  return (
    <AskDrawer
      {...p}
      title={`阶段排期：${site.ws_name}`}
      done="已保存排期"
      ready={planned.length > 0 && !half}
      send={() => call(stagesApi.plan, { body: { id: site.id, version: site.version, stages: planned } })}
    >
      {(errors) => (
        <>
          {errors.stages && <p role="alert">{errors.stages}</p>}
          {days.map((d) => (
            <div key={d.stage} className="field-pair">
              <Field label={`${siteStage.label(d.stage)} 开始`}>
                <Input
                  type="date"
                  value={d.plannedStart}
                  onChange={(e) => set(d.stage, { plannedStart: e.target.value })}
                />
              </Field>
              <Field label="完成">
                <Input
                  type="date"
                  min={d.plannedStart}
                  value={d.plannedFinish}
                  onChange={(e) => set(d.stage, { plannedFinish: e.target.value })}
                />
              </Field>
            </div>
          ))}
        </>
      )}
    </AskDrawer>
  )
}
