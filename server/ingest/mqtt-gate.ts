import type { Socket } from 'node:net'

export interface MqttGateRules {
  /** Connections, in all and from one address. */
  atOnce: number
  each: number
  /** The time and the bytes in which a stranger may say who it is. */
  helloMs: number
  helloBytes: number
  /** The largest packet of who has said it. */
  packetBytes: number
}
const CONNECT = 0x10
const MAX_HEADER = 5

/** Number of bytes the packet has that begins here; undefined while that is not known, NaN when it is none. */
function lengthOf(bytes: Buffer): number | undefined {
  let length = 0
  for (let i = 1; i < MAX_HEADER; i += 1) {
    const byte = bytes[i]
    if (byte === undefined) return undefined
    length += (byte & 0x7f) << (7 * (i - 1))
    if (byte < 0x80) return length + i + 1
  }
  return NaN
}

/** The length of the CONNECT packet that begins here; NaN when it is none. */
const helloLength = (bytes: Buffer): number | undefined =>
  bytes.length && bytes[0] !== CONNECT ? NaN : lengthOf(bytes)

/** Follows the packets of one connection; answers whether one announces more than `most` bytes, before it is taken in. */
function announces(most: number): (bytes: Buffer) => boolean {
  let left = 0
  let begun: Buffer = Buffer.alloc(0)
  return (bytes) => {
    let rest = bytes
    while (rest.length > 0) {
      if (left === 0) {
        const before = begun.length
        begun = Buffer.concat([begun, rest.subarray(0, MAX_HEADER)])
        const length = lengthOf(begun)
        // The header is cut: its other half comes with the next bytes.
        if (length === undefined) return false
        if (!(length <= most)) return true
        left = length - before
        begun = Buffer.alloc(0)
      }
      const past = Math.min(left, rest.length)
      left -= past
      rest = rest.subarray(past)
    }
    return false
  }
}

/**
 * Stands before the broker, whose reader takes in whatever a packet announces: a connection passes with one whole small
 * CONNECT, in time, and within the bounds of its address.
 */
export function mqttGate(rules: MqttGateRules, pass: (socket: Socket) => void) {
  const open = new Map<string, number>()
  let all = 0
  let refused = 0

  return {
    use: () => ({ running: all, refused }),
    handle(socket: Socket): void {
      const from = socket.remoteAddress ?? ''
      socket.on('error', () => socket.destroy())
      if (all >= rules.atOnce || (open.get(from) ?? 0) >= rules.each) {
        refused += 1
        return void socket.destroy()
      }
      all += 1
      open.set(from, (open.get(from) ?? 0) + 1)
      const late = setTimeout(() => no(), rules.helloMs)
      let heard = Buffer.alloc(0)
      const no = () => {
        refused += 1
        socket.destroy()
      }
      socket.once('close', () => {
        clearTimeout(late)
        all -= 1
        const left = open.get(from)! - 1
        if (left) open.set(from, left)
        else open.delete(from)
      })
      const listen = () => {
        const chunk = socket.read() as Buffer | null
        if (!chunk) return
        heard = Buffer.concat([heard, chunk])
        const length = helloLength(heard)
        if (length !== undefined && !(length <= rules.helloBytes)) return no()
        if (length === undefined || heard.length < length) return
        clearTimeout(late)
        socket.off('readable', listen)
        socket.unshift(heard)
        const isTooMuch = announces(rules.packetBytes)
        const read = socket.read.bind(socket)
        // The broker reads by this and by nothing else: no byte of a packet that is too large comes to its reader.
        socket.read = (size?: number) => {
          const bytes = read(size) as Buffer | null
          if (!bytes || !isTooMuch(bytes)) return bytes
          no()
          return null
        }
        pass(socket)
      }
      socket.on('readable', listen)
    },
  }
}
