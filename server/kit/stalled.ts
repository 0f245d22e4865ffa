import type { ServerResponse } from 'node:http'

/** The slowest line that counts as reading. */
const BYTES_A_SECOND = 1_000

/** Cuts an answer whose reader has stopped reading: what waits for it is then free for the next one. */
export function cutStalled(reply: ServerResponse, everyMs: number): void {
  let last = 0
  const timer = setInterval(() => {
    const { socket } = reply
    if (!socket) return
    const moved = socket.bytesWritten - last
    last = socket.bytesWritten
    const waits = reply.writableLength + socket.writableLength > 0
    if (waits && moved < (BYTES_A_SECOND * everyMs) / 1_000) reply.destroy()
  }, everyMs)
  timer.unref()
  reply.once('close', () => clearInterval(timer))
}
