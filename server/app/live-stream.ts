import type { ServerResponse } from 'node:http'

/** A browser that does not read is cut; it catches up when it comes back. */
const MAX_BUFFER = 1024 * 1024
const MAX_HELD = 2_000
/** The goodbye of a stream that nobody reads is waited for this long. */
const GOODBYE_MS = 2_000

export interface LiveStream {
  /** False once it is over, whoever ended it. */
  open(): boolean
  /** Waits until the stream has begun. */
  write(text: string): void
  /** The first events, and then those that were written meanwhile. */
  begin(first: string): void
  /** Leaves the answer to somebody else. */
  leave(): void
  end(): void
  cut(): void
}

/** One answer that never ends. No write can fail out loud, and `over` is called once, whatever ends it. */
export function liveStream(reply: ServerResponse, over: () => void): LiveStream {
  let open = true
  let held: string[] | undefined = []
  function leave(): void {
    if (!open) return
    open = false
    over()
  }
  reply.on('close', leave)
  reply.on('error', leave)
  function cut(): void {
    leave()
    reply.destroy()
  }
  function send(text: string): void {
    if (!open || reply.writableEnded || reply.destroyed) return leave()
    if (reply.writableLength > MAX_BUFFER) return cut()
    reply.write(text)
  }
  return {
    open: () => open,
    write(text) {
      if (!held) return send(text)
      held.push(text)
      if (held.length > MAX_HELD) cut()
    },
    leave,
    begin(first) {
      const waiting = held ?? []
      held = undefined
      send(first + waiting.join(''))
    },
    end() {
      leave()
      reply.end()
      setTimeout(() => reply.destroy(), GOODBYE_MS).unref()
    },
    cut,
  }
}
