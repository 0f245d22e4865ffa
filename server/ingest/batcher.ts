import type { DeviceEvent, EventsAnswer } from '@zhuguan/contract/features/devices/devices.events.ts'
import type { Database } from '../database/connect.ts'
import { SYSTEM } from '../features/session/access.reads.ts'
import { Refused } from '../kit/refuse.ts'
import type { KnownDevice } from './device-book.ts'
import { file } from './file-events.ts'

export interface Submission {
  device: KnownDevice
  events: DeviceEvent[]
  /** Refused before they were filed: unreadable, too late, from the future. */
  rejected: { id: string; reason: string }[]
  /** Of a signed HTTP request; null over MQTT, where the connection is authenticated. */
  nonce: string | null
}
interface Waiting extends Submission {
  resolve: (answer: EventsAnswer) => void
  reject: (error: unknown) => void
}

const FLUSH_EVENTS = 1_000
const MAX_WAITING_EVENTS = 20_000

export interface Batcher {
  /** Answers after the commit: an answer is a promise (device-protocol.md). */
  submit(s: Submission): Promise<EventsAnswer>
  close(): Promise<void>
}

/** One bounded batcher a process: what arrives while a batch is being committed makes the next batch. */
export function startBatcher(db: Database, options: { now: () => Date; history: () => boolean }): Batcher {
  let queue: Waiting[] = []
  let waitingEvents = 0
  let running: Promise<void> | undefined

  async function flush(batch: Waiting[]): Promise<void> {
    try {
      const answers = await db.tx(SYSTEM, (tx) => file(tx, batch, options))
      batch.forEach((w, i) => {
        const a = answers[i]!
        if (a instanceof Error) w.reject(a)
        else w.resolve(a)
      })
    } catch (error) {
      // One submission must not take the others with it: try them one by one, once.
      if (batch.length > 1) for (const w of batch) await flush([w])
      else batch[0]!.reject(error)
    }
  }

  async function run(): Promise<void> {
    while (queue.length) {
      let n = 0
      let events = 0
      while (n < queue.length && (n === 0 || events + queue[n]!.events.length <= FLUSH_EVENTS)) events += queue[n++]!.events.length
      const batch = queue.slice(0, n)
      queue = queue.slice(n)
      waitingEvents -= events
      await flush(batch)
    }
    running = undefined
  }

  return {
    submit(s) {
      if (waitingEvents + s.events.length > MAX_WAITING_EVENTS) return Promise.reject(new Refused('服务器正忙，请稍后重发', 503, 503))
      return new Promise((resolve, reject) => {
        queue.push({ ...s, resolve, reject })
        waitingEvents += s.events.length
        // The next turn of the loop: requests that arrived together are filed together.
        running ??= new Promise<void>((done) => setImmediate(() => void run().then(done)))
      })
    },
    close: async () => {
      while (running) await running
    },
  }
}
