import { defineActions } from '../../kit/actions.ts'
import { type Actor, hasPermission, waitsFor } from '../../kit/permits.ts'
import { warningBall, warningLevel, type WarningRow, warningState } from './warnings.record.ts'

const { closed, handling, open } = warningState.code
export type WarningStanding = Pick<
  WarningRow,
  'state' | 'level' | 'ball' | 'responsible_id' | 'manager_id' | 'steward_id'
>
const SUPERVISE = 'warning:supervise'

const isNobodys = (w: WarningStanding): boolean =>
  w.responsible_id === null && w.ball !== warningBall.code.owner && w.ball !== warningBall.code.goods
/** The person who leads the site, whose turn it is, and for goods those who order them. */
function unlessConcerned(w: WarningStanding, actor: Actor): string | undefined {
  if ([w.responsible_id, w.manager_id, w.steward_id].some((id) => waitsFor(actor, id))) return undefined
  // Nobody's turn: who leads the branch.
  if (isNobodys(w) && hasPermission(actor, SUPERVISE)) return undefined
  if (w.ball === warningBall.code.goods && hasPermission(actor, 'order:place')) return undefined
  return '只有工地的项目经理、项目管家和轮到的人能处理'
}

/** docs/states.md */
export const warningActions = defineActions<WarningStanding>()('state', warningState, {
  take: {
    label: '处理',
    from: [open, handling],
    to: handling,
    permission: 'warning:take',
    asks: true,
    absent: unlessConcerned,
  },
  close: {
    label: '关闭',
    from: [open, handling],
    to: closed,
    permission: 'warning:close',
    reason: true,
    unless: (w, actor) =>
      w.level > warningLevel.code.normal && !hasPermission(actor, SUPERVISE)
        ? `等级为“${warningLevel.label(w.level)}”的预警由分公司总经理关闭`
        : undefined,
  },
})
export type WarningAction = (typeof warningActions.names)[number]
