import type { DeviceEvent, EventsAnswer } from '@zhuguan/contract/features/devices/devices.events.ts'

import { type Database, DatabaseDown } from '../database/connect.ts'
import { SYSTEM } from '../features/session/access.reads.ts'
import { Refused } from '../kit/refuse.ts'
import type { KnownDevice } from './device-book.ts'
import { file, type FilingOptions } from './file-events.ts'

export interface Submission {
  device: KnownDevice
  events: DeviceEvent[]
  /** Refused before they were filed: unreadable, too late, from the future. */
  rejected: { id: string; reason: string }[]
  /** Facts of a signed HTTP request; null over MQTT, where the connection is authenticated. */
  nonce: string | null
}
interface Waiting extends Submission {
  /** When it came. */
  since: number
  resolve: (answer: EventsAnswer) => void
  reject: (error: unknown) => void
}

/** PostgreSQL's class 22: a value that no column can hold. */
const unstorable = (error: unknown): boolean => String((error as { code?: unknown }).code).startsWith('22')

const FLUSH_EVENTS = 1_000
/** A second batch is begun while the first is at the database only when it is full: small ones gain by waiting. */
const AT_ONCE = 2
const MAX_WAITING_EVENTS = 20_000

/** The size of a batch, and the time that the first of it had waited. */
export interface Batch {
  events: number
  waitedMs: number
}
export interface Batcher {
  /** Answers after the commit: an answer is a promise (docs/device-protocol.md). */
  submit(s: Submission): Promise<EventsAnswer>
  /** Events that wait to be filed. */
  waiting(): number
  close(): Promise<void>
}

/** One bounded batcher a process: what arrives while a batch is being committed makes the next one. */
export function startBatcher(
  db: Database,
  options: FilingOptions & {
    filed?: (batch: Batch) => void
    spend?: (device: string, much: number) => unknown
  },
): Batcher {
  let queue: Waiting[] = []
  let waitingEvents = 0
  let running = 0
  const closing: (() => void)[] = []

  async function flush(batch: Waiting[]): Promise<void> {
    if (batch.length > 1) {
      try {
        const answers = await db.tx(SYSTEM, (tx) => file(tx, batch, options))
        batch.forEach((w, i) => {
          const a = answers[i]!
          if (a instanceof Error) w.reject(a)
          else w.resolve(a)
        })
        return
      } catch (error) {
        if (error instanceof DatabaseDown) return batch.forEach((w) => w.reject(error))
      }
    }
    // One submission must not take the others with it: each by itself.
    for (const w of batch) await sift(w).then(w.resolve, w.reject)
  }

  /** One event that cannot be stored must not take the others with it: halves, until it stands alone and is refused by name. */
  async function sift(s: Submission): Promise<EventsAnswer> {
    try {
      const [answer] = await db.tx(SYSTEM, (tx) => file(tx, [s], options))
      if (answer instanceof Error) throw answer
      return answer!
    } catch (error) {
      if (!unstorable(error) || s.events.length === 0) throw error
      if (s.events.length === 1)
        return sift({
          ...s,
          events: [],
          rejected: [...s.rejected, { id: s.events[0]!.id, reason: '内容无法保存' }],
        })
      const half = s.events.length >> 1
      // The first half carries the nonce: a replay ends here, before anything of the second is filed.
      const a = await sift({ ...s, events: s.events.slice(0, half) })
      const b = await sift({ ...s, events: s.events.slice(half), rejected: [], nonce: null })
      return {
        accepted: a.accepted + b.accepted,
        duplicate: a.duplicate + b.duplicate,
        rejected: [...a.rejected, ...b.rejected],
      }
    }
  }

  function nextBatch(): Waiting[] {
    let n = 0
    let events = 0
    while (n < queue.length && (n === 0 || events + queue[n]!.events.length <= FLUSH_EVENTS))
      events += queue[n++]!.events.length
    const batch = queue.slice(0, n)
    queue = queue.slice(n)
    waitingEvents -= events
    return batch
  }
  async function run(): Promise<void> {
    running += 1
    // The next turn of the loop: requests that arrived together are filed together.
    await new Promise((resolve) => setImmediate(resolve))
    for (let batch = nextBatch(); batch.length; batch = nextBatch()) {
      await flush(batch)
      const events = batch.reduce((sum, w) => sum + w.events.length, 0)
      options.filed?.({ events, waitedMs: performance.now() - batch[0]!.since })
    }
    // In the same breath as the last look at the queue: whoever comes next must not take it for running.
    running -= 1
    if (running === 0) for (const done of closing.splice(0)) done()
  }

  return {
    async submit(s) {
      if (waitingEvents + s.events.length > MAX_WAITING_EVENTS)
        throw new Refused('服务器正忙，请稍后重发', 503, 503)
      options.spend?.(s.device.id, s.events.length)
      return new Promise((resolve, reject) => {
        queue.push({ ...s, since: performance.now(), resolve, reject })
        waitingEvents += s.events.length
        if (running === 0 || (running < AT_ONCE && waitingEvents >= FLUSH_EVENTS)) void run()
      })
    },
    waiting: () => waitingEvents,
    close: async () => {
      if (running) await new Promise<void>((done) => closing.push(done))
    },
  }
}
