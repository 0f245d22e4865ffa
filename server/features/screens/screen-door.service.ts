import { createHash, randomBytes, randomInt } from 'node:crypto'

import type { screenDoorApi } from '@zhuguan/contract/features/screens/screen-door.api.ts'
import { CODE_SECONDS, screenKind } from '@zhuguan/contract/features/screens/screens.record.ts'
import type { BodyOf, DataOf } from '@zhuguan/contract/kit/api.ts'

import type { Database } from '../../database/connect.ts'
import { allowance } from '../../kit/bound.ts'
import { keptAnswers } from '../../kit/kept-answers.ts'
import { networkOf } from '../../kit/network.ts'
import { Refused } from '../../kit/refuse.ts'
import type { Call } from '../../kit/serve.ts'
import { SYSTEM } from '../session/access.reads.ts'
import { codeOf, showCode } from './screen-codes.queries.ts'
import { type Bearer, bearerOf, noteWord } from './screens.queries.ts'
import type { Contents } from './wall-content.service.ts'

type Look = DataOf<(typeof screenDoorApi)['look']>
type DoorCall = Pick<Call, 'agent' | 'ip' | 'newId' | 'now' | 'reply' | 'request'>

const COOKIE = 'screen'
const SECRET = /^[\w-]{43}$/
/** Browsers keep none longer. */
const COOKIE_SECONDS = 400 * 86_400
const LETTERS = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789'
const CODE_LENGTH = 6
/** A wall asks every three seconds; who asks with another one's cookie is counted with it. */
const LOOKS = 90
const PICTURES = 120
const REPORTS = 12
const MINUTE_MS = 60_000
/** Codes of one network: a hall with thirty walls that all lost theirs has enough. */
const CODES = 60
const CODES_MS = 10 * MINUTE_MS
/** Whose cookie it is, is known for so long: what was taken back is dark within that and a look more. */
const KNOWN_MS = 1_000
/** A tab that has not asked for so long paints no more, and another one may. */
const HOLDER_MS = 8_000
const MOST_HOLDERS = 20_000

const hashOf = (secret: string): Buffer => createHash('sha256').update(secret).digest()
const newCode = (): string =>
  Array.from({ length: CODE_LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join('')
const secretIn = ({ request }: DoorCall): string | undefined => {
  const said = (request.headers.cookie ?? '').split('; ').find((c) => c.startsWith(`${COOKIE}=`))
  const secret = said?.slice(COOKIE.length + 1) ?? ''
  return SECRET.test(secret) ? secret : undefined
}

/** The one way in for walls: a cookie of their own, no account, no right, and nothing but what their branch shows. */
export function screenDoor({ bundle, contents, db }: { bundle: string; contents: Contents; db: Database }) {
  const looks = allowance(LOOKS, MINUTE_MS, '这块屏幕取画面太频繁了，请稍后再试')
  const pictures = allowance(PICTURES, MINUTE_MS, '这块屏幕取照片太频繁了，请稍后再试')
  const reports = allowance(REPORTS, MINUTE_MS, '这块屏幕报告得太频繁了，请稍后再试')
  const codes = allowance(CODES, CODES_MS, '这个网络地址要的配对码太多了，请十分钟后再试')
  const known = keptAnswers<Bearer | undefined>(KNOWN_MS)
  const holders = new Map<string, { tab: string; at: number }>()

  const bearer = (hash: Buffer, now: Date) =>
    known.of(hash.toString('hex'), now, () => db.tx(SYSTEM, (tx) => bearerOf(tx, hash), { readOnly: true }))
  /** The first of several tabs with one cookie, or of a copy of it. */
  function holds(id: string, tab: string, now: Date): boolean {
    const at = now.getTime()
    const holder = holders.get(id)
    if (holder && holder.tab !== tab && Math.abs(at - holder.at) < HOLDER_MS) return false
    if (holders.size >= MOST_HOLDERS) holders.clear()
    holders.set(id, { tab, at })
    return true
  }
  function keepCookie({ reply, request }: DoorCall, secret: string): void {
    const secure = request.protocol === 'https' ? '; Secure' : ''
    reply.header(
      'set-cookie',
      `${COOKIE}=${secret}; Path=/open/screen; Max-Age=${COOKIE_SECONDS}; HttpOnly; SameSite=Strict${secure}`,
    )
  }
  const blank = { code: '', left: 0, stamp: '', content: null, bundle }
  const secondsOf = (now: Date) => Math.floor(now.getTime() / 1_000)

  /** The code that this browser shows, or a new one. */
  async function unpaired(
    call: DoorCall,
    secret: string | undefined,
    size: { width: number; height: number },
  ): Promise<Look> {
    const now = call.now()
    const hash = secret === undefined ? undefined : hashOf(secret)
    const shown = hash && (await db.tx(SYSTEM, (tx) => codeOf(tx, hash), { readOnly: true }))
    const at = secondsOf(now)
    const nothing = { ...blank, at }
    if (shown) return { ...nothing, state: 'unpaired', code: shown.code, left: shown.expiresAt - at }
    codes.spend(networkOf(call.ip), now)
    const mine = secret ?? randomBytes(32).toString('base64url')
    const until = new Date(now.getTime() + CODE_SECONDS * 1_000)
    const { agent, ip } = call
    for (let tries = 0; tries < 5; tries += 1) {
      const code = newCode()
      const asked = { hash: hashOf(mine), code, ...size, agent, ip, until }
      if (!(await db.tx(SYSTEM, (tx) => showCode(tx, asked)))) continue
      keepCookie(call, mine)
      return { ...nothing, state: 'unpaired', code, left: CODE_SECONDS }
    }
    throw new Refused('现在没有空的配对码，请稍后再试', 503)
  }

  return {
    async look(call: DoorCall, body: BodyOf<(typeof screenDoorApi)['look']>): Promise<Look> {
      const now = call.now()
      const secret = secretIn(call)
      const nothing = { ...blank, at: secondsOf(now) }
      const wall = secret ? await bearer(hashOf(secret), now) : undefined
      if (!wall || (wall.revoked && body.anew)) return unpaired(call, wall ? undefined : secret, body)
      looks.spend(wall.id, now)
      if (wall.revoked) return { ...nothing, state: 'revoked' }
      if (!holds(wall.id, body.tab, now)) return { ...nothing, state: 'elsewhere' }
      const {
        arrangement,
        bc_id,
        closes,
        group,
        holidays,
        id,
        kind,
        name,
        opens,
        scenes,
        store,
        store_id,
        tenant,
      } = wall
      const content = await contents.contentOf(
        {
          tenant,
          bc: bc_id,
          group,
          store,
          arrangement:
            arrangement !== null && scenes && holidays
              ? { name: arrangement, scenes, opens, closes, holidays }
              : null,
          may: () => kind === screenKind.code.staff,
          // A wall reaches as far as its store's branch.
          ranked: [bc_id],
          wall: { tenant, bc: bc_id, id, name, store_id, newId: call.newId },
        },
        now,
      )
      const stamp = createHash('sha256')
        .update(JSON.stringify({ ...content, at: 0 }))
        .digest('base64url')
      return { ...nothing, state: 'wall', stamp, content: stamp === body.stamp ? null : content }
    },
    /** The bytes that a wall may show, asked about anew. */
    async picture(call: DoorCall, body: BodyOf<(typeof screenDoorApi)['picture']>): Promise<Buffer> {
      const now = call.now()
      const secret = secretIn(call)
      const wall = secret ? await bearer(hashOf(secret), now) : undefined
      if (!wall || wall.revoked) throw new Refused('这块屏幕没有配对，或者已经收回', 404, 404)
      pictures.spend(wall.id, now)
      const bytes = await contents.pictureOf({ tenant: wall.tenant, bc: wall.bc_id }, body, now)
      if (!bytes) throw new Refused('这张照片不能再看了', 404, 404)
      return bytes
    },
    async report(call: DoorCall, body: BodyOf<(typeof screenDoorApi)['report']>): Promise<null> {
      const now = call.now()
      const secret = secretIn(call)
      const wall = secret ? await bearer(hashOf(secret), now) : undefined
      if (!secret || !wall || wall.revoked) throw new Refused('这块屏幕没有配对，或者已经收回', 404, 404)
      if (!holds(wall.id, body.tab, now)) return null
      reports.spend(wall.id, now)
      const { bc_id, id, tenant } = wall
      const { tab: _tab, ...word } = body
      await db.tx({ tenant, bcs: [bc_id], sites: null, user: null }, (tx) =>
        noteWord(tx, tenant, { ...word, id }),
      )
      // Its own cookie is kept for as long as it speaks.
      keepCookie(call, secret)
      return null
    },
  }
}
