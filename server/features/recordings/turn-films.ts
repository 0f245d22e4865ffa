import { execFile, spawn } from 'node:child_process'
import { createReadStream } from 'node:fs'
import { rm, stat } from 'node:fs/promises'
import { constants, setPriority } from 'node:os'
import { promisify } from 'node:util'

import { APART_S } from '@zhuguan/contract/features/recordings/recordings.record.ts'

import type { Database } from '../../database/connect.ts'
import { Refused } from '../../kit/refuse.ts'
import { BEING_MADE, type FileStore } from '../files/files.service.ts'
import { SYSTEM } from '../session/access.reads.ts'
import { type Film, formatOf, readFilm } from './read-film.ts'
import { countTurns, MOST_TURNS, nextToTurn, putTurned } from './turning.service.ts'

/** As long as the film lasts, and this at least; what takes longer is given up. */
const SHORTEST_MS = 10 * 60_000
const LOOK_MS = 300
/** One group does not keep the others waiting for longer. */
const ROUND_MS = 10 * 60_000
/** The last words of ffmpeg. */
const WORDS = 300

/** The one that the machine has, if it has any. */
export const ANY_FFMPEG = 'ffmpeg'
/** Whether it is there; refuses one that somebody named and that is not. */
export async function hasFfmpeg(program: string): Promise<boolean> {
  try {
    await promisify(execFile)(program, ['-version'], { timeout: 10_000 })
    return true
  } catch {
    if (program === ANY_FFMPEG) return false
    throw new Error(`FFMPEG_PATH 应为能运行的 ffmpeg，或 off，现在是“${program}”`)
  }
}

/** The demuxer is named and files alone are opened: what a camera sends never says what else to read. */
const argsOf = (film: Film, from: string, to: string, ms: number): string[] => {
  const read = `-protocol_whitelist file -threads 1 -f ${film.isStream ? 'mpegts' : 'mov'} -i`
  const made = film.codec === 'avc' ? 'copy' : 'libx264 -preset veryfast -crf 26 -pix_fmt yuv420p'
  const write = `-map 0:v:0 -map 0:a:0? -c:a aac -threads 1 -c:v ${made} -movflags +faststart -f mp4`
  const bounded = `-nostdin -v error -y -timelimit ${Math.ceil(ms / 1_000)}`
  return [...bounded.split(' '), ...read.split(' '), from, ...write.split(' '), to]
}

const STOPPED = Symbol('stopped')
/** Runs it where nobody else needs the machine. Answers why it failed, or that it was told to stop. */
function run(
  program: string,
  args: readonly string[],
  ms: number,
  stopped: () => boolean,
): Promise<string | typeof STOPPED | undefined> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'] })
    let words = ''
    let ended: string | typeof STOPPED | undefined
    child.stderr.on('data', (piece: Buffer) => (words = (words + piece.toString()).slice(-WORDS)))
    const end = (why: typeof ended) => {
      ended ??= why
      child.kill('SIGKILL')
    }
    const timer = setTimeout(() => end(`用时超过 ${Math.round(ms / 60_000)} 分钟`), ms)
    const watch = setInterval(() => stopped() && end(STOPPED), LOOK_MS)
    const over = (why: typeof ended) => {
      clearTimeout(timer)
      clearInterval(watch)
      resolve(ended ?? why)
    }
    child.once('spawn', () => {
      try {
        setPriority(child.pid!, constants.priority.PRIORITY_LOW)
      } catch {
        // It is gone already, or the machine knows no priorities.
      }
    })
    child.once('error', (error) => over(error.message))
    child.once('close', (code, signal) => {
      if (code === 0) return over(undefined)
      over(
        signal ? `ffmpeg 被中断（${signal}）` : words.trim().split('\n').at(-1) || `ffmpeg 退出（${code}）`,
      )
    })
  })
}

interface Turning {
  db: Database
  files: FileStore
  program: string
  tenant: string
  stopped: () => boolean
  warn: (why: string) => void
}
type Next = NonNullable<Awaited<ReturnType<typeof nextToTurn>>>

/** One film. What came stays until the other is whole, read again and named. */
const turn = (turning: Turning, one: Next) =>
  turning.files.asFile(one.key, (from) => turnFile(turning, one, from))

async function turnFile({ db, files, program, tenant, stopped }: Turning, one: Next, from: string) {
  const to = `${from}.${BEING_MADE}`
  const film = await readFilm(from)
  if (!film) return '读不出来'
  const ms = Math.max(SHORTEST_MS, film.seconds * 1_000)
  // Whoever was killed may have left half a film, and a program that still writes it: into a file that has no name.
  await rm(to, { force: true })
  try {
    const wrong = await run(program, argsOf(film, from, to, ms), ms, stopped)
    if (wrong) return wrong
    const made = await readFilm(to)
    if (!made || formatOf(made)) return '转出来的文件也放不了'
    if (made.seconds < Math.min(film.seconds, one.seconds) - APART_S) return '转出来的比原来的短'
    const { size: bytes } = await stat(to)
    const key = await files.put(createReadStream(to), 'mp4')
    const turned = { instead: one.key, key, bytes, seconds: made.seconds }
    const isNamed = await db
      .tx(SYSTEM, (tx) => putTurned(tx, files, tenant, turned))
      .catch((error: unknown) => files.unnamed(key, error))
    if (!isNamed) await files.remove(key)
    return undefined
  } finally {
    await rm(to, { force: true })
  }
}

/** A film that is gone is one that cannot be read; where its place is away, nothing was tried. */
function unread(error: unknown): string | typeof STOPPED {
  if (!(error instanceof Refused)) throw error
  return error.code === 503 ? STOPPED : '读不出来'
}
/** Makes what browsers do not play playable, one film after the other, the newest first; a failure is told once. */
export async function turnFilms(turning: Turning): Promise<string> {
  const { db, tenant, stopped, warn } = turning
  const until = performance.now() + ROUND_MS
  let turned = 0
  while (!stopped() && performance.now() < until) {
    const one = await db.tx(SYSTEM, (tx) => nextToTurn(tx, tenant))
    if (!one) break
    const wrong = await turn(turning, one).catch(unread)
    if (!wrong) turned += 1
    else if (wrong === STOPPED) {
      await db.tx(SYSTEM, (tx) => countTurns(tx, tenant, one.id, one.turns - 1))
      break
    } else if (one.turns === MOST_TURNS) warn(`录像没有转成浏览器能放的格式：${one.key} ${wrong}`)
  }
  return turned ? `转好 ${turned} 段录像` : ''
}
