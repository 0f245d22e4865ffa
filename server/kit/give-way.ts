import { readlinkSync } from 'node:fs'
import { getPriority, setPriority } from 'node:os'

/** About a third of what the loop is given while both want the processor (sched(7)): slower, never starved. */
const STEPS = 5

/**
 * The thread that calls this gives way to the loop that answers people; threads for long work begin with it. Linux
 * keeps a priority for each thread (sched(7)); where there is none, nothing changes.
 */
export function giveWay(): void {
  try {
    // Reads `pid/task/tid` of whoever reads it (proc(5)).
    const thread = Number(readlinkSync('/proc/thread-self').split('/').at(-1))
    setPriority(thread, getPriority() + STEPS)
  } catch {
    // Another system: all threads are alike there.
  }
}
