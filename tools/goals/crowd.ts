import { type ChildProcess, fork } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { Agent, createServer, request } from 'node:http'

import { api } from '@zhuguan/contract/api.ts'
import { deviceDoorApi } from '@zhuguan/contract/features/devices/device-door.api.ts'

import { signed } from '../../server/testing/device.ts'
import { seconds } from '../../server/testing/time.ts'

export type Work = 'signIn' | 'list' | 'export' | 'upload' | 'import' | 'device'
export interface Attack {
  url: string
  work: Work
  /** Tokens of the signed-in people, or ids of the devices, that send the load. */
  people: Record<string, string>[]
  devices: { sn: string; secret: string }[]
  /** For an upload, and for an import. */
  picture?: string
  sheet?: string
  ms: number
  /** So many a second, whatever becomes of them; or so many hands, each asking again when it was answered. */
  rate?: number
  hands?: number
}
export interface Toll {
  sent: number
  good: number
  refused: number
  /** Neither: no answer, or one that is no refusal. */
  failed: number
  /** Refusals without 503 or 429 and Retry-After. */
  rude: number
  /** The crowd itself had no hand free. */
  unsent: number
  /** From the first request to the last answer. */
  tookMs: number
  goodMs: number[]
  refusedMs: number[]
  words: string[]
}

/** More than any class has places for. */
const HANDS = 700
const CONNECT = 70
const TIMEOUT_MS = 20_000
const pause = (ms: number) => new Promise((r) => setTimeout(r, ms))
const sha = (text: string) => createHash('sha256').update(text).digest('hex')

interface Asking {
  method: string
  path: string
  headers: Record<string, string>
  body: Buffer
}
function asking({ work, people, devices, picture, sheet }: Attack, n: number): Asking {
  const json = { 'content-type': 'application/json' }
  const who = people[n % Math.max(1, people.length)]!
  if (work === 'signIn')
    return {
      ...api.session.login,
      headers: { ...json, 'x-forwarded-for': `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}` },
      body: Buffer.from(JSON.stringify({ username: `nobody${n}`, password: sha(`Wrong${n}`) })),
    }
  if (work === 'device') {
    const events = [{ id: randomUUID(), kind: 'visitor', at: seconds() - 1, seconds: 9 }]
    const one = signed(devices[n % devices.length]!, Buffer.from(JSON.stringify({ events })))
    return { ...deviceDoorApi.events, ...one }
  }
  if (work === 'upload')
    return {
      ...api.files.upload,
      headers: { ...who, 'content-type': 'image/jpeg' },
      body: Buffer.from(picture!, 'base64'),
    }
  if (work === 'import')
    return {
      method: api.sitesImport.upload.method,
      path: `${api.sitesImport.upload.path}?name=x.xlsx`,
      headers: { ...who, 'content-type': 'application/octet-stream' },
      body: Buffer.from(sheet!, 'base64'),
    }
  const endpoint = work === 'export' ? api.sites.export : api.sites.list
  return { ...endpoint, headers: { ...who, ...json }, body: Buffer.alloc(0) }
}

/** One request, read to its end. A wrong password is the answer that a stranger is owed. */
const isGood = (work: Work, status: number, text: string) =>
  status === 200 && (work === 'export' || text.startsWith(`{"code":${work === 'signIn' ? 400 : 200}`))

/** The crowd stands before the door when it begins: connecting is no part of what is measured. */
async function connected(base: URL, agent: Agent): Promise<void> {
  const one = () =>
    new Promise<void>((done) => {
      const asked = request({ host: base.hostname, port: base.port, path: '/healthz', agent }, (answer) => {
        answer.resume()
        answer.on('end', done)
      })
      asked.on('error', () => done())
      asked.end()
    })
  // A connection is free again when it was answered: each round has to hold more of them at once.
  for (let hands = CONNECT; hands <= HANDS; hands += CONNECT)
    await Promise.all(Array.from({ length: hands }, one))
}

async function attack(plan: Attack): Promise<Toll> {
  const toll: Toll = {
    sent: 0,
    good: 0,
    refused: 0,
    failed: 0,
    rude: 0,
    unsent: 0,
    tookMs: 0,
    goodMs: [],
    refusedMs: [],
    words: [],
  }
  const agent = new Agent({ keepAlive: true, maxSockets: HANDS, maxFreeSockets: HANDS })
  const base = new URL(plan.url)
  if (plan.rate) await connected(base, agent)
  let n = Math.floor(performance.now()) + (process.pid % 100) * 65_536
  let open = 0
  const one = () =>
    new Promise<void>((done) => {
      const { method, path, headers, body } = asking(plan, (n += 1))
      const at = performance.now()
      toll.sent += 1
      open += 1
      let over = false
      const end = (note: () => void) => {
        if (over) return
        over = true
        open -= 1
        note()
        done()
      }
      const fail = (word: string) =>
        end(() => {
          toll.failed += 1
          if (toll.words.length < 5) toll.words.push(word)
        })
      const asked = request(
        {
          host: base.hostname,
          port: base.port,
          method,
          path,
          headers: { ...headers, 'content-length': body.length },
          agent,
          timeout: TIMEOUT_MS,
        },
        (answer) => {
          let text = ''
          answer.on('data', (bytes: Buffer) => {
            if (text.length < 200) text += bytes.toString('latin1')
          })
          answer.on('error', () => fail('cut'))
          answer.on('end', () => {
            const { statusCode: status = 0 } = answer
            const ms = performance.now() - at
            if (isGood(plan.work, status, text))
              return end(() => {
                toll.good += 1
                toll.goodMs.push(ms)
              })
            if (status !== 503 && status !== 429) return fail(`${status} ${text}`)
            end(() => {
              toll.refused += 1
              toll.refusedMs.push(ms)
              if (!(Number(answer.headers['retry-after']) > 0)) toll.rude += 1
            })
          })
        },
      )
      asked.on('timeout', () => asked.destroy(new Error('no answer')))
      asked.on('error', (error) => fail(error.message))
      asked.end(body)
    })
  const begun = performance.now()
  const until = begun + plan.ms
  if (plan.hands)
    await Promise.all(
      Array.from({ length: plan.hands }, async () => {
        while (performance.now() < until) await one()
      }),
    )
  else {
    const from = performance.now()
    const under = new Set<Promise<void>>()
    let due = 0
    while (performance.now() < until) {
      const wanted = ((performance.now() - from) / 1_000) * plan.rate!
      for (; due < wanted; due += 1) {
        if (open >= HANDS) toll.unsent += 1
        else {
          const p: Promise<void> = one().finally(() => under.delete(p))
          under.add(p)
        }
      }
      await pause(4)
    }
    await Promise.all(under)
  }
  toll.tookMs = performance.now() - begun
  agent.destroy()
  return toll
}

export interface Crowd {
  attack(plan: Attack): Promise<Toll>
  end(): void
}
/** Whoever overloads the server does it from a process of its own: what the others notice is measured undisturbed. */
export function gather(): Crowd {
  const child = fork(import.meta.filename, ['attack'], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  return {
    attack: (plan) =>
      new Promise((resolve, reject) => {
        child.once('exit', reject)
        child.once('message', (toll) => {
          child.off('exit', reject)
          resolve(toll as Toll)
        })
        child.send(plan)
      }),
    end: () => void child.kill(),
  }
}
/** The least that refusing costs here: a bare server that says no to everything. */
export function bareDoor(): Promise<{ url: string; end(): void }> {
  const child: ChildProcess = fork(import.meta.filename, ['refuse'], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  return new Promise((resolve, reject) => {
    child.once('exit', reject)
    child.once('message', (url) => resolve({ url: url as string, end: () => void child.kill() }))
  })
}
if (process.send) process.on('disconnect', () => process.exit(0))
if (process.send && process.argv[2] === 'attack')
  process.on('message', (plan: Attack) => void attack(plan).then((toll) => process.send!(toll)))
if (process.send && process.argv[2] === 'refuse') {
  const door = createServer((asked, answer) => {
    asked.resume()
    answer.writeHead(503, { 'retry-after': '1' }).end('{"code":503}')
  })
  door.listen(0, '127.0.0.1', () =>
    process.send!(`http://127.0.0.1:${(door.address() as { port: number }).port}`),
  )
}
