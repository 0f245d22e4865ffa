import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

import { type LinkKindName, VISIT } from '@zhuguan/contract/features/links/links.record.ts'

import type { Database, Scope, Tx } from '../../database/connect.ts'
import { allowance } from '../../kit/bound.ts'
import type { LinkKinds } from '../../kit/link-kind.ts'
import { verify } from '../../kit/native.ts'
import { networkOf } from '../../kit/network.ts'
import { nobody } from '../../kit/nobody.ts'
import { Refused } from '../../kit/refuse.ts'
import { wholeGroup } from '../../kit/scoped.ts'
import type { Call } from '../../kit/serve.ts'
import { notify } from '../notifications/notifications.service.ts'
import { hashToken, isStaffOf, SYSTEM } from '../session/access.reads.ts'
import { giveBack, takeLinkGuess } from '../session/failures.service.ts'
import { protect, travelling } from '../session/passwords.service.ts'
import { writeLog } from '../userlogs/userlogs.service.ts'
import {
  addOpening,
  claimAct,
  goOn,
  keepAct,
  type KeptLink,
  linkByHash,
  lockLink,
  makerOf,
  openedBy,
  relieve,
  showOpening,
} from './links.queries.ts'

const TENANT_BYTES = 16
const SECRET_BYTES = 32
const TOKEN = /^[\w-]{64}$/
const hashOf = (secret: Buffer): Buffer => createHash('sha256').update(secret).digest()

const tokenWith = (tenant: string, secret: Buffer): string =>
  Buffer.concat([Buffer.from(tenant.replaceAll('-', ''), 'hex'), secret]).toString('base64url')
/** A new secret of 256 bits; the group stands before it, so that nobody has to look through all of them. */
export function newToken(tenant: string): { token: string; hash: Buffer } {
  const secret = randomBytes(SECRET_BYTES)
  return { token: tokenWith(tenant, secret), hash: hashOf(secret) }
}
/** For customers: formed from the link and its generation, so that it can be told again (docs/decisions/0645). */
export function derivedToken(
  secretKey: Buffer,
  link: { tenant: string; id: string; generation: number },
): { token: string; hash: Buffer } {
  const secret = createHmac('sha256', secretKey).update(`link secret:${link.id}:${link.generation}`).digest()
  return { token: tokenWith(link.tenant, secret), hash: hashOf(secret) }
}
function readToken(token: string): { tenant: string; hash: Buffer } | undefined {
  if (!TOKEN.test(token)) return undefined
  const bytes = Buffer.from(token, 'base64url')
  const h = bytes.toString('hex', 0, TENANT_BYTES)
  const tenant = [h.slice(0, 8), h.slice(8, 12), h.slice(12, 16), h.slice(16, 20), h.slice(20)].join('-')
  return { tenant, hash: hashOf(bytes.subarray(TENANT_BYTES)) }
}

/** Unknown, expired, taken back, used up, of something that is over, the wrong password: all of them read like this. */
const no = () =>
  new Refused('链接打不开：可能已过期、被收回或用完次数，或者需要密码。请向发给您的人重新要一个', 404, 404)

export interface Bearer {
  token: string
  pass: string
  device: string
}
/** Bytes have no fields: who sends a picture says so in headers, which no log of ours keeps. */
export function bearerIn({ request }: Pick<Call, 'request'>): Bearer {
  const said = (name: string) => {
    const value = request.headers[name]
    return typeof value === 'string' ? value.slice(0, 200) : ''
  }
  return { token: said('x-link'), pass: said('x-link-pass'), device: said('x-link-device') }
}
export interface OpenLink extends KeptLink {
  tenant: string
  receiver_id?: string
  /** Whether the device was let in; nothing where the kind lets in nobody. */
  letIn?: boolean
}
type Kinds = LinkKindName | readonly LinkKindName[]
interface Doing {
  /** Seconds: of what a telephone did before somebody else began to drive (docs/decisions/0345). */
  doneAt?: number
  /** Somebody looks at the page. */
  inSight?: boolean
}
/** What somebody who has a link and no account may do with a call. */
export type LinkCall = Pick<Call, 'agent' | 'ip' | 'log' | 'newId' | 'now' | 'read' | 'user' | 'write'>

const ROBOTS = /bot\b|bot\/|spider|crawler|slurp|facebookexternalhit|uripreview|curl\/|wget\//i

const MISSES = 60
const MISSES_MS = 10 * 60_000
/** Devices that open one link in an hour. */
const OPENINGS = 120
const OPENINGS_MS = 3_600_000
/** What one link is asked to show in an hour, by all its devices; or by one that was let in. */
const LOOKS = 3_000
/** The same of devices that nobody has let in, from one network: three that wait ask 2,340 times. */
const STRANGE_LOOKS = 2_500
const STRANGE_OPENINGS = 30

/** What was done while the link was good still arrives; nothing else is told or done with one that is not. */
const isGood = (l: KeptLink, doneAt?: number): boolean =>
  l.valid || (l.relievedAt !== null && doneAt !== undefined && doneAt * 1_000 < l.relievedAt.getTime())

/** The one way in for everybody without an account. */
export function linkDoor({ db, secretKey, kinds }: { db: Database; secretKey: Buffer; kinds: LinkKinds }) {
  const misses = allowance(MISSES, MISSES_MS, '打不开的链接试得太多了，请稍后再试')

  /** A link that leads nowhere takes as long as one whose password is wrong: the time tells nobody which it was. */
  const decoy = protect(travelling(randomBytes(TENANT_BYTES).toString('hex')))
  const tooOften = '这个链接看得太频繁了，请稍后再试'
  const looks = allowance(LOOKS, OPENINGS_MS, tooOften)
  const tooMany = '一小时内打开这个链接的设备太多，请稍后再试'
  const openings = allowance(OPENINGS, OPENINGS_MS, tooMany)
  const strange = {
    looks: allowance(STRANGE_LOOKS, OPENINGS_MS, tooOften),
    openings: allowance(STRANGE_OPENINGS, OPENINGS_MS, tooMany),
  }
  /** A link that was passed on is a stranger's, too: what strangers do with it takes nothing from who was let in. */
  function spend(call: Call, link: OpenLink, device: string, what: 'looks' | 'openings'): void {
    const { id, letIn } = link
    // What customers pass on is for all of them: one network takes nothing from another.
    if (what === 'looks' && kinds[link.kind]!.visits) looks.spend(`${id} ${networkOf(call.ip)}`, call.now())
    else if (letIn === false) strange[what].spend(`${id} ${networkOf(call.ip)}`, call.now())
    else if (what === 'looks') looks.spend(letIn ? `${id} ${device}` : id, call.now())
    else if (!letIn) openings.spend(id, call.now())
  }

  /** Says what `enter` asks for afterwards: who opened a link with its password need not say it again. */
  const passOf = (l: KeptLink): string =>
    l.password ? createHmac('sha256', secretKey).update(`link:${l.id}:${l.password}`).digest('base64url') : ''
  const hasPass = (l: KeptLink, pass: string): boolean => {
    const [right, given] = [passOf(l), pass].map((text) => Buffer.from(text)) as [Buffer, Buffer]
    return right.length === given.length && timingSafeEqual(right, given)
  }

  async function find({ token, device }: Bearer, doneAt?: number): Promise<OpenLink | undefined> {
    const said = readToken(token)
    if (!said) return undefined
    return db.tx(
      wholeGroup(said.tenant),
      async (tx) => {
        const link = await linkByHash(tx, said.tenant, said.hash, device)
        if (!link || !isGood(link, doneAt)) return undefined
        const kind = kinds[link.kind]!
        const { id, target_id } = link
        const letIn = await kind.isLetIn?.(tx, { id, tenant: said.tenant, target_id, device })
        if (link.full && !link.inside && !letIn) return undefined
        if (!(await kind.lives(tx, said.tenant, link.target_id))) return undefined
        const receiver_id = await kind.receiver?.(tx, said.tenant, link.target_id)
        return {
          ...link,
          tenant: said.tenant,
          ...(receiver_id ? { receiver_id } : {}),
          ...(letIn === undefined ? {} : { letIn }),
        }
      },
      { readOnly: true },
    )
  }
  /** Nobody finds 256 bits by trying: misses are bounded for the load alone, and hinder nobody who has a link. */
  function missed(call: Call): never {
    misses.spend(networkOf(call.ip), call.now())
    throw no()
  }
  /** Whoever made the link is told that it is guessed at: they may send another one. */
  const tellMaker = ({ id, person, tenant }: OpenLink) =>
    db.tx(wholeGroup(tenant), async (tx) =>
      notify(tx, {
        tenant,
        user: [await makerOf(tx, tenant, id)],
        title: `有人在猜您发${person ? `给${person}` : '出'}的链接的密码，错得太多。一小时内只有打开过它的手机还能打开；还没打开过的，请收回后另发一个链接`,
        link: '',
        personal: true,
      }),
    )
  /** A password is: counted before it is judged, of the address and, where it never opened the link, of the link. */
  async function isPassword(call: Call, link: OpenLink, password: string, device: string): Promise<boolean> {
    const known = await db.tx(
      wholeGroup(link.tenant),
      (tx) => openedBy(tx, link.tenant, link.id, { device, ip: call.ip }),
      { readOnly: true },
    )
    const { guess, isNewSiege } = await db.tx(SYSTEM, (tx) => takeLinkGuess(tx, call.ip, link.id, known))
    if (isNewSiege) await tellMaker(link)
    if (!guess) return false
    if (!(await verify(link.password!, travelling(password)))) return false
    await db.tx(SYSTEM, (tx) => giveBack(tx, guess))
    return true
  }

  /** Staff who look at what they send open nothing. */
  async function isStaffs(call: Call, tenant: string): Promise<boolean> {
    const token = /(?:^|; )Access-Token=([^;]+)/.exec(call.request.headers.cookie ?? '')?.[1]
    return (
      token !== undefined &&
      db.tx(SYSTEM, (tx) => isStaffOf(tx, tenant, hashToken(token)), { readOnly: true })
    )
  }
  /**
   * The device goes on in its opening, or begins one where one is left. What customers are shown is looked at when
   * their page says that it is in sight; nobody works through the link of a driver or a home without looking.
   */
  async function stands(
    call: Call,
    link: OpenLink,
    device: string,
    { doneAt, inSight }: Doing,
  ): Promise<boolean> {
    const { id, letIn, target_id, tenant } = link
    const kind = kinds[link.kind]!
    // A browser that keeps nothing is no telephone of a driver or of a home.
    if (device.startsWith(VISIT) && !kind.visits) return false
    // A program that reads what is sent to people is no opening, and is told nothing either.
    if (kind.visits && ROBOTS.test(call.agent)) return false
    if (kind.visits && (await isStaffs(call, tenant))) return true
    const stood = await db.tx(wholeGroup(tenant), async (tx) => {
      const before = await goOn(tx, tenant, id, device)
      if (before) return before
      const held = await lockLink(tx, tenant, id, device)
      if (!held || !isGood(held, doneAt)) return undefined
      // Two calls of one page: the other one has begun it while this one waited for the link.
      const meanwhile = await goOn(tx, tenant, id, device)
      if (meanwhile) return meanwhile
      if (held.full && !letIn) return undefined
      spend(call, link, device, 'openings')
      const { agent, ip } = call
      await addOpening(tx, { tenant, id: call.newId(), link: id, device, ip, agent })
      return { shown: false }
    })
    if (stood && !stood.shown && (inSight || !kind.visits))
      await db.tx(wholeGroup(tenant), async (tx) => {
        // The link before its opening, as whoever begins one holds them.
        const held = await lockLink(tx, tenant, id, device)
        const count = await showOpening(tx, tenant, id, device)
        if (held && count)
          await kind.opened?.(tx, { id, tenant, target_id, bc_id: held.bc_id, first: count === 1 })
      })
    return stood !== undefined
  }

  return {
    async open(
      call: Call,
      body: Bearer & { password: string },
    ): Promise<{ kind: LinkKindName; pass: string }> {
      const link = await find(body)
      if (!link) {
        misses.spend(networkOf(call.ip), call.now())
        await verify(await decoy, travelling(body.password))
        throw no()
      }
      const hasToSay = link.password && !hasPass(link, body.pass)
      if (hasToSay && !(await isPassword(call, link, body.password, body.device))) return missed(call)
      return { kind: link.kind, pass: passOf(link) }
    },
    /**
     * Whose call this is, and of which kind it must be; refuses with the one answer. Whatever is told or done through
     * a link spends an opening, whether its page says that it is painted or not (docs/decisions/0285, 0664).
     */
    async enter(call: Call, bearer: Bearer, kind?: Kinds, doing: Doing = {}): Promise<OpenLink> {
      const link = await find(bearer, doing.doneAt)
      if (!link || (kind && ![kind].flat().includes(link.kind)) || !hasPass(link, bearer.pass))
        return missed(call)
      return (await stands(call, link, bearer.device, doing)) ? link : missed(call)
    },
    /** The same for what only shows something, as often as a page asks by itself. */
    async look(call: Call, bearer: Bearer, kind?: Kinds, doing: Doing = {}): Promise<OpenLink> {
      const link = await this.enter(call, bearer, kind, doing)
      spend(call, link, bearer.device, 'looks')
      return link
    },
    async painted(call: Call, bearer: Bearer): Promise<void> {
      await this.enter(call, bearer, undefined, { inSight: true })
    },
    /** The call as the holder of the link, in the reach of what it leads to. */
    as(call: Call, link: OpenLink, of: { bc_id: string; receiver_id?: string }, role: string): LinkCall {
      const { tenant } = link
      const scope: Scope = {
        tenant,
        bcs: [of.bc_id],
        sites: null,
        user: null,
        ...(of.receiver_id ? { receivers: [of.receiver_id] } : {}),
      }
      const { agent, ip, newId, now } = call
      const nickname = link.person ? `${role} ${link.person}` : `${role}（链接）`
      return {
        agent,
        ip,
        newId,
        now,
        user: nobody(tenant, nickname, scope),
        read: (fn) => db.tx(scope, fn, { readOnly: true }),
        write: (fn) => db.tx(scope, fn),
        log: (tx, line) => writeLog(tx, { tenant, userId: null, userName: nickname, ip, agent }, line),
      }
    },
  }
}
export type LinkDoor = ReturnType<typeof linkDoor>

/** Does it once: who sends the same act again is answered as the first time. */
export async function once(
  tx: Tx,
  link: OpenLink,
  { act, target }: { act: string; target: string },
  work: () => Promise<string>,
): Promise<string> {
  const { tenant } = link
  const before = await claimAct(tx, { tenant, link: link.id, act, target })
  if (before) {
    if (before.target_id !== target) throw new Refused('这个操作编号已经用在另一张单上')
    return before.answer
  }
  const answer = await work()
  if (answer) await keepAct(tx, tenant, link.id, act, answer)
  return answer
}

/** Somebody else takes over: the links to it are taken back. @returns how many */
export const relieveLinks = (tx: Tx, tenant: string, kind: LinkKindName, target: string): Promise<number> =>
  relieve(tx, tenant, { kind, target })
export {
  makerOf,
  moveAll as moveLinks,
  noteLook,
  revokeAll as revokeLinks,
  revokeLink,
  shortenAll as shortenLinks,
} from './links.queries.ts'
