import type { AlarmCounts } from '@zhuguan/contract/features/statistics/alarm-figures.record.ts'

/** What was judged, as series: what waits for a judgement is amber, what was none is grey. */
export const VERDICTS = [
  { verdict: 'real', name: '属实', hue: 0, of: (c: AlarmCounts) => c.real },
  { verdict: 'wrong', name: '误报', tone: 'grey', of: (c: AlarmCounts) => c.wrong },
  { verdict: 'none', name: '未判', tone: 'wait', of: (c: AlarmCounts) => c.raised - c.real - c.wrong },
] as const
export const judged = (rows: readonly AlarmCounts[]) =>
  VERDICTS.map(({ verdict: _verdict, of, ...drawn }) => ({ ...drawn, values: rows.map(of) }))
