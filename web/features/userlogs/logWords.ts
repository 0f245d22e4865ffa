import { logObject, type LogRow } from '@zhuguan/contract/features/userlogs/userlogs.record.ts'

/** What a line of the log is about. */
export const objectOf = (l: LogRow): string =>
  l.object && logObject.values.some((known) => known === l.object)
    ? logObject.label(l.object)
    : l.object || '--'

/** A value of the log as text; an object as JSON, by so many spaces. */
export function textOf(value: unknown, indent = 0): string {
  if (value === null || value === undefined) return ''
  if (Array.isArray(value)) return value.join('、')
  return typeof value === 'object' ? JSON.stringify(value, null, indent) : String(value)
}

/** The first few things that changed, on one line. */
export function summaryOf(l: LogRow): string {
  const before = (l.before ?? {}) as Record<string, unknown>
  const shown = (l.after ?? l.before ?? {}) as Record<string, unknown>
  return Object.entries(shown)
    .filter(([k, v]) => textOf(v) !== '' && (!l.after || textOf(v) !== textOf(before[k])))
    .slice(0, 3)
    .map(([k, v]) => `${k}：${textOf(v)}`)
    .join('；')
}

/** What kind of program somebody used. */
export function terminalOf(agent: string): string {
  if (/Mobile|Android|iPhone/.test(agent)) return '手机'
  return agent.includes('Mozilla') ? '浏览器' : agent || '--'
}
