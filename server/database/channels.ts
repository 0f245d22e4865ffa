import { randomUUID } from 'node:crypto'

import pg from 'pg'

import { OURS } from './pools.ts'

export interface Channels {
  listen(
    channel: string,
    onMessage: (payload: string) => void,
    onDown?: () => void,
    onUp?: () => void,
  ): { close(): Promise<void> }
  /** Wakes this process's listeners now, and those of the others by one NOTIFY for all that is told meanwhile. */
  tell(channel: string): void
}
interface Listener {
  channel: string
  hear: (payload: string) => void
  send: (channel: string, payload: string) => void
}

const BACK_MS = 300
const TOLD_EVERY_MS = 10
/** A connection whose network is frozen says nothing of it: it is asked. */
const PULSE_MS = 5_000
const SILENT_MS = 5_000

/** NOTIFY outside the transaction of its cause: a commit that notifies waits for every other such commit of the cluster. */
export function channels(url: string): Channels {
  const self = randomUUID()
  const listeners = new Set<Listener>()
  const resting = new Set<string>()
  const pending = new Set<string>()

  /** First at once, then at most every TOLD_EVERY_MS: a look for many commits costs as much as for one. */
  function announce(channel: string): void {
    if (resting.has(channel)) return void pending.add(channel)
    const ours = [...listeners].filter((l) => l.channel === channel)
    for (const listener of ours) listener.hear('')
    // Without a listener of its own a process leaves it to the others' regular look.
    ours[0]?.send(channel, self)
    resting.add(channel)
    setTimeout(() => {
      resting.delete(channel)
      if (pending.delete(channel)) announce(channel)
    }, TOLD_EVERY_MS).unref()
  }

  return {
    tell: announce,
    listen(channel, onMessage, onDown = () => {}, onUp = () => {}) {
      let closed = false
      let client: pg.Client | undefined
      let timer: NodeJS.Timeout | undefined
      let pulse: NodeJS.Timeout | undefined
      const again = () => {
        onDown()
        clearInterval(pulse)
        client?.removeAllListeners()
        client?.on('error', () => {})
        client?.end().catch(() => {})
        client = undefined
        if (!closed) timer = setTimeout(() => void open(), BACK_MS)
      }
      async function open() {
        const mine = new pg.Client({
          connectionString: url,
          application_name: OURS,
          keepAlive: true,
          connectionTimeoutMillis: SILENT_MS,
          query_timeout: SILENT_MS,
        })
        client = mine
        const lost = () => client === mine && !closed && again()
        mine.on('error', lost)
        mine.on('end', lost)
        mine.on('notification', ({ payload = '' }) => payload !== self && onMessage(payload))
        try {
          await mine.connect()
          await mine.query(`LISTEN ${pg.escapeIdentifier(channel)}`)
          pulse = setInterval(() => void mine.query('SELECT 1').catch(lost), PULSE_MS)
          onUp()
        } catch {
          lost()
        }
      }
      const listener: Listener = {
        channel,
        hear: onMessage,
        send: (name, payload) =>
          void client?.query('SELECT pg_notify($1, $2)', [name, payload]).catch(() => {}),
      }
      listeners.add(listener)
      void open()
      return {
        async close() {
          closed = true
          listeners.delete(listener)
          clearTimeout(timer)
          clearInterval(pulse)
          await client?.end().catch(() => {})
        },
      }
    },
  }
}
