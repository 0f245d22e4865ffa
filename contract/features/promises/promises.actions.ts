import { defineActions } from '../../kit/actions.ts'
import { type Actor, hasPermission, waitsFor } from '../../kit/permits.ts'
import { type PromiseRow, promiseState } from './promises.record.ts'

const { broken, extended, kept, open, withdrawn } = promiseState.code
export type PromiseStanding = Pick<
  PromiseRow,
  'state' | 'due' | 'extensions' | 'keptAt' | 'objected' | 'judged' | 'responsible_id' | 'responsibleName'
>

const DAY = 86_400
/** So often whoever is responsible may put it off alone. */
const EXTENSIONS = 2
/** Days after it was kept in which the owner may object. */
const OBJECTION_DAYS = 7
const SUPERVISE = 'promise:supervise'

/** When the day of a promise is over. */
export const dueEnds = (day: string): number => Date.parse(`${day}T00:00:00+08:00`) / 1000 + DAY

/** The responsible alone, or who supervises. */
function unlessTheirs(promise: PromiseStanding, actor: Actor): string | undefined {
  if (waitsFor(actor, promise.responsible_id) || hasPermission(actor, SUPERVISE)) return undefined
  return `责任人是${promise.responsibleName || '别人'}，只有责任人或主管能办`
}
const unlessObjected = (promise: PromiseStanding) => (promise.objected ? undefined : '业主没有提出异议')
/** Nobody judges what the owner says of them. */
const unlessOwn = (promise: PromiseStanding, actor: Actor) =>
  promise.responsible_id === actor.id ? '责任人不能裁定对自己的异议，请由其他主管裁定' : undefined

/** docs/states.md */
export const promiseActions = defineActions<PromiseStanding>()('state', promiseState, {
  keep: {
    label: '兑现',
    from: [open, extended],
    to: kept,
    permission: 'promise:keep',
    asks: true,
    absent: unlessTheirs,
  },
  extend: {
    label: '延期',
    from: [open, extended],
    to: extended,
    permission: 'promise:extend',
    reason: true,
    asks: true,
    absent: unlessTheirs,
    unless: (promise, actor) =>
      promise.extensions >= EXTENSIONS && !hasPermission(actor, SUPERVISE)
        ? `已经延期 ${promise.extensions} 次，再延期须由主管办理`
        : undefined,
  },
  object: {
    label: '代录异议',
    from: [kept],
    to: kept,
    permission: 'promise:object',
    reason: true,
    asks: true,
    absent: (promise) => (promise.objected ? '业主已经提出异议，等待主管裁定' : undefined),
    unless: (promise, _actor, now) => {
      if (promise.judged) return '异议已经裁定过，不能再提；还有没做到的，请登记反馈'
      return promise.keptAt !== null && now >= promise.keptAt + OBJECTION_DAYS * DAY
        ? `兑现已满 ${OBJECTION_DAYS} 天，不能再提异议`
        : undefined
    },
  },
  uphold: {
    label: '异议成立',
    from: [kept],
    to: broken,
    permission: SUPERVISE,
    reason: true,
    absent: unlessObjected,
    unless: unlessOwn,
  },
  dismiss: {
    label: '驳回异议',
    from: [kept],
    to: kept,
    permission: SUPERVISE,
    reason: true,
    absent: unlessObjected,
    unless: unlessOwn,
  },
  break: {
    label: '认定未兑现',
    from: [open, extended],
    to: broken,
    permission: SUPERVISE,
    reason: true,
    unless: (promise, _actor, now) =>
      now < dueEnds(promise.due) ? `${promise.due} 还没有过完，不能认定未兑现` : undefined,
  },
  withdraw: {
    label: '撤回',
    from: [open, extended],
    to: withdrawn,
    permission: SUPERVISE,
    reason: true,
  },
})
export type PromiseAction = (typeof promiseActions.names)[number]
