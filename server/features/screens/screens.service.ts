import { screenActions } from '@zhuguan/contract/features/screens/screens.actions.ts'
import type { screensApi } from '@zhuguan/contract/features/screens/screens.api.ts'
import {
  type AskingBrowser,
  screenKind,
  screenState,
} from '@zhuguan/contract/features/screens/screens.record.ts'
import type { BodyOf } from '@zhuguan/contract/kit/api.ts'

import type { Database, Tx } from '../../database/connect.ts'
import { allowance } from '../../kit/bound.ts'
import { networkOf } from '../../kit/network.ts'
import { actorAt } from '../../kit/reach.ts'
import { found, invalid, outside, refuse, unlessSeen } from '../../kit/refuse.ts'
import type { Call } from '../../kit/serve.ts'
import { SYSTEM } from '../session/access.reads.ts'
import { lockArrangement } from './arrangements.queries.ts'
import { activeStore, refuseGuests } from './arrangements.service.ts'
import { type Asking, askingBy, takeCode } from './screen-codes.queries.ts'
import {
  addScreen,
  isScreenNameTaken,
  lockScreens,
  replaceScreen,
  revokeAll,
  revokeScreen,
} from './screens.queries.ts'

type Api = typeof screensApi
/** Codes that are tried in ten minutes, by one person and from one network: thirty walls are paired with less. */
const TRIES = 80
const TRIES_OF_A_NETWORK = 160
const TRIES_MS = 10 * 60_000

/** Mistyped, used, lapsed, never there: all of them read like this. */
const NO_CODE = '没有屏幕在显示这个配对码：可能输错了、已经用过或超过 10 分钟，请看屏幕上现在的码'

const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/Edg\//, 'Edge'],
  [/Firefox\//, 'Firefox'],
  [/Chrome\/|Chromium\//, 'Chrome'],
  [/Safari\//, 'Safari'],
]
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/Android/, '安卓'],
  [/iPhone|iPad/, 'iOS'],
  [/Windows/, 'Windows'],
  [/Mac OS X/, 'macOS'],
  [/CrOS/, 'ChromeOS'],
  [/Linux/, 'Linux'],
]
/** The kind of browser that it says it is, in two words. */
export function browserOf(agent: string): string {
  const named = (list: typeof BROWSERS, otherwise: string) =>
    list.find(([pattern]) => pattern.test(agent))?.[1] ?? otherwise
  return `${named(SYSTEMS, '未知系统')} · ${named(BROWSERS, '未知浏览器')}`
}
/** The network that it asks from, without the end that would name one machine. */
export const placeOf = (ip: string): string => networkOf(ip).replace(/[.:][^.:/]*(::)?(\/\d+)?$/, '.*')

export function screenPairing({ db }: { db: Database }) {
  const sentence = '配对码试得太多了，请十分钟后再试'
  const tries = {
    person: allowance(TRIES, TRIES_MS, sentence),
    network: allowance(TRIES_OF_A_NETWORK, TRIES_MS, sentence),
  }
  /** Counted before it is judged: who has tried too often learns nothing more, right or wrong. */
  function spend(call: Call): void {
    tries.person.spend(call.user.id, call.now())
    tries.network.spend(networkOf(call.ip), call.now())
  }
  const missed = (): never => {
    throw invalid('code', NO_CODE)
  }
  async function taken(call: Call, code: string): Promise<Asking> {
    spend(call)
    return (await db.tx(SYSTEM, (tx) => takeCode(tx, code))) ?? missed()
  }

  return {
    async find(call: Call, code: string): Promise<AskingBrowser> {
      spend(call)
      const asking = (await db.tx(SYSTEM, (tx) => askingBy(tx, code), { readOnly: true })) ?? missed()
      const { agent, expires_at, height, ip, width } = asking
      return {
        width,
        height,
        browser: browserOf(agent),
        place: placeOf(ip),
        near: networkOf(ip) === networkOf(call.ip),
        expiresAt: Math.floor(expires_at.getTime() / 1_000),
      }
    },
    pair: (call: Call, body: BodyOf<Api['pair']>): Promise<{ id: string }> =>
      call.write(async (tx) => {
        const { tenant } = call.user
        const store = await activeStore(tx, call, body.store_id)
        const arrangement = body.arrangement_id
          ? found(await lockArrangement(tx, call.user.scope, body.arrangement_id))
          : null
        if (arrangement && arrangement.bc_id !== store.bc_id)
          throw invalid('arrangement_id', '这个编排是别的分公司的，请选同一分公司的编排')
        if (arrangement && body.kind === screenKind.code.public) refuseGuests(arrangement.scenes, [body.name])
        if (await isScreenNameTaken(tx, tenant, store.id, body.name))
          throw invalid('name', `这个门店已经有叫 ${body.name} 的屏幕；丢了配对的屏幕请用“替换原屏”`)
        const of = await taken(call, body.code)
        const id = call.newId()
        const { kind, name } = body
        await addScreen(tx, {
          tenant,
          id,
          bc: store.bc_id,
          store: store.id,
          name,
          kind,
          arrangement: arrangement?.id ?? null,
          by: call.user.nickname,
          of,
        })
        await call.log(tx, {
          action: '配对屏幕',
          object: 'screen',
          objectId: id,
          after: {
            name,
            store: store.name,
            kind,
            arrangement: arrangement?.name ?? '',
            size: `${of.width}×${of.height}`,
            browser: browserOf(of.agent),
          },
        })
        return { id }
      }),
    replace: (call: Call, body: BodyOf<Api['replace']>): Promise<null> =>
      call.write(async (tx) => {
        const screen = await heldScreen(tx, call, body)
        refuse(screenActions.refusal('replace', screen, actorAt(call.user, screen)))
        const of = await taken(call, body.code)
        await replaceScreen(tx, call.user.tenant, { id: screen.id, by: call.user.nickname, of })
        await call.log(tx, {
          action: '替换原屏',
          object: 'screen',
          objectId: screen.id,
          after: { name: screen.name, size: `${of.width}×${of.height}`, browser: browserOf(of.agent) },
        })
        return null
      }),
  }
}

async function heldScreen(tx: Tx, call: Call, one: { id: string; version: number }) {
  const [screen] = await lockScreens(tx, call.user.scope, [one.id])
  if (!screen) throw outside()
  unlessSeen(screen, one.version, '块屏幕')
  return screen
}
export async function takeBackScreen(tx: Tx, call: Call, body: BodyOf<Api['revoke']>): Promise<null> {
  const screen = await heldScreen(tx, call, body)
  refuse(screenActions.refusal('revoke', screen, actorAt(call.user, screen)))
  await revokeScreen(tx, call.user.tenant, screen.id, body.reason)
  await call.log(tx, {
    action: '收回屏幕',
    object: 'screen',
    objectId: screen.id,
    before: { state: screen.state },
    after: { name: screen.name, state: screenState.code.revoked, reason: body.reason },
  })
  return null
}

/** A store or a branch is closed: its walls say so and show nothing more. */
export async function closeScreens(
  tx: Tx,
  call: Pick<Call, 'log' | 'user'>,
  of: { store: string } | { bc: string },
  why: string,
): Promise<void> {
  const n = await revokeAll(tx, call.user.tenant, of, why)
  if (n > 0)
    await call.log(tx, {
      action: '收回屏幕',
      object: 'screen',
      objectId: '',
      after: { name: `${n} 块`, state: screenState.code.revoked, reason: why },
    })
}
