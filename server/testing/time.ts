import { addDays, shanghaiDay } from '../kit/shanghai.ts'

/**
 * The clock of the test servers and of the stories: the machine's, or one that stands at `TEST_CLOCK` (an instant in
 * ISO form) when the story file is loaded and runs on from there. Stories must hold at any hour of any day.
 */
const begin = process.env.TEST_CLOCK ? Date.parse(process.env.TEST_CLOCK) : undefined
if (Number.isNaN(begin)) throw new Error(`TEST_CLOCK is not an instant: ${process.env.TEST_CLOCK}`)
let shift = 0
/** Before each file of stories: one process tells many of them. */
export const standAgain = (): void => {
  shift = begin === undefined ? 0 : begin - Date.now()
}
/** For a file of stories whose commands are processes of their own. */
export const runAtMachineTime = (): void => {
  shift = 0
}
standAgain()

/** Milliseconds, as Date.now() gives them. */
export const testTime = (): number => Date.now() + shift
export const testNow = (): Date => new Date(testTime())
/** Unix seconds, as devices tell time. */
export const seconds = (): number => Math.floor(testTime() / 1000)
/** A day so many days from today, for what may be planned neither in the past nor years ahead. */
export const dayAhead = (days: number): string => addDays(shanghaiDay(testNow()), days)
