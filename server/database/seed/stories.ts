import { siteStage, siteStatus } from '@zhuguan/contract/features/sites/sites.record.ts'

import { uuidv7 } from '../../kit/ids.ts'
import { addDays, startOfDay } from '../../kit/shanghai.ts'
import type { Tx } from '../connect.ts'
import { insert } from './rows.ts'

const HOUR_MS = 3_600_000
/** An hour of a day, as an instant. */
export const hourOf = (day: string, hour: number): Date =>
  new Date(startOfDay(day).getTime() + hour * HOUR_MS)

interface Place {
  tenant: string
  bc: string
}
export interface StoryDevice {
  id: string
  sn: string
  site: { id: string; started: string } | null
}
/** The life of devices before they reported: stocked, given to the branch, put up when their site began. */
export async function tellDeviceStory(
  tx: Tx,
  { tenant }: Place,
  devices: readonly StoryDevice[],
  keeper: string,
  stockedOn: string,
): Promise<void> {
  const line = (d: StoryDevice, action: string, at: Date, site: string | null, remark: string) => ({
    tenant_id: tenant,
    id: uuidv7(),
    device_id: d.id,
    site_id: site,
    action,
    actor: keeper,
    at,
    remark,
  })
  await insert(
    tx,
    'device_bindings',
    devices.flatMap((d, i) => {
      const stocked = hourOf(stockedOn, 9 + (i % 8))
      const lines = [line(d, '入库', stocked, null, '采购入库')]
      if (!d.site) return lines
      const up = hourOf(addDays(d.site.started, -1), 10 + (i % 6))
      return [
        ...lines,
        line(d, '分配', new Date(stocked.getTime() + 26 * HOUR_MS), null, ''),
        line(d, '绑定', up, d.site.id, '开工前安装'),
      ]
    }),
  )
}

export interface StorySite {
  id: string
  status: number
  started: string
  done: number
  manager: string
  steward: string
  /** The first and last day of each stage that has begun or is over. */
  stages: readonly { stage: string; begun: string | null; over: string | null }[]
  ended: string | null
}
/** The timeline of a site as its people wrote it: begun, stage after stage accepted, and how it ended. */
export async function tellSiteStory(
  tx: Tx,
  { tenant, bc }: Place,
  sites: readonly StorySite[],
): Promise<void> {
  const lines = sites.flatMap((s) => {
    const line = (at: Date, title: string, actor: string) => ({
      tenant_id: tenant,
      id: uuidv7(),
      bc_id: bc,
      site_id: s.id,
      kind: 'site',
      at,
      title,
      actor,
    })
    if (s.status === siteStatus.code.notStarted) return []
    return [
      line(hourOf(s.started, 9), '开工', s.manager),
      ...s.stages.flatMap((g) =>
        g.over ? [line(hourOf(g.over, 17), `${siteStage.label(g.stage)}验收通过`, s.steward)] : [],
      ),
      ...(s.ended && s.status === siteStatus.code.finished
        ? [line(hourOf(s.ended, 18), '完工', s.manager)]
        : []),
      ...(s.ended && s.status === siteStatus.code.terminated
        ? [line(hourOf(s.ended, 15), '合同终止：业主另选公司', s.manager)]
        : []),
    ]
  })
  await insert(tx, 'site_events', lines)
}

interface StoryPerson {
  id: string
  user: string
  name: string
  role: string
}
/** What the office did before the demo is opened; every line is one that the product itself would have written. */
export async function tellOfficeStory(
  tx: Tx,
  { tenant, bc }: Place,
  branch: string,
  people: readonly StoryPerson[],
  admin: StoryPerson,
  today: string,
): Promise<void> {
  const line = (
    who: StoryPerson,
    at: Date,
    action: string,
    object: string,
    objectId: string,
    after: object,
  ) => ({
    tenant_id: tenant,
    id: uuidv7(),
    user_id: who.id,
    user_name: who.user,
    system: 'jf',
    ip: '10.8.0.21',
    agent: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/139.0',
    action,
    object,
    object_id: objectId,
    outcome: 'done',
    after,
    at,
  })
  const opened = addDays(today, -91)
  await insert(tx, 'user_logs', [
    line(admin, hourOf(opened, 9), '新增分公司', 'company', bc, { bc_name: branch }),
    ...people.map((p, i) =>
      line(admin, hourOf(opened, 9.5 + i / 20), '新增用户', 'user', p.id, {
        userName: p.user,
        nickname: p.name,
      }),
    ),
    line(admin, hourOf(opened, 11), '修改设置', 'setting', '', {
      branch: '集团',
      workStart: '07:30',
      workEnd: '18:00',
    }),
  ])
}
