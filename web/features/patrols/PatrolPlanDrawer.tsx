import { useQuery } from '@tanstack/react-query'
import { patrolKind } from '@zhuguan/contract/features/patrols/patrols.record.ts'
import { patrolPlansApi, patrolTemplatesApi } from '@zhuguan/contract/features/patrols/plans.api.ts'
import {
  planEvery,
  planShare,
  type PlanRow,
  templateStatus,
  weekday,
} from '@zhuguan/contract/features/patrols/plans.record.ts'
import { siteStage } from '@zhuguan/contract/features/sites/sites.record.ts'
import type { BodyOf } from '@zhuguan/contract/kit/api.ts'

import { call } from '../../kit/api.ts'
import { TimeField } from '../../kit/form/DayField.tsx'
import {
  ChoiceField,
  CodeField,
  NumberField,
  OneField,
  OwnField,
  PickManyField,
  TextField,
} from '../../kit/form/fields.tsx'
import { type DrawerProps, FormDrawer } from '../../kit/form/FormDrawer.tsx'
import { type Fields, useForm } from '../../kit/form/useForm.ts'
import { BranchField } from '../../parts/pickFields.tsx'
import { findPeople, findSites, personOf, siteOf } from '../../parts/places.tsx'

type PlanBody = BodyOf<typeof patrolPlansApi.add | typeof patrolPlansApi.edit>
const NEW = {
  name: '',
  bc_id: null,
  kind: patrolKind.code.scene,
  template_id: null,
  site_ids: null,
  every: planEvery.code.day,
  weekdays: weekday.values.slice(0, 6),
  stage: null,
  share: planShare.code.one,
  user_ids: [],
  fromTime: '08:00',
  toTime: '18:00',
  days: 1,
}
const factsOf = (p: PlanRow) => ({
  id: p.id,
  version: p.version,
  name: p.name,
  kind: p.kind,
  template_id: p.template_id,
  site_ids: p.site_ids,
  every: p.every,
  weekdays: p.weekdays,
  stage: p.stage,
  share: p.share,
  user_ids: p.user_ids,
  fromTime: p.fromTime,
  toTime: p.toTime,
  days: p.days,
})
function copyOf(plan: PlanRow) {
  const { id: _id, version: _version, ...facts } = factsOf(plan)
  return { ...facts, bc_id: plan.bc_id, name: `${plan.name} 副本` }
}

/** A plan: what is looked at, where, when and by whom. A copy begins with what another one says. */
export default function PatrolPlanDrawer({
  plan,
  copy,
  ...p
}: DrawerProps & { plan: PlanRow | null; copy: boolean }) {
  return plan && !copy ? <EditPlan {...p} plan={plan} /> : <AddPlan {...p} from={plan} />
}
function AddPlan({ from, ...p }: DrawerProps & { from: PlanRow | null }) {
  const form = useForm(patrolPlansApi.add, from ? copyOf(from) : NEW)
  return (
    <FormDrawer {...p} form={form} title="新增巡检计划" done={() => ({ text: `${form.values.name} 已新增` })}>
      <TextField of={form} name="name" example="项目经理日检" />
      <BranchField of={form} name="bc_id" />
      <PlanFacts of={form} bc={form.values.bc_id ?? undefined} />
    </FormDrawer>
  )
}
function EditPlan({ plan, ...p }: DrawerProps & { plan: PlanRow }) {
  const latest = () =>
    call(patrolPlansApi.list, { query: { id: plan.id } }).then(({ list }) => factsOf(list[0] ?? plan))
  const form = useForm(patrolPlansApi.edit, factsOf(plan), { latest })
  return (
    <FormDrawer
      {...p}
      form={form}
      title={`编辑 ${plan.name}`}
      done={() => ({ text: `${form.values.name} 已保存，没有开始的任务按新的安排` })}
    >
      <TextField of={form} name="name" />
      <PlanFacts of={form} bc={plan.bc_id} />
    </FormDrawer>
  )
}
function PlanFacts({ of: form, bc }: { of: Fields<PlanBody>; bc: string | undefined }) {
  const { kind, every } = form.values
  const isRemote = kind === patrolKind.code.remote
  const isStage = every === planEvery.code.stage
  return (
    <>
      <ChoiceField of={form} name="kind" codes={patrolKind} hint={KIND_HINT[kind ?? '']} />
      {!isRemote && <TemplateField form={form} bc={bc} />}
      <PickManyField
        of={form}
        name="site_ids"
        placeholder="全部在建工地"
        hint="不选就是分公司全部在建工地，新开工的自动加入"
        find={(text) => findSites(text, bc)}
        nameOf={siteOf}
        key={`sites ${bc}`}
      />
      <ChoiceField of={form} name="every" codes={planEvery} />
      {isStage ? (
        <CodeField of={form} name="stage" codes={siteStage} hint="这个阶段在工地上开始时，生成一次任务" />
      ) : (
        <OwnField of={form} name="weekdays">
          {(value, put) => (
            <span className="weekdays">
              {weekday.options.map(({ value: day, label }) => (
                <label key={day}>
                  <input
                    type="checkbox"
                    checked={(value ?? []).includes(day)}
                    onChange={(e) =>
                      put(
                        weekday.values.filter((d) =>
                          d === day ? e.target.checked : (value ?? []).includes(d),
                        ),
                      )
                    }
                  />
                  {label}
                </label>
              ))}
            </span>
          )}
        </OwnField>
      )}
      <div className="pair">
        <TimeField of={form} name="fromTime" />
        <TimeField of={form} name="toTime" />
      </div>
      <NumberField of={form} name="days" unit="天" hint="从开始那天起，最后一天的结束时间到期" />
      <PickManyField
        of={form}
        name="user_ids"
        placeholder="输入姓名查找执行人"
        hint="只给角色能看到的工地派任务：项目经理只巡检自己的工地"
        find={(text) => findPeople(text, { bc })}
        nameOf={personOf}
        key={`people ${bc}`}
      />
      <ChoiceField of={form} name="share" codes={planShare} />
    </>
  )
}
const KIND_HINT: Record<string, string> = {
  [patrolKind.code.scene]: '到工地现场，按模板逐项检查',
  [patrolKind.code.remote]: '在远程巡检墙上看摄像头的最新画面，判定整洁度和问题',
  [patrolKind.code.plan]: '阶段节点的检查，到现场按模板逐项进行',
}

function TemplateField({ form, bc }: { form: Fields<PlanBody>; bc: string | undefined }) {
  const { data } = useQuery({
    queryKey: [patrolTemplatesApi.list.path, bc],
    queryFn: ({ signal }) =>
      call(patrolTemplatesApi.list, { query: { bc_id: bc, status: [templateStatus.code.active] } }, signal),
  })
  return (
    <OneField
      of={form}
      name="template_id"
      loading={!data}
      nothing="还没有启用的模板，请先在模板管理里新增"
      options={(data ?? []).map((t) => ({
        value: t.id,
        label: `${t.name}（${t.items.length} 项${t.bc_id ? '' : '，集团'}）`,
      }))}
    />
  )
}
