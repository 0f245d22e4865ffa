import { useQuery } from '@tanstack/react-query'
import { siteActions } from '@zhuguan/contract/features/sites/sites.actions.ts'
import { sitesApi } from '@zhuguan/contract/features/sites/sites.api.ts'
import type { SiteRow } from '@zhuguan/contract/features/sites/sites.record.ts'
import type { BodyOf } from '@zhuguan/contract/kit/api.ts'
import { useEffect } from 'react'

import { call } from '../../kit/api.ts'
import { DayField } from '../../kit/form/DayField.tsx'
import { ReasonField } from '../../kit/form/fields.tsx'
import { type DrawerProps, FormDrawer } from '../../kit/form/FormDrawer.tsx'
import { type Fields, useForm } from '../../kit/form/useForm.ts'
import { dayOf, nowSeconds } from '../../kit/time.ts'
import { BranchField, PersonField } from '../../parts/pickFields.tsx'

type Props = DrawerProps & { site: SiteRow }
const versionNow = (site: SiteRow) =>
  call(sitesApi.details, { query: { id: site.id } }).then(({ id, version }) => ({ id, version }))

/** A start asks for the plan and the day; without a signed contract it says why. */
export function StartDrawer({ site, ...p }: Props) {
  const { id, version, plannedFinish } = site
  const today = dayOf(nowSeconds())
  const start = { id, version, action: 'start' as const, startDate: today, plannedFinish, reason: '' }
  const form = useForm(sitesApi.state, start, {
    need: ['startDate', 'plannedFinish', ...(site.contract ? [] : (['reason'] as const))],
    latest: async () => ({ ...start, ...(await versionNow(site)) }),
  })
  return (
    <FormDrawer
      {...p}
      form={form}
      title={`开工：${site.ws_name}`}
      done="已开工，各阶段的计划已按开工日期排好"
    >
      <p className="quiet lead">
        项目经理 {site.managerName}，项目管家 {site.stewardName}。第一个阶段“开工交底”同时开始。
      </p>
      <div className="pair">
        <DayField of={form} name="startDate" to={today} />
        <DayField of={form} name="plannedFinish" from={form.values.startDate} />
      </div>
      {!site.contract && (
        <ReasonField of={form} name="reason" label="合同外开工的原因" example="合同已签，系统还没有录入" />
      )}
    </FormDrawer>
  )
}

/** People move in while it is built, or out: from then on its cameras are for working hours alone, or not. */
export function LivedDrawer({ site, ...p }: Props) {
  const { id, version, livedIn } = site
  const start = { id, version, livedIn: !livedIn, reason: '' }
  const form = useForm(sitesApi.livedIn, start, {
    need: ['reason'],
    latest: async () => ({ ...start, ...(await versionNow(site)) }),
  })
  const name = livedIn ? '取消有人居住' : '有人居住'
  return (
    <FormDrawer
      {...p}
      narrow
      form={form}
      title={`${name}：${site.ws_name}`}
      done={`已${livedIn ? '取消' : '登记'}`}
    >
      <p className="quiet lead">
        {livedIn
          ? '取消以后，摄像头全天可以看，画面和事件照常接收。'
          : '登记以后，下班时间谁也不能看摄像头，下班时间的画面、事件和录像不再接收；正在看的直播到下班就断开。'}
      </p>
      <ReasonField
        of={form}
        name="reason"
        label="原因"
        example={livedIn ? '业主搬出，等完工后再住' : '业主一家已经搬进来住'}
      />
    </FormDrawer>
  )
}

type Change = { change: 'finish' | 'terminate' } | { change: 'move'; bc_id: string }
type Ending = BodyOf<(typeof sitesApi)['state']>
type Foreseeing = ReturnType<typeof useForesight>
const useForesight = (site: SiteRow, change: Change | null) =>
  useQuery({
    queryKey: [sitesApi.foresee.path, site.id, change],
    enabled: change !== null,
    queryFn: ({ signal }) => call(sitesApi.foresee, { query: { id: site.id, ...change! } }, signal),
  })

/** What the change will do, read before it is done; what must go first stands above. */
function Foresight({ query }: { query: Foreseeing }) {
  const { data, error, isFetching } = query
  if (error) return <p role="alert">{error.message}</p>
  if (!data) return isFetching ? <p className="quiet">正在查看会带来什么…</p> : null
  return (
    <>
      {data.blocks.length > 0 && (
        <>
          <h3>要先处理</h3>
          <ul role="alert">
            {data.blocks.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        </>
      )}
      <h3>确定后会发生</h3>
      {data.effects.length === 0 && <p className="quiet">只改变工地自己，没有设备、班组或报警受影响。</p>}
      <ul>
        {data.effects.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </>
  )
}
const clear = (query: ReturnType<typeof useForesight>) => query.data?.blocks.length === 0

/** The person who answers for what goes on after the handover; the branch proposes somebody. */
function AftercareField({ form, query, site }: { form: Fields<Ending>; query: Foreseeing; site: SiteRow }) {
  const proposed = query.data?.aftercare
  useEffect(() => {
    if (proposed && !proposed.why) form.raw.preset('aftercare_id', proposed.id)
  }, [proposed?.id])
  if (!query.data) return null
  const { later } = query.data
  return (
    <>
      <PersonField
        of={form}
        name="aftercare_id"
        site={site.id}
        correct="feedback"
        hint={
          later.length
            ? `${later.join('、')}交给他，以后的反馈也先找他；项目管家不变`
            : '可以不填；以后的反馈先找他，项目管家不变'
        }
      />
      {proposed?.why && <p role="alert">设置里的售后负责人 {proposed.why}</p>}
    </>
  )
}

export function EndDrawer({ site, action, ...p }: Props & { action: 'finish' | 'terminate' }) {
  const { id, version } = site
  const query = useForesight(site, { change: action })
  const { label } = siteActions.table[action]
  const final = action === 'terminate'
  const start = { id, version, action, reason: '', aftercare_id: undefined }
  const asks = final || (query.data?.reasons.length ?? 0) > 0
  const hands = (query.data?.later.length ?? 0) > 0
  const form = useForm(sitesApi.state, start, {
    need: [...(asks ? (['reason'] as const) : []), ...(hands ? (['aftercare_id'] as const) : [])],
    latest: async () => ({ ...start, ...(await versionNow(site)) }),
  })
  return (
    <FormDrawer
      {...p}
      form={form}
      title={`${label}：${site.ws_name}`}
      done={`${site.ws_name} 已${label}`}
      ok={label}
      danger={final}
      may={clear(query)}
    >
      <Foresight query={query} />
      {!final && <AftercareField form={form} query={query} site={site} />}
      {asks && <ReasonField of={form} name="reason" example={final ? '业主退单' : '业主自己买，不要了'} />}
    </FormDrawer>
  )
}

export function MoveDrawer({ site, ...p }: Props) {
  const start = { id: site.id, version: site.version, bc_id: null, reason: '' }
  const form = useForm(sitesApi.move, start, {
    latest: async () => ({ ...start, ...(await versionNow(site)) }),
  })
  const to = form.values.bc_id
  const query = useForesight(site, to ? { change: 'move', bc_id: to } : null)
  return (
    <FormDrawer
      {...p}
      form={form}
      title={`转分公司：${site.ws_name}`}
      done="已转到新的分公司"
      may={!to || clear(query)}
    >
      <p className="quiet lead">现在属于{site.bc_name}。</p>
      <BranchField of={form} name="bc_id" label="转到" but={site.bc_id} placeholder="选择分公司" />
      <Foresight query={query} />
      <ReasonField of={form} name="reason" example="业主要求由当地分公司施工" />
    </FormDrawer>
  )
}
