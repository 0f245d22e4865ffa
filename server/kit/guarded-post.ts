import { lookup as resolveName } from 'node:dns'
import { type IncomingMessage, request as plain } from 'node:http'
import { request as secure } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { Readable } from 'node:stream'

import ipaddr from 'ipaddr.js'

import { ask } from './outgoing.ts'

/** Of an answer more is not read: what a receiver of messages says is a word or two. */
const MOST_BYTES = 16_384

/** The address an administrator typed where something would go, and must not. */
export class Forbidden extends Error {}
const inner = () => new Forbidden('地址在内部网络，只能由运维用 WEBHOOK_HOSTS 放行')

/** An address that every network knows: nothing of this machine, of the house or of a cloud's own services. */
export const isPublic = (ip: string): boolean =>
  ipaddr.isValid(ip) && ipaddr.process(ip).range() === 'unicast'

/** Whether the operator allows a host: as it stands in the address, or with the port that it is reached by. */
function isFree({ host, hostname, port, protocol }: URL, hosts: readonly string[]): boolean {
  const usual = protocol === 'https:' ? '443' : '80'
  return hosts.includes(host) || hosts.includes(`${hostname}:${port || usual}`)
}

/**
 * Why a message may not go to this address, as far as the address says it. Of a name, where it leads to is looked at
 * when the connection is made, so that a name which changes its mind between two looks gains nothing.
 */
export function unfit(address: string, { hosts, own }: Reach): string | undefined {
  if (!URL.canParse(address)) return '地址不是网址'
  const url = new URL(address)
  const { hostname, protocol, username, password } = url
  if (username || password) return '地址里不能有账号和密码'
  if (isFree(url, hosts)) return undefined
  if (protocol !== 'https:') return '地址应为 https:// 开头的网址'
  if (own && hostname !== own) return `地址应是 https://${own}/ 开头的机器人地址`
  const ip = hostname.replace(/^\[|\]$/g, '')
  if ((isIP(ip) && !isPublic(ip)) || hostname === 'localhost') return inner().message
  return undefined
}
export interface Reach {
  /** Hosts, with their port, that the operator allows although they are inner or not encrypted. */
  hosts: readonly string[]
  /** The only other host that is right. */
  own: string | null
}

const publicOnly: LookupFunction = (name, options, done) => {
  resolveName(name, { ...options, all: true }, (error, found) => {
    if (error) return done(error, [])
    if (found.length === 0 || !found.every(({ address }) => isPublic(address))) return done(inner(), [])
    return options.all ? done(null, found) : done(null, found[0]!.address, found[0]!.family)
  })
}

export interface Posted {
  status: number
  type: string
  text: string
}
/**
 * Posts to an address that somebody typed: no redirect is followed, no inner address reached, and neither a receiver
 * that hangs nor one that never ends is waited for.
 */
export async function guardedPost(
  address: string,
  o: Reach & { headers: Record<string, string>; body: string; firstMs?: number | undefined },
): Promise<Posted> {
  const why = unfit(address, o)
  if (why) throw new Forbidden(why)
  const url = new URL(address)
  const free = isFree(url, o.hosts)
  let refused: Error | undefined
  let status = 0
  let type = ''
  const send = ({ signal }: RequestInit) =>
    new Promise<Response>((resolve, reject) => {
      const heard = (answer: IncomingMessage) => {
        status = answer.statusCode ?? 0
        type = answer.headers['content-type'] ?? ''
        // Its status stays outside: a Response throws at 205 and at 999, here where nobody catches it.
        resolve(new Response(Readable.toWeb(answer) as ReadableStream))
      }
      const out = (url.protocol === 'https:' ? secure : plain)(
        url,
        {
          method: 'POST',
          agent: false,
          headers: { ...o.headers, 'content-length': Buffer.byteLength(o.body) },
          signal: signal!,
          ...(free ? {} : { lookup: publicOnly }),
        },
        heard,
      )
      out.on('error', (error) => {
        refused = error
        reject(error)
      })
      out.end(o.body)
    })
  try {
    const answer = await ask(send, o.firstMs)
    const text = (await answer.whole(MOST_BYTES)).toString('utf8')
    return { status, type, text }
  } catch (error) {
    // What was cut here for being late or long says so itself.
    throw refused && refused.name !== 'AbortError' ? refused : error
  }
}
