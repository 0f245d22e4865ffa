import type { FastifyReply } from 'fastify'

import { Refused } from './refuse.ts'

export interface BoundRules {
  name: string
  /** The most that runs at once, of all and of one person, address or device. */
  atOnce: number
  each: number
  /** The most that may wait for its turn, and for how long. */
  waiting?: number
  eachWaiting?: number
  waitMs?: number
  /** The reason why nobody gets in, and why this one does not. */
  full: string
  yours: string
  /** In how many seconds it is worth trying again. */
  after?: number
}
/**
 * The one whom a place is counted for: a person, a device, an address; or a part, and the whole that it belongs to.
 */
export type Key = string | readonly [part: string, whole: string]
export interface BoundUse {
  name: string
  running: number
  waiting: number
  refused: number
}
export interface Bound {
  /**
   * Resolves with its end when it is this one's turn; refuses with the sentence that names the cause. Who is `known`
   * goes before all who are not, and waits for those who are known alone.
   */
  enter(key: Key, known?: boolean): Promise<() => void>
  run<T>(key: Key, work: () => Promise<T>, known?: boolean): Promise<T>
  /** Refuses now whom `enter` would refuse: before the body is read, that costs the least. */
  turnAway(key: Key, known?: boolean): void
  use(): BoundUse
}
interface Waiter {
  key: Key
  known: boolean
  go: () => void
  giveWay: (mine: boolean) => void
}

/** Of what turns have taken lately, how much the newest counts. */
const NEWEST = 0.1
/** Who would wait longer than this share of the longest wait is refused at once: what is worth waiting for is seldom refused late. */
const WORTH = 0.5
/** All parts of a whole have so much more than one of them, and never everything. */
const OF_WHOLE = 2
const wholeOf = (key: Key): string => (typeof key === 'string' ? key : key[1])
const countedFor = (key: Key): readonly string[] => (typeof key === 'string' ? [key] : key)

const count = (counts: Map<string, number>, key: string, by: number): void => {
  const now = (counts.get(key) ?? 0) + by
  if (now > 0) counts.set(key, now)
  else counts.delete(key)
}

/** One class of work with bounds of its own: what is too much of it is refused at once, and takes nothing from the others. */
export function bound(rules: BoundRules): Bound {
  const { atOnce, each, waiting = 0, eachWaiting = waiting, waitMs = 0, full, yours, after = 1 } = rules
  const running = new Map<string, number>()
  const queued = new Map<string, number>()
  const queue = new Set<Waiter>()
  let inside = 0
  let refused = 0
  let usualMs = 0

  const ofWhole = Math.max(each, Math.min(each * OF_WHOLE, atOnce - 1))
  const has = (key: Key) => running.get(wholeOf(key)) ?? 0
  const hasOwnRoom = (key: Key) =>
    typeof key === 'string' ? has(key) < each : (running.get(key[0]) ?? 0) < each && has(key) < ofWhole
  const room = (key: Key) => inside < atOnce && hasOwnRoom(key)
  function begin(key: Key): () => void {
    inside += 1
    for (const one of countedFor(key)) count(running, one, 1)
    const from = performance.now()
    let over = false
    return () => {
      if (over) return
      over = true
      const took = performance.now() - from
      usualMs += (took - usualMs) * (usualMs === 0 ? 1 : NEWEST)
      inside -= 1
      for (const one of countedFor(key)) count(running, one, -1)
      nextOf()?.go()
    }
  }
  /** The next of some: of those who may, who has the least under way; of equals, who has waited longest. */
  function firstOf(waiters: Iterable<Waiter>): Waiter | undefined {
    let next: Waiter | undefined
    let least = Infinity
    for (const waiter of waiters) {
      const under = has(waiter.key)
      if (under < least && room(waiter.key)) [next, least] = [waiter, under]
      if (least === 0) break
    }
    return next
  }
  const known = () => [...queue].filter((waiter) => waiter.known)
  const nextOf = () => firstOf(known()) ?? firstOf(queue)
  /** How long who comes now would wait: turns go round among those who wait, and nobody has more than their own at once. */
  function expectedMs(key: Key, isKnown: boolean): number {
    const mine = (queued.get(wholeOf(key)) ?? 0) + 1
    const people = queued.size + (queued.has(wholeOf(key)) ? 0 : 1)
    const before = Math.min((isKnown ? known().length : queue.size) + 1, mine * people)
    return usualMs * Math.max(before / atOnce, mine / each)
  }
  /**
   * Who has most waiting gives way to somebody who has less: a crowd of one never fills the queue for all. To who is
   * known the last one gives way who is not: neither does a crowd of many.
   */
  function whoGivesWay(key: Key, isKnown: boolean): Waiter | undefined {
    const stranger = isKnown ? [...queue].findLast((waiter) => !waiter.known) : undefined
    if (stranger) return stranger
    const [greedy, most] = [...queued].reduce((a, b) => (b[1] > a[1] ? b : a), ['', 0] as [string, number])
    if (most <= (queued.get(wholeOf(key)) ?? 0) + 1) return undefined
    return [...queue].findLast((waiter) => wholeOf(waiter.key) === greedy)
  }
  function no(mine: boolean): Refused {
    refused += 1
    const code = mine ? 429 : 503
    return new Refused(mine ? yours : full, code, code, null, after)
  }

  /** Whether there is neither a place nor a use in waiting for one, and whose fault that is. */
  function isHopeless(key: Key, isKnown: boolean): 'yours' | 'full' | undefined {
    if (room(key)) return undefined
    const mine = hasOwnRoom(key) ? 'full' : 'yours'
    if ((queued.get(wholeOf(key)) ?? 0) >= eachWaiting || expectedMs(key, isKnown) > waitMs * WORTH)
      return mine
    return waiting === 0 || (queue.size >= waiting && !whoGivesWay(key, isKnown)) ? 'full' : undefined
  }

  function enter(key: Key, isKnown = false): Promise<() => void> {
    if (room(key)) return Promise.resolve(begin(key))
    const hopeless = isHopeless(key, isKnown)
    if (hopeless) return Promise.reject(no(hopeless === 'yours'))
    if (queue.size >= waiting) whoGivesWay(key, isKnown)?.giveWay(!isKnown)
    return new Promise((resolve, reject) => {
      const leave = () => {
        clearTimeout(timer)
        queue.delete(waiter)
        count(queued, wholeOf(key), -1)
      }
      const waiter: Waiter = {
        key,
        known: isKnown,
        go() {
          leave()
          resolve(begin(key))
        },
        giveWay(mine) {
          leave()
          reject(no(mine))
        },
      }
      const timer = setTimeout(() => {
        leave()
        reject(no(!hasOwnRoom(key)))
      }, waitMs)
      queue.add(waiter)
      count(queued, wholeOf(key), 1)
    })
  }
  return {
    enter,
    async run(key, work, isKnown) {
      const leave = await enter(key, isKnown)
      try {
        return await work()
      } finally {
        leave()
      }
    },
    turnAway(key, isKnown = false) {
      const hopeless = isHopeless(key, isKnown)
      if (hopeless) throw no(hopeless === 'yours')
    },
    use: () => ({ name: rules.name, running: inside, waiting: queue.size, refused }),
  }
}

/** Holds a place until the answer is over, whoever ends it. */
export async function hold(room: Bound, key: Key, reply: FastifyReply): Promise<void> {
  const leave = await room.enter(key)
  if (reply.raw.destroyed) leave()
  else reply.raw.once('close', leave)
}

const MAX_KEYS = 20_000
/** So many in so long, for each key: the allowance fills up again steadily. */
export function allowance(times: number, perMs: number, sentence: string) {
  const spent = new Map<string, { left: number; at: number }>()
  return {
    spend(key: string, now: Date, much = 1): void {
      const at = now.getTime()
      const last = spent.get(key) ?? { left: times, at }
      const left = Math.min(times, last.left + (Math.max(0, at - last.at) * times) / perMs)
      if (left < much) {
        const after = Math.ceil(((much - left) * perMs) / times / 1_000)
        throw new Refused(sentence, 429, 429, null, after)
      }
      if (spent.size >= MAX_KEYS) spent.clear()
      spent.set(key, { left: left - much, at })
    },
  }
}
export type Allowance = ReturnType<typeof allowance>
