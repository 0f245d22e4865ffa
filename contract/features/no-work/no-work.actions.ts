import type { NoWorkRow } from './no-work.record.ts'

const DAY_SECONDS = 86_400
/** Why the manager cannot be told now: there is none, or they were told within a day. `now` in Unix seconds. */
export function tellRefusal(site: Pick<NoWorkRow, 'manager_id' | 'toldAt'>, now: number): string | undefined {
  if (!site.manager_id) return '这个工地还没有项目经理'
  if (site.toldAt !== null && now - site.toldAt < DAY_SECONDS) return '24 小时内已经通知过，请等项目经理回应'
  return undefined
}
