/** Page numbers to show: first and last always, `count` buttons in all, a jump where numbers are left out. */
export function pagesAround(now: number, last: number, count: number): (number | 'back' | 'on')[] {
  const run = (from: number, to: number) =>
    Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => from + i)
  if (last <= count) return run(1, last)
  const inner = count - 2
  const from = Math.min(Math.max(2, now - Math.floor((inner - 1) / 2)), last - inner)
  const to = from + inner - 1
  const middle: (number | 'back' | 'on')[] = run(from, to)
  if (from > 2) middle[0] = 'back'
  if (to < last - 1) middle[middle.length - 1] = 'on'
  return [1, ...middle, last]
}
