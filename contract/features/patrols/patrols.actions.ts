import { defineActions } from '../../kit/actions.ts'
import { type Actor, hasPermission, waitsFor } from '../../kit/permits.ts'
import { deviceStatus, deviceType } from '../devices/devices.record.ts'
import { patrolKind, type PatrolRow, patrolStatus, STILL_MINUTES } from './patrols.record.ts'
import {
  type PlanRow,
  planStatus,
  type TaskRow,
  taskState,
  type TemplateRow,
  templateStatus,
} from './plans.record.ts'

const { abandoned, begun, submitted } = patrolStatus.code
type PatrolState = Pick<PatrolRow, 'status' | 'inspector_id' | 'inspectorName'>
const unlessMine = (p: PatrolState, actor: Actor) =>
  p.inspector_id === actor.id ? undefined : `这次巡检由${p.inspectorName || '别人'}进行`

/** docs/states.md */
export const patrolActions = defineActions<PatrolState>()('status', patrolStatus, {
  submit: {
    label: '提交',
    from: [begun],
    to: submitted,
    permission: 'patrol:do',
    asks: true,
    absent: unlessMine,
  },
  /** A superior may, so that what somebody forgot holds up nothing. */
  abandon: {
    label: '放弃',
    from: [begun],
    to: abandoned,
    permission: 'patrol:do',
    reason: true,
    absent: (p, actor) => (hasPermission(actor, 'patrol:excuse') ? undefined : unlessMine(p, actor)),
  },
})

const { active, stopped } = planStatus.code
export const planActions = defineActions<Pick<PlanRow, 'status'>>()('status', planStatus, {
  edit: { label: '编辑', from: [active], to: active, permission: 'patrol:plan', asks: true },
  stop: { label: '停用', from: [active], to: stopped, permission: 'patrol:plan', reason: true },
})

export const templateActions = defineActions<Pick<TemplateRow, 'status' | 'plans'>>()(
  'status',
  templateStatus,
  {
    edit: {
      label: '编辑',
      from: [templateStatus.code.active],
      to: templateStatus.code.active,
      permission: 'patrol:template',
      asks: true,
    },
    stop: {
      label: '停用',
      from: [templateStatus.code.active],
      to: templateStatus.code.stopped,
      permission: 'patrol:template',
      unless: (t) =>
        t.plans ? `还有 ${t.plans} 个进行中的计划在用这个模板，请先停用或改用别的模板` : undefined,
    },
    start: {
      label: '启用',
      from: [templateStatus.code.stopped],
      to: templateStatus.code.active,
      permission: 'patrol:template',
    },
  },
)

const { due, excused, missed } = taskState.code
type TaskOf = Pick<TaskRow, 'state' | 'kind' | 'user_ids' | 'userNames'>
const isRemote = (task: TaskOf) => task.kind === patrolKind.code.remote
const unlessNamed = (task: TaskOf, actor: Actor) =>
  task.user_ids.some((id) => waitsFor(actor, id)) ? undefined : `这次巡检由${task.userNames || '别人'}执行`
/** What the clock does not do by itself; it is done on time or late when its patrol is handed in. */
export const taskActions = defineActions<TaskOf>()('state', taskState, {
  begin: {
    label: '现场巡检',
    from: [due],
    to: due,
    permission: 'patrol:do',
    asks: true,
    absent: (task, actor) => (isRemote(task) ? '这个任务要在远程巡检墙上完成' : unlessNamed(task, actor)),
  },
  watch: {
    label: '远程巡检',
    from: [due],
    to: due,
    permission: 'patrol:remote',
    asks: true,
    absent: (task, actor) => (isRemote(task) ? unlessNamed(task, actor) : '这个任务要到现场巡检'),
  },
  excuse: { label: '免除', from: [missed], to: excused, permission: 'patrol:excuse', reason: true },
})

/** A camera and its newest still, as a verdict finds them. */
export interface Still {
  type: string
  site_id: string | null
  deviceStatus: number
  picture: string | null
  pictureAt: number | null
  /** The reason why nobody looks through it now; empty where somebody may. */
  noLook: string
}
const HOUR = 60
const DAY = 24 * HOUR
function agoText(minutes: number): string {
  if (minutes < HOUR) return `${minutes} 分钟`
  return minutes < DAY ? `${Math.floor(minutes / HOUR)} 小时` : `${Math.floor(minutes / DAY)} 天`
}
/** The reason why what this camera shows is no verdict on the site; `seen` is the still that was looked at. */
export function stillRefusal(
  still: Still,
  site: string,
  seen: string | null,
  now: number,
): string | undefined {
  if (still.type !== deviceType.code.camera || still.site_id !== site)
    return '这台摄像头没有绑定在这个工地，不能判定'
  if (still.noLook) return still.noLook
  if (still.deviceStatus !== deviceStatus.code.online)
    return `摄像头${deviceStatus.label(still.deviceStatus)}，不能判定`
  if (still.picture === null || still.pictureAt === null) return '摄像头还没有画面，不能判定'
  if (seen !== null && still.picture !== seen) return '摄像头已经有更新的画面，请看最新的画面再判定'
  const minutes = Math.floor((now - still.pictureAt) / 60)
  return minutes > STILL_MINUTES ? `画面是 ${agoText(minutes)}前的，不能判定` : undefined
}
