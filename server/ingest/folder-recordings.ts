import { LATE_SECONDS } from '@zhuguan/contract/features/devices/devices.events.ts'
import { LONGEST_RECORDING_S } from '@zhuguan/contract/features/recordings/recordings.record.ts'

import type { Database } from '../database/connect.ts'
import type { FileStore } from '../features/files/files.service.ts'
import { filmOf } from '../features/recordings/read-film.ts'
import { knownOf } from '../features/recordings/recordings.service.ts'
import { SYSTEM } from '../features/session/access.reads.ts'
import { openPlace, type Place } from '../kit/place.ts'
import type { S3Settings } from '../kit/s3-bucket.ts'
import type { Batcher } from './batcher.ts'
import type { DeviceBook, KnownDevice } from './device-book.ts'
import { nameFile } from './name-file.ts'

export interface FolderSettings {
  /** `file:///nvr/{sn}/{from}-{to}.mp4`, or the same behind `s3://bucket/`. */
  template: string
  s3: S3Settings | null
}
export interface FolderDeps extends FolderSettings {
  db: Database
  files: FileStore
  book: DeviceBook
  batcher: Batcher
  /** Told of every file that is not taken in, once. */
  warn: (why: string) => void
}
interface Found {
  path: string
  sn: string
  from: number
  to: number
  bytes: number
}

/** A file that changed so shortly ago may still be written. */
const WRITTEN_MS = 60_000
const MOST_BYTES = 512 * 1024 * 1024
/** The most that one round takes in, so that a folder of years holds nothing up. */
const ROUND_FILES = 40
const ROUND_BYTES = 2 * 1024 * 1024 * 1024
/** The most that one round looks at. */
const MOST_LOOKED_AT = 50_000
const MOST_BROKEN = 10_000

const PARTS: Record<string, string> = {
  '{sn}': String.raw`(?<sn>[\w.-]{1,64})`,
  '{from}': String.raw`(?<from>\d{14}|\d{10})`,
  '{to}': String.raw`(?<to>\d{14}|\d{10})`,
}
const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
/** The folder to look into, and the names that are recordings. */
export function readTemplate(template: string): { address: string; start: string; name: RegExp } {
  const until = template.lastIndexOf('/', template.indexOf('{')) + 1
  const rest = template.slice(until)
  const pattern = rest
    .split(/(\{sn\}|\{from\}|\{to\})/)
    .map((part) => PARTS[part] ?? escaped(part))
    .join('')
  return {
    address: template.slice(0, until),
    start: rest.slice(0, rest.indexOf('{')),
    name: new RegExp(`^${pattern}$`),
  }
}
/** Unix seconds, or the time of Shanghai as yyyyMMddHHmmss. */
function secondOf(text: string): number {
  if (text.length === 10) return Number(text)
  const [, y, m, d, h, min, s] = /^(....)(..)(..)(..)(..)(..)$/.exec(text)!
  return Date.parse(`${y}-${m}-${d}T${h}:${min}:${s}+08:00`) / 1_000
}

/** The reason why a file is no recording that can be taken in; one older than devices may report is passed over. */
function wrongWith({ from, to, bytes }: Omit<Found, 'path' | 'sn'>, nowS: number): string | undefined {
  if (!(from < to)) return '结束时间不在开始时间之后'
  if (to - from > LONGEST_RECORDING_S) return '超过 24 小时'
  if (to > nowS) return '时间在将来'
  return bytes > MOST_BYTES ? '超过 512 MB' : undefined
}
async function look(
  place: Place,
  start: string,
  name: RegExp,
  now: Date,
  refuse: (path: string, why: string) => void,
): Promise<Map<string, Found[]>> {
  const nowS = now.getTime() / 1_000
  const found = new Map<string, Found[]>()
  let looked = 0
  for await (const { path, size, changed } of place.list(start)) {
    if ((looked += 1) > MOST_LOOKED_AT) break
    const said = name.exec(path)?.groups
    if (Math.abs(now.getTime() - changed.getTime()) < WRITTEN_MS) continue
    if (!said) {
      refuse(path, '文件名与 RECORDINGS_FROM 不符')
      continue
    }
    const [from, to] = [secondOf(said.from!), secondOf(said.to!)]
    const wrong = wrongWith({ from, to, bytes: size }, nowS)
    if (wrong) refuse(path, wrong)
    if (wrong || to <= nowS - LATE_SECONDS) continue
    const one = { path, sn: said.sn!, from, to, bytes: size }
    found.set(one.sn, [...(found.get(one.sn) ?? []), one])
  }
  return found
}

/**
 * Recordings that something else, a recorder say, writes into a folder or a bucket: taken in as if the camera had sent
 * them itself, the oldest first. What is known is left alone; of what is broken it is told once.
 */
export function folderRecordings(o: FolderDeps) {
  const { address, start, name } = readTemplate(o.template)
  const place = openPlace(address, o.s3)
  const broken = new Set<string>()
  const told = new Set<string>()
  /** Once a file and reason, while this server lives. */
  function refuse(path: string, why: string): void {
    const line = `录像文件没有收入：${path} ${why}`
    if (told.has(line)) return
    if (told.size >= MOST_BROKEN) told.clear()
    told.add(line)
    o.warn(line)
  }
  const nameOf = (f: Found) => `${f.path} ${f.bytes}`

  /** The camera that a number stands for: none where no group, or more than one, has bound it. */
  async function cameraOf(sn: string): Promise<KnownDevice | undefined> {
    const devices = await o.book.find(sn)
    const [camera] = devices
    return devices.length === 1 && camera?.site && camera.type === 'camera' ? camera : undefined
  }
  async function newOf(camera: KnownDevice, all: readonly Found[], now: Date): Promise<Found[]> {
    const [from, to] = [Math.min(...all.map((f) => f.from)), Math.max(...all.map((f) => f.to))]
    const { known, days } = await o.db.tx(SYSTEM, (tx) => knownOf(tx, camera, from, to), { readOnly: true })
    const kept = now.getTime() / 1_000 - days * 86_400
    return all.filter(
      (f) =>
        f.to > kept &&
        !broken.has(nameOf(f)) &&
        !known.some((k) => k.bytes === f.bytes && k.from <= f.from && f.to <= k.to),
    )
  }
  /** Answers what is wrong with it, or nothing once it is filed. */
  async function take(camera: KnownDevice, f: Found, now: Date): Promise<string | undefined> {
    const bytes = f.bytes ? await place.open(f.path) : undefined
    if (!bytes) return f.bytes ? '已经不在了' : '是空的'
    const key = await o.files.put(bytes.part(0, f.bytes - 1), 'mp4')
    const film = await filmOf(o.files, key)
    if (!film) return '已损坏'
    const named = nameFile(o.db, camera, { key, kind: 'clip', film, bytes: f.bytes, at: now })
    await named.catch((error: unknown) => o.files.unnamed(key, error))
    const { from, to } = f
    const answer = await o.batcher.submit({
      device: camera,
      events: [
        {
          id: `file-${from}-${to}-${f.bytes}`,
          kind: 'recording',
          at: to,
          from,
          to,
          file: key,
          bytes: f.bytes,
        },
      ],
      rejected: [],
      nonce: null,
    })
    const [refused] = answer.rejected
    return refused?.reason ?? (answer.duplicate ? '以前已经收过' : undefined)
  }

  return {
    /** One round; answers in words what came of it. */
    async run(now: Date, stopped: () => boolean): Promise<string> {
      const fresh: { camera: KnownDevice; found: Found }[] = []
      for (const [sn, all] of await look(place, start, name, now, refuse)) {
        const camera = await cameraOf(sn)
        if (!camera) {
          refuse(sn, '没有这台绑定在工地上的摄像头')
          continue
        }
        for (const found of await newOf(camera, all, now)) fresh.push({ camera, found })
      }
      fresh.sort((a, b) => a.found.from - b.found.from)
      let [taken, bytes] = [0, 0]
      const said: string[] = []
      for (const { camera, found } of fresh.slice(0, ROUND_FILES)) {
        if (stopped() || bytes + found.bytes > ROUND_BYTES) break
        bytes += found.bytes
        const wrong = await take(camera, found, now)
        if (!wrong) {
          taken += 1
          continue
        }
        if (broken.size >= MOST_BROKEN) broken.clear()
        broken.add(nameOf(found))
        refuse(found.path, wrong)
        said.push(`${found.path}${wrong}`)
      }
      return [taken && `收入 ${taken} 段录像`, said.length && `跳过：${said.slice(0, 5).join('、')}`]
        .filter(Boolean)
        .join('；')
    },
  }
}
export type FolderRecordings = ReturnType<typeof folderRecordings>
