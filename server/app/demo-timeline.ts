import { hourOf } from '../database/seed/stories.ts'
import { addDays } from '../kit/shanghai.ts'
import type { Door } from './demo-door.ts'

/** What somebody does, step by step: each value is the moment at which it goes on. */
export type Story = AsyncGenerator<Date, void>

const HOUR_MS = 3_600_000
/** So many hours after a moment. */
export const hoursAfter = (moment: Date, hours: number): Date => new Date(moment.getTime() + hours * HOUR_MS)
/** So many hours from now. */
export const after = (door: Door, hours: number): Date => hoursAfter(door.now(), hours)

const EVENING = 23
/**
 * Stories side by side, one step at a time: whichever is next goes on. In between every evening from `from` on is told,
 * so that what a day ended with is what stood there that evening.
 */
export async function live(
  door: Door,
  stories: readonly Story[],
  { from, until, evening }: { from: string; until: Date; evening: (day: string) => Promise<void> },
): Promise<void> {
  const waiting: { at: Date; story: Story }[] = []
  const goOn = async (story: Story) => {
    const step = await story.next()
    if (!step.done) waiting.push({ at: step.value, story })
  }
  let day = from
  const evenings = async (before: Date) => {
    for (; hourOf(day, EVENING) < before; day = addDays(day, 1)) {
      door.at(hourOf(day, EVENING))
      await evening(day)
    }
  }
  for (const story of stories) await goOn(story)
  while (waiting.length) {
    waiting.sort((a, b) => a.at.getTime() - b.at.getTime())
    const { at, story } = waiting.shift()!
    await evenings(at)
    if (at > door.now()) door.at(at)
    await goOn(story)
  }
  await evenings(until)
  door.at(until)
}
