import { randomBytes } from 'node:crypto'

let last = 0
let counter = 0

/**
 * UUIDv7: ordered by the time it was made, so that keys grow at one end. Ids of one process keep the order in
 * which they were made within a millisecond too, also when the clock steps back (RFC 9562, 6.2, method 1).
 */
export function uuidv7(now = Date.now()): string {
  if (now > last) {
    last = now
    counter = 0
  } else if (++counter > 0xfff) {
    last += 1
    counter = 0
  }
  const b = randomBytes(16)
  b.writeUIntBE(last, 0, 6)
  b.writeUInt16BE(0x7000 | counter, 6)
  b[8] = (b[8]! & 0x3f) | 0x80
  const h = b.toString('hex')
  return `${h.slice(0, 8)}-${h.slice(8, 12)}-${h.slice(12, 16)}-${h.slice(16, 20)}-${h.slice(20)}`
}
