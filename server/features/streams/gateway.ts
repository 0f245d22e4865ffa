import type { StreamKind } from '@zhuguan/contract/features/streams/streams.record.ts'

import { type Answered, ask, Unanswered } from '../../kit/outgoing.ts'
import { openPlace } from '../../kit/place.ts'
import { Refused } from '../../kit/refuse.ts'
import type { S3Settings } from '../../kit/s3-bucket.ts'

/** The address at which cameras play, with {sn}: of a gateway, a folder or a bucket. */
export interface VideoSettings {
  template: string
  kind: StreamKind
  s3: S3Settings | null
  /** How long the gateway may take to begin an answer; without it as long as any other server. */
  answerMs?: number
  /** The time for which an admission counts; without it two seconds. */
  admittedMs?: number
}

/** The way a browser plays an address, by what its path ends in; nothing where the ending does not say. */
export function kindOf(address: string): StreamKind | undefined {
  const [path = ''] = address.split('?')
  if (/\/(whep|webrtc)\/?$/.test(path)) return 'whep'
  if (path.endsWith('.m3u8')) return 'hls'
  return path.endsWith('.flv') ? 'flv' : undefined
}

export interface Piece {
  bytes: Buffer
  type: string
  /** Where it was found in the end, below the camera's own directory. */
  target: string
}
/** The part of a gateway that is one camera's: everything below one directory and nothing else. */
export interface Source {
  /** The address of the stream itself, below the directory. */
  start: string
  /** Where a name leads that was read in `from`; refused where that is outside. */
  resolve(name: string, from: string): string
  /** The whole address of what stands there. */
  whole(target: string): string
  /** Asks the gateway for what stands there. */
  ask(target: string, how?: RequestInit): Promise<Answered>
  read(target: string, most: number): Promise<Piece>
}

const PLACES = new Set(['file:', 's3:'])
const TURNS = 3
/** Gateways may read %2f as a slash where browsers do not. */
const DISGUISED = /%2f|%5c|%00|\\/i

const strange = () => new Refused('视频网关给出了别处的地址，已拒绝播放', 502, 502)
const missing = () => new Refused('视频网关上没有这台摄像头的画面', 404, 404)
/** For /metrics: how often it did not answer since the start. */
export const gatewayUse = { unanswered: 0 }
/** Another server's fault, in a person's words; an error of our own stays what it is. */
export function refusalOf(error: unknown): unknown {
  if (!(error instanceof Unanswered)) return error
  gatewayUse.unanswered += 1
  if (error.message === 'too long') return new Refused('视频网关给出的内容太大，已拒绝播放', 502, 502)
  return new Refused('视频网关没有回应', 502, 502)
}
/** Where it sends on to is refused, unless the caller has followed it already. */
export function checkStatus(status: number): void {
  if (status >= 300 && status < 400) throw strange()
  if (status === 404) throw missing()
  if (status === 401 || status === 403) throw new Refused('视频网关不认这台服务器', 502, 502)
  if (status < 200 || status > 299) throw new Refused(`视频网关出错（${status}）`, 502, 502)
}

/** The camera's own part of the gateway. */
export function sourceOf({ template, s3, answerMs }: VideoSettings, sn: string): Source {
  // No number of a device leads anywhere else.
  if (/^\.*$/.test(sn)) throw missing()
  const address = new URL(template.replaceAll('{sn}', encodeURIComponent(sn)))
  const isPlace = PLACES.has(address.protocol)
  // Addresses of other schemes resolve by other rules; all are read by those of http.
  const start = isPlace ? new URL(`http://place${address.pathname}`) : address
  const home = new URL('.', start)
  home.search = ''
  const below = (url: URL): string => {
    const within = url.origin === home.origin && url.pathname.startsWith(home.pathname)
    if (!within || url.username || DISGUISED.test(url.pathname)) throw strange()
    return url.pathname.slice(home.pathname.length) + url.search
  }
  const resolve = (name: string, from: string) => {
    if (!URL.canParse(name, new URL(from, home).href)) throw strange()
    return below(new URL(name, new URL(from, home)))
  }
  const source = {
    start: below(start),
    resolve,
    whole: (target: string) => new URL(target, home).href,
    ask: (target: string, more?: RequestInit) =>
      ask((how) => fetch(new URL(target, home), { ...how, ...more }), answerMs),
  }
  if (!isPlace)
    return { ...source, read: (target, most) => fetchPiece({ source, target, most, turns: TURNS }) }
  const place = openPlace(new URL('.', address).href, s3)
  return {
    ...source,
    async read(target, most) {
      const path = decodeURIComponent(target.split('?')[0]!)
      const file = await place.open(path)
      if (!file) throw missing()
      if (file.size > most) throw new Unanswered('too long')
      const pieces: Buffer[] = []
      const part = file.size ? file.part(0, file.size - 1) : Buffer.alloc(0)
      for await (const piece of Buffer.isBuffer(part) ? [part] : part) pieces.push(piece as Buffer)
      return { bytes: Buffer.concat(pieces), type: '', target }
    },
  }
}

interface Wanted {
  source: Pick<Source, 'ask' | 'resolve'>
  target: string
  most: number
  turns: number
}
/** A gateway may send on inside the camera's own directory, to set a mark of its own; nowhere else. */
async function fetchPiece({ source, target, most, turns }: Wanted): Promise<Piece> {
  const { response, whole, end } = await source.ask(target)
  const onward = response.headers.get('location')
  if (response.status >= 300 && response.status < 400 && onward) {
    end()
    if (turns === 0) throw strange()
    return fetchPiece({ source, target: source.resolve(onward, target), most, turns: turns - 1 })
  }
  try {
    checkStatus(response.status)
    return { bytes: await whole(most), type: response.headers.get('content-type') ?? '', target }
  } finally {
    end()
  }
}
