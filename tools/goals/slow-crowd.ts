import { type ChildProcess, fork } from 'node:child_process'
import { connect, type Socket } from 'node:net'

/** Many connections that do next to nothing, from a process of their own. */
export interface SlowPlan {
  port: number
  /** What each connection sends at once. */
  heads: string[]
  /** And then a byte of this each second, for ever. */
  drip?: string
  /** It reads nothing after the first piece. */
  deaf?: boolean
  /** Who has read so many bytes has had everything. */
  expects?: number
  /** How many are opened at a time; each of them waits for the first bytes of an answer, unless it drips. */
  atOnce: number
}
export interface SlowToll {
  /** Answered 200, refused, and how many are open now. */
  taken: number
  refused: number
  /** Refusals that do not say when to come again, and what refusing took. */
  rude: number
  refusedMs: number[]
  open: number
  /** Ended by the server. */
  cut: number
  /** Connections that have heard this word. */
  heard: number
  lastHeardMs: number
  /** Who has had everything. */
  whole: number
}
type Order = { open: SlowPlan } | { tell: string } | { wake: true } | { close: true }

const OPEN_MS = 15_000
const DRIP_MS = 1_000
const sockets = new Set<Socket>()
const words = new Map<Socket, string>()
const WAKE_MS = 4_000
const nothing = () => ({ taken: 0, refused: 0, rude: 0, refusedMs: [] as number[], cut: 0, whole: 0 })
const told = nothing()
let listening: { word: string; since: number; heard: Set<Socket>; last: number } | undefined

function one({ port, drip, deaf, expects }: SlowPlan, head: string): Promise<void> {
  return new Promise((done) => {
    const socket = connect(port, '127.0.0.1')
    sockets.add(socket)
    let answered = false
    let from = performance.now()
    const late = setTimeout(done, drip ? 0 : OPEN_MS)
    const end = () => {
      clearTimeout(late)
      done()
    }
    socket.on('connect', () => {
      from = performance.now()
      socket.write(head)
    })
    let got = 0
    socket.on('data', (bytes: Buffer) => {
      const text = bytes.toString('latin1')
      if (expects && got < expects && got + bytes.length >= expects) told.whole += 1
      got += bytes.length
      if (!answered && !drip) {
        answered = true
        if (text.startsWith('HTTP/1.1 200')) told.taken += 1
        else {
          told.refused += 1
          told.refusedMs.push(performance.now() - from)
          if (!/^HTTP\/1.1 (503|429) [^]*retry-after: [1-9]/i.test(text)) told.rude += 1
        }
        end()
        if (deaf) socket.pause()
      }
      if (listening) {
        const all = (words.get(socket) ?? '') + text
        words.set(socket, all.slice(-200))
        if (all.includes(listening.word) && !listening.heard.has(socket)) {
          listening.heard.add(socket)
          listening.last = performance.now() - listening.since
        }
      }
    })
    const timer = drip ? setInterval(() => socket.write(drip), DRIP_MS) : undefined
    socket.on('error', () => {})
    socket.on('close', () => {
      clearInterval(timer)
      if (sockets.delete(socket)) told.cut += 1
      end()
    })
  })
}
async function open(plan: SlowPlan): Promise<void> {
  for (let i = 0; i < plan.heads.length; i += plan.atOnce)
    await Promise.all(plan.heads.slice(i, i + plan.atOnce).map((head) => one(plan, head)))
}
/** Starts listening for a word, or tells how many have heard it. */
function tell(word: string): SlowToll {
  if (listening?.word !== word) listening = { word, since: performance.now(), heard: new Set(), last: 0 }
  return { ...told, open: sockets.size, heard: listening.heard.size, lastHeardMs: listening.last }
}

if (process.send && process.argv[2] === 'slow') {
  process.on('disconnect', () => process.exit(0))
  process.on('message', (order: Order) => {
    if ('open' in order) void open(order.open).then(() => process.send!(tell('')))
    else if ('tell' in order) process.send!(tell(order.tell))
    else if ('wake' in order) {
      for (const socket of sockets) socket.resume()
      setTimeout(() => process.send!(tell('')), WAKE_MS)
    } else {
      for (const socket of sockets) {
        sockets.delete(socket)
        socket.destroy()
      }
      Object.assign(told, nothing())
      process.send!(tell(''))
    }
  })
}

export interface SlowCrowd {
  open(plan: SlowPlan): Promise<SlowToll>
  tell(word?: string): Promise<SlowToll>
  /** Those that read nothing read what there is. */
  wake(): Promise<SlowToll>
  close(): Promise<void>
  end(): void
}
export function slowCrowd(): SlowCrowd {
  const child: ChildProcess = fork(import.meta.filename, ['slow'], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const ask = (order: Order) =>
    new Promise<SlowToll>((resolve, reject) => {
      child.once('exit', reject)
      child.once('message', (toll) => {
        child.off('exit', reject)
        resolve(toll as SlowToll)
      })
      child.send(order)
    })
  return {
    open: (plan) => ask({ open: plan }),
    tell: (word = '') => ask({ tell: word }),
    wake: () => ask({ wake: true }),
    close: async () => void (await ask({ close: true })),
    end: () => void child.kill(),
  }
}
