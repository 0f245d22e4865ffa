import { isIP } from 'node:net'
import { resolve } from 'node:path'

import { playOf } from '@zhuguan/contract/features/devices/devices.record.ts'

import type { OidcSettings } from '../features/session/oidc.service.ts'

export interface Settings {
  port: number
  /** Where it listens; without it the demo, whose password everybody knows, listens on this machine alone. */
  host: string | null
  dataDir: string
  databaseUrl: string | null
  /** Streaming replicas of it, which answer what people only read. */
  replicaUrls: string[]
  demo: boolean | null
  simulate: boolean | null
  mqttPort: number
  mqttUrl: string | null
  sessionMinutes: number
  publicUrl: string | null
  oidc: OidcSettings | null
  logLevel: string
  map: { tiles: string | null; credit: string }
  /** Where a browser plays a device's live picture: an address with {sn}. */
  videoGateway: string | null
  /** Whose word on where a request comes from is believed: addresses and networks. */
  trustProxy: string
  /** With it the metrics are readable from elsewhere than this machine. */
  metricsToken: string | null
}

const NETWORKS = ['loopback', 'linklocal', 'uniquelocal']
const isNetwork = (text: string): boolean => {
  const [address = '', bits = '0', ...more] = text.split('/')
  const most = isIP(address) === 6 ? 128 : 32
  return isIP(address) > 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= most && more.length === 0
}
const MIN_TOKEN = 16

const LOG_LEVELS = ['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace']

const KNOWN = [
  'PORT',
  'LISTEN_HOST',
  'DATA_DIR',
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
  'TRUST_PROXY',
  'METRICS_TOKEN',
  'OIDC_ISSUER',
  'OIDC_CLIENT_ID',
  'OIDC_CLIENT_SECRET',
]
/** Unknown settings are refused by their beginning: a machine's own environment is full of other names. */
const OURS =
  /^(DATA_|DATABASE_R|DEMO|SIMULATE|MQTT_|SESSION_|PUBLIC_URL|LOG_LEVEL|ZHUGUAN|MAP_|VIDEO_|OIDC_|TRUST_|METRICS_|LISTEN_)/

function readHost(env: NodeJS.ProcessEnv): string | null {
  const host = env.LISTEN_HOST || null
  if (host && !isIP(host)) throw new Error(`LISTEN_HOST 应为网络地址，例如 0.0.0.0，现在是“${host}”`)
  return host
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

/** Reads the settings; throws one Chinese sentence naming what is wrong. */
export function readSettings(env: NodeJS.ProcessEnv): Settings {
  const unknown = Object.keys(env).filter((k) => OURS.test(k) && !KNOWN.includes(k))
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
  const videoGateway = template('VIDEO_GATEWAY', ['{sn}'], 'http://gateway.local:8889/{sn}/whep')
  if (videoGateway && !playOf(videoGateway))
    throw new Error('VIDEO_GATEWAY 应以 /whep 或 .m3u8 结尾，浏览器才知道怎样播放')
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
    databaseUrl: env.DATABASE_URL || null,
    replicaUrls: readReplicas(env),
    demo: flag('DEMO'),
    simulate: flag('SIMULATE'),
    mqttPort: number('MQTT_PORT', 1883, 0, 65_535),
    mqttUrl: env.MQTT_URL || null,
    sessionMinutes: number('SESSION_MINUTES', 720, 1, 43_200),
    publicUrl: env.PUBLIC_URL || null,
    oidc: readOidc(env),
    logLevel,
    map: {
      tiles: tiles && tiles.replace('{key}', encodeURIComponent(env.MAP_KEY ?? '')),
      credit: env.MAP_CREDIT || '',
    },
    videoGateway,
    trustProxy: readTrustProxy(env),
    metricsToken: readMetricsToken(env),
  }
}
