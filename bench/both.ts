import { quantile } from './ground.ts'
import { TIMES } from './size.ts'

export const middle = (list: number[]) =>
  quantile(
    [...list].sort((a, b) => a - b),
    0.5,
  )
/** Each measured by turns, the middle of three. */
export async function both<T extends Record<string, number>>(
  ours: () => Promise<T>,
  limit: () => Promise<T>,
): Promise<[T, T]> {
  const runs: [T[], T[]] = [[], []]
  for (let i = 0; i < TIMES; i += 1) {
    runs[0].push(await ours())
    runs[1].push(await limit())
  }
  return runs.map(
    (list) => Object.fromEntries(Object.keys(list[0]!).map((k) => [k, middle(list.map((r) => r[k]!))])) as T,
  ) as [T, T]
}
