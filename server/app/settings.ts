import { isIP } from 'node:net'
import { resolve } from 'node:path'

import { STREAM_KINDS, type StreamKind } from '@zhuguan/contract/features/streams/streams.record.ts'

import { ANY_FFMPEG } from '../features/recordings/turn-films.ts'
import type { OidcSettings } from '../features/session/oidc.service.ts'
import { kindOf, type VideoSettings } from '../features/streams/gateway.ts'
import type { FolderSettings } from '../ingest/folder-recordings.ts'
import type { MailSettings } from '../kit/mailer.ts'
import type { BucketSettings } from '../kit/own-bucket.ts'
import type { S3Settings } from '../kit/s3-bucket.ts'
import { misspelt } from './setting-names.ts'

export interface Settings {
  port: number
  /**
   * The address that it listens on; without it the demo, whose password everybody knows, listens on this machine
   * alone.
   */
  host: string | null
  dataDir: string
  databaseUrl: string | null
  /** Streaming replicas of it, which answer what people only read. */
  replicaUrls: string[]
  demo: boolean | null
  simulate: boolean | null
  mqttPort: number
  mqttChosen: boolean
  mqttUrl: string | null
  sessionMinutes: number
  publicUrl: string | null
  oidc: OidcSettings | null
  logLevel: string
  map: { tiles: string | null; credit: string }
  /** The gateway at which cameras play. */
  video: VideoSettings | null
  /** The folder or bucket into which something else puts what cameras recorded. */
  recordings: FolderSettings | null
  /** The place of pictures and papers, when that is not the folder beside the key. */
  files: BucketSettings | null
  /** The program that makes recordings playable; without it they stay as they came. */
  ffmpeg: string | null
  /** The proxies whose word on where a request comes from is believed: addresses and networks. */
  trustProxy: string
  /** With it the metrics are readable from elsewhere than this machine. */
  metricsToken: string | null
  /** Inner hosts that messages may be sent to. */
  webhookHosts: string[]
  mail: MailSettings | null
}

const NETWORKS = ['loopback', 'linklocal', 'uniquelocal']
const isNetwork = (text: string): boolean => {
  const [address = '', bits = '0', ...more] = text.split('/')
  const most = isIP(address) === 6 ? 128 : 32
  return isIP(address) > 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= most && more.length === 0
}
const MIN_TOKEN = 16

const LOG_LEVELS = ['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace']

/** Every setting, as docs/settings.md lists them. */
export const KNOWN = [
  'PORT',
  'LISTEN_HOST',
  'DATA_DIR',
  'FILES',
  'DATABASE_URL',
  'DATABASE_REPLICA_URL',
  'DEMO',
  'SIMULATE',
  'MQTT_PORT',
  'MQTT_URL',
  'SESSION_MINUTES',
  'PUBLIC_URL',
  'LOG_LEVEL',
  'MAP_TILES',
  'MAP_KEY',
  'MAP_CREDIT',
  'VIDEO_GATEWAY',
  'VIDEO_KIND',
  'RECORDINGS_FROM',
  'FFMPEG_PATH',
  'S3_ENDPOINT',
  'S3_REGION',
  'S3_ACCESS_KEY',
  'S3_SECRET_KEY',
  'TRUST_PROXY',
  'METRICS_TOKEN',
  'WEBHOOK_HOSTS',
  'MAIL_URL',
  'MAIL_FROM',
  'OIDC_ISSUER',
  'OIDC_CLIENT_ID',
  'OIDC_CLIENT_SECRET',
]
/** Unknown settings are refused by their beginning: a machine's own environment is full of other names. */
const OURS = (
  'DATA_ FILES DATABASE_ DEMO SIMULATE MQTT_ SESSION_ PUBLIC_URL LOG_LEVEL ZHUGUAN MAP_ VIDEO_ OIDC_ ' +
  'TRUST_ METRICS_ LISTEN_ S3_ RECORDINGS_ FFMPEG_ WEBHOOK_ MAIL_'
).split(' ')

function readHost(env: NodeJS.ProcessEnv): string | null {
  const host = env.LISTEN_HOST || null
  if (host && !isIP(host)) throw new Error(`LISTEN_HOST 应为网络地址，例如 0.0.0.0，现在是“${host}”`)
  return host
}

function readPublicUrl(env: NodeJS.ProcessEnv): string | null {
  const url = env.PUBLIC_URL || null
  if (url && !(/^https?:\/\//.test(url) && URL.canParse(url)))
    throw new Error(`PUBLIC_URL 应为网址，例如 https://zhuguan.example.com，现在是“${url}”`)
  return url
}
function readBroker(env: NodeJS.ProcessEnv): string | null {
  const url = env.MQTT_URL || null
  if (url && !(/^(mqtts?|wss?):\/\//.test(url) && URL.canParse(url)))
    throw new Error(
      `MQTT_URL 应为 mqtt:// 或 mqtts:// 开头的地址，例如 mqtt://broker.local:1883，现在是“${url}”`,
    )
  return url
}
function readDatabase(env: NodeJS.ProcessEnv): string | null {
  const url = env.DATABASE_URL || null
  if (url && !(/^postgres(ql)?:\/\//.test(url) && URL.canParse(url)))
    throw new Error(
      'DATABASE_URL 应为 postgres:// 开头的地址，例如 postgres://zhuguan:密码@db.local:5432/zhuguan',
    )
  return url
}

function readReplicas(env: NodeJS.ProcessEnv): string[] {
  const urls = (env.DATABASE_REPLICA_URL ?? '').split(',').filter(Boolean)
  if (urls.length && !env.DATABASE_URL) throw new Error('DATABASE_REPLICA_URL 要和 DATABASE_URL 一起设置')
  const strange = urls.find((url) => !/^postgres(ql)?:\/\//.test(url) || !URL.canParse(url))
  if (strange)
    throw new Error(
      'DATABASE_REPLICA_URL 应为流复制副本的地址，用逗号隔开，例如 postgres://db2:5432,postgres://db3:5432',
    )
  return urls
}

function readTrustProxy(env: NodeJS.ProcessEnv): string {
  const trustProxy = env.TRUST_PROXY || 'loopback'
  const strange = trustProxy.split(',').filter((one) => !NETWORKS.includes(one) && !isNetwork(one))
  if (strange.length)
    throw new Error(
      `TRUST_PROXY 应为反向代理的地址或网段，用逗号隔开，例如 loopback,10.0.0.0/8；不认识“${strange.join('、')}”`,
    )
  return trustProxy
}

function readMetricsToken(env: NodeJS.ProcessEnv): string | null {
  const token = env.METRICS_TOKEN || null
  if (token && token.length < MIN_TOKEN) throw new Error(`METRICS_TOKEN 太短，应至少 ${MIN_TOKEN} 个字符`)
  return token
}

function readWebhookHosts(env: NodeJS.ProcessEnv): string[] {
  const hosts = (env.WEBHOOK_HOSTS ?? '').split(',').filter(Boolean)
  // A port that is one protocol's own stays in the address of the other.
  const isHost = (host: string) =>
    /^[\w.:[\]-]+$/.test(host) &&
    ['http', 'https'].some((p) => URL.canParse(`${p}://${host}`) && new URL(`${p}://${host}`).host === host)
  const strange = hosts.find((host) => !isHost(host))
  if (strange !== undefined)
    throw new Error(
      `WEBHOOK_HOSTS 应为主机名，可以带端口，用逗号隔开，例如 oa.example.local:8080；不认识“${strange}”`,
    )
  return hosts
}

function readMail({ MAIL_FROM: from, MAIL_URL: url }: NodeJS.ProcessEnv): MailSettings | null {
  if (!from && !url) return null
  if (!from || !url) throw new Error('发邮件要同时设置 MAIL_URL 和 MAIL_FROM')
  if (!/^smtps?:\/\//.test(url) || !URL.canParse(url))
    throw new Error('MAIL_URL 应为邮件服务器的地址，例如 smtps://账号:密码@smtp.example.com:465')
  if (!/^[^\r\n]*[^\s@]+@[^\s@]+>?$/.test(from))
    throw new Error(`MAIL_FROM 应为发件人的邮箱，例如 筑管 <no-reply@example.com>，现在是“${from}”`)
  return { url, from }
}

function readOidc(env: NodeJS.ProcessEnv): OidcSettings | null {
  const {
    OIDC_ISSUER: issuer,
    OIDC_CLIENT_ID: clientId,
    OIDC_CLIENT_SECRET: clientSecret,
    PUBLIC_URL: publicUrl,
  } = env
  if (!issuer && !clientId && !clientSecret) return null
  if (!issuer || !clientId || !clientSecret || !publicUrl)
    throw new Error('企业账号登录要同时设置 OIDC_ISSUER、OIDC_CLIENT_ID、OIDC_CLIENT_SECRET 和 PUBLIC_URL')
  return { issuer, clientId, clientSecret, publicUrl }
}

/** Where objects of `s3:` addresses are, said once for live pictures and recordings. */
function readS3(env: NodeJS.ProcessEnv): S3Settings | null {
  const { S3_ENDPOINT: endpoint, S3_ACCESS_KEY: accessKey, S3_SECRET_KEY: secretKey } = env
  if (!endpoint && !accessKey && !secretKey && !env.S3_REGION) return null
  if (!endpoint || !accessKey || !secretKey)
    throw new Error('对象存储要同时设置 S3_ENDPOINT、S3_ACCESS_KEY 和 S3_SECRET_KEY')
  if (!/^https?:\/\/[\w.{}:-]+$/.test(endpoint))
    throw new Error(
      'S3_ENDPOINT 应为网址，例如 https://s3.example.com，或 https://{bucket}.oss-cn-hangzhou.aliyuncs.com',
    )
  return { endpoint, accessKey, secretKey, region: env.S3_REGION || 'us-east-1' }
}

const VIDEO_EXAMPLE = 'http://gateway.local:8889/{sn}/whep、file:///video/{sn}/index.m3u8'
const isKind = (text: string): text is StreamKind => STREAM_KINDS.some((kind) => kind === text)
function readVideo(env: NodeJS.ProcessEnv, s3: S3Settings | null): VideoSettings | null {
  const { VIDEO_GATEWAY: template, VIDEO_KIND: told = '' } = env
  if (told && !isKind(told))
    throw new Error(`VIDEO_KIND 应为 ${STREAM_KINDS.join('、')} 之一，现在是“${told}”`)
  if (!template) return null
  if (!/^(https?:\/\/[\w.:-]+\/|file:\/\/\/|s3:\/\/[\w.-]+\/)/.test(template) || !template.includes('{sn}'))
    throw new Error(`VIDEO_GATEWAY 应为带 {sn} 的网址，例如 ${VIDEO_EXAMPLE}`)
  const kind = isKind(told) ? told : kindOf(template)
  if (!kind) throw new Error('VIDEO_GATEWAY 应以 /whep、.m3u8 或 .flv 结尾，或者用 VIDEO_KIND 说明怎样播放')
  if (!template.startsWith('http') && kind !== 'hls')
    throw new Error('VIDEO_GATEWAY 是文件夹或对象存储时，只能是 HLS（.m3u8）')
  if (template.startsWith('s3:') && !s3)
    throw new Error('VIDEO_GATEWAY 在对象存储里，请用 S3_ENDPOINT 等设置说明怎样读')
  return { template, kind, s3 }
}

const RECORDINGS_PARTS = ['{sn}', '{from}', '{to}']
function readRecordings(env: NodeJS.ProcessEnv, s3: S3Settings | null): FolderSettings | null {
  const { RECORDINGS_FROM: template } = env
  if (!template) return null
  const isEach = RECORDINGS_PARTS.every((part) => template.split(part).length === 2)
  if (!/^(file:\/\/\/|s3:\/\/[\w.-]+\/)[^?#]*\.mp4$/.test(template) || !isEach)
    throw new Error(
      'RECORDINGS_FROM 应为文件夹或对象存储里录像的地址，{sn}、{from}、{to} 各出现一次，例如 file:///nvr/{sn}/{from}-{to}.mp4',
    )
  if (template.startsWith('s3:') && !s3)
    throw new Error('RECORDINGS_FROM 在对象存储里，请用 S3_ENDPOINT 等设置说明怎样读')
  return { template, s3 }
}

function readFiles(env: NodeJS.ProcessEnv, s3: S3Settings | null): BucketSettings | null {
  const { FILES: address } = env
  if (!address) return null
  if (!/^s3:\/\/[a-z0-9][a-z0-9.-]+(\/[\w.-]+)*\/?$/.test(address))
    throw new Error(
      `FILES 应为对象存储里的桶和前缀，例如 s3://zhuguan/files，现在是“${address}”；不设就用 DATA_DIR 里的文件夹`,
    )
  if (!s3) throw new Error('FILES 在对象存储里，请用 S3_ENDPOINT、S3_ACCESS_KEY、S3_SECRET_KEY 说明怎样读写')
  return { address, s3 }
}

/** Reads the settings; throws one Chinese sentence naming what is wrong. */
export function readSettings(env: NodeJS.ProcessEnv): Settings {
  const unknown = Object.keys(env).filter(
    (k) => !KNOWN.includes(k) && (OURS.some((begin) => k.startsWith(begin)) || misspelt(k, KNOWN)),
  )
  if (unknown.length) throw new Error(`不认识的设置：${unknown.join('、')}。可用的设置：${KNOWN.join('、')}`)
  const number = (name: string, otherwise: number, min: number, max: number) => {
    const raw = env[name]
    if (raw === undefined || raw === '') return otherwise
    const n = Number(raw)
    if (!Number.isInteger(n) || n < min || n > max)
      throw new Error(`${name} 应为 ${min} 到 ${max} 的整数，现在是“${raw}”`)
    return n
  }
  const flag = (name: string) => {
    const raw = env[name]
    if (raw === undefined || raw === '') return null
    if (raw !== '0' && raw !== '1') throw new Error(`${name} 只能是 0 或 1，现在是“${raw}”`)
    return raw === '1'
  }
  const logLevel = env.LOG_LEVEL || 'info'
  if (!LOG_LEVELS.includes(logLevel)) throw new Error(`LOG_LEVEL 不认识“${logLevel}”`)
  const template = (name: string, parts: readonly string[], example: string) => {
    const raw = env[name]
    if (!raw) return null
    const missing = parts.filter((part) => !raw.includes(part))
    if (!/^https?:\/\/[\w.{}:-]+\//.test(raw) || missing.length)
      throw new Error(`${name} 应为带 ${parts.join('、')} 的网址，例如 ${example}`)
    return raw
  }
  const s3 = readS3(env)
  const tiles = template(
    'MAP_TILES',
    ['{z}', '{x}', '{y}'],
    'https://tiles.example.com/{z}/{x}/{y}.png?key={key}',
  )
  if (tiles?.includes('{key}') && !env.MAP_KEY) throw new Error('MAP_TILES 里有 {key}，请用 MAP_KEY 给出密钥')
  return {
    port: number('PORT', 8080, 0, 65_535),
    host: readHost(env),
    dataDir: resolve(env.DATA_DIR || './data'),
    databaseUrl: readDatabase(env),
    replicaUrls: readReplicas(env),
    demo: flag('DEMO'),
    simulate: flag('SIMULATE'),
    mqttPort: number('MQTT_PORT', 1883, 0, 65_535),
    mqttChosen: !!env.MQTT_PORT,
    mqttUrl: readBroker(env),
    sessionMinutes: number('SESSION_MINUTES', 720, 1, 43_200),
    publicUrl: readPublicUrl(env),
    oidc: readOidc(env),
    logLevel,
    map: {
      tiles: tiles && tiles.replace('{key}', encodeURIComponent(env.MAP_KEY ?? '')),
      credit: env.MAP_CREDIT || '',
    },
    video: readVideo(env, s3),
    recordings: readRecordings(env, s3),
    files: readFiles(env, s3),
    ffmpeg: env.FFMPEG_PATH === 'off' ? null : env.FFMPEG_PATH || ANY_FFMPEG,
    trustProxy: readTrustProxy(env),
    metricsToken: readMetricsToken(env),
    webhookHosts: readWebhookHosts(env),
    mail: readMail(env),
  }
}
