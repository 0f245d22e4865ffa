import { sized } from '../tools/size.ts'
import type { Ground, Say } from './ground.ts'

const STARTS = sized(5, 1)

/** P-15: the server's process from nothing to its first answer, and its memory then, beside a bare one. */
export async function starts(g: Ground, wants: (id: string) => boolean, say: Say): Promise<void> {
  if (!wants('P-15')) return
  const runs: Awaited<ReturnType<Ground['startAgain']>>[] = []
  for (let i = 0; i < STARTS; i += 1) runs.push(await g.startAgain())
  const { ours, limit } = runs.sort((a, b) => a.ours.ms / a.limit.ms - b.ours.ms / b.limit.ms)[
    Math.floor(STARTS / 2)
  ]!
  say(
    'P-15',
    'server process to its first answer on a migrated database; memory then',
    `${ours.ms.toFixed(0)} ms ${ours.mb.toFixed(0)} MB`,
    `${limit.ms.toFixed(0)} ms ${limit.mb.toFixed(0)} MB`,
    `${(ours.ms / limit.ms).toFixed(2)}× ${(ours.mb / limit.mb).toFixed(2)}×`,
    '≤ 2×, ≤ 1.5× memory',
    ours.ms / limit.ms <= 2 && ours.mb / limit.mb <= 1.5,
  )
}
