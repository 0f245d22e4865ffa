import {
  warningEnd,
  warningLevel,
  type WarningRow,
  warningAct,
} from '@zhuguan/contract/features/warnings/warnings.record.ts'

import type { Tx } from '../../database/connect.ts'
import { uuidv7 } from '../../kit/ids.ts'
import { SYSTEM_NAME } from '../../kit/nobody.ts'
import { tell } from '../live/live.service.ts'
import { settle } from '../notifications/notifications.service.ts'
import { type Found, findWarnings } from './rules.queries.ts'
import {
  addEntries,
  type Closing,
  endWarnings,
  fatesOf,
  hearAgain,
  keepWarnings,
  lockStanding,
  moversOf,
  openWarnings,
  type Standing,
  takeBack,
  takeChanged,
} from './standing.queries.ts'
import { tellNews } from './telling.service.ts'
import { movedWords, wordsOf } from './warning-words.ts'
import { warningsOf } from './warnings.queries.ts'

const { replanned } = warningEnd.code
const { back, close, ease, open, rise } = warningAct.code
const keyOf = (w: Pick<Found, 'site_id' | 'rule' | 'cause'>) => [w.site_id, w.rule, w.cause].join('|')

const isOther = (s: Standing, f: Found): boolean =>
  s.deviation !== f.deviation ||
  s.level !== f.level ||
  s.baseline !== f.baseline ||
  s.planned !== f.planned ||
  s.correction_id !== f.correction_id ||
  s.ball !== f.ball ||
  s.waitsFor !== f.waitsFor

const entryOf = (warning: string, act: string, text = '') => ({ id: uuidv7(), warning, act, text })

/** One line of the site's time, and everybody who looks. */
function show(tx: Tx, tenant: string, w: WarningRow, what: string): void {
  const teller = { user: { tenant, nickname: SYSTEM_NAME }, now: () => tx.now, newId: uuidv7 }
  const line = { kind: 'warning' as const, title: `预警${what}：${wordsOf(w)}` }
  tell(tx, teller, { topic: 'warning', bc: w.bc_id, site: w.site_id, id: w.id, line })
}

/** Closes what has no cause any more, and says so. */
export async function closeBySystem(tx: Tx, tenant: string, closing: readonly Closing[]): Promise<void> {
  if (closing.length === 0) return
  const moved = closing.filter((c) => c.ended === replanned).map((c) => c.id)
  const movers = moved.length ? await moversOf(tx, tenant, moved) : []
  const words = new Map(movers.map((m) => [m.id, `：${movedWords(m)}`]))
  const endOf = (c: Closing): string => `${warningEnd.label(c.ended)}${words.get(c.id) ?? ''}`
  await endWarnings(tx, tenant, closing, SYSTEM_NAME)
  const entries = closing.map((c) => entryOf(c.id, close, endOf(c)))
  await addEntries(tx, tenant, entries, SYSTEM_NAME)
  await settle(tx, tenant, ...closing.map(({ id }) => ({ kind: 'warning' as const, id })))
  const rows = await warningsOf(
    tx,
    tenant,
    closing.map((c) => c.id),
  )
  const ends = new Map(closing.map((c) => [c.id, endOf(c)]))
  for (const w of rows) show(tx, tenant, w, `关闭（${ends.get(w.id)}）`)
}

/**
 * Looks at these sites, or at all: opens what is found, keeps what goes on, closes what is gone. What a person has
 * closed stays closed until its level rises or its cause was gone once. Answers what people were told of.
 */
async function weigh(tx: Tx, tenant: string, sites: readonly string[] | null): Promise<string[]> {
  const standing = await lockStanding(tx, tenant, sites)
  const left = await takeBack(tx, tenant, sites, SYSTEM_NAME)
  const found = new Map((await findWarnings(tx, tenant, sites)).map((f) => [keyOf(f), f]))
  const gone = standing.filter((s) => !found.has(keyOf(s)))
  const silent = new Map(standing.filter((s) => s.silent).map((s) => [keyOf(s), s]))
  const going = standing.filter((s) => !s.silent && found.has(keyOf(s)))
  const known = new Set(going.map(keyOf))

  const ended = gone.filter((s) => !s.silent).map((s) => s.id)
  const fates = ended.length ? await fatesOf(tx, tenant, ended) : new Map<string, Closing['ended']>()
  await closeBySystem(
    tx,
    tenant,
    ended.map((id) => ({ id, ended: fates.get(id)! })),
  )

  const changed = going.map((s) => ({ s, f: found.get(keyOf(s))! })).filter(({ s, f }) => isOther(s, f))
  if (changed.length) {
    await keepWarnings(
      tx,
      tenant,
      changed.map(({ s, f }) => ({ ...f, id: s.id })),
      SYSTEM_NAME,
    )
    const moved = changed.filter(({ s, f }) => s.level !== f.level)
    const entries = moved.map(({ s, f }) =>
      entryOf(
        s.id,
        f.level > s.level ? rise : ease,
        `${warningLevel.label(s.level)} → ${warningLevel.label(f.level)}`,
      ),
    )
    await addEntries(tx, tenant, entries, SYSTEM_NAME)
  }
  const waiting = left.filter((id) => !ended.includes(id))
  await addEntries(
    tx,
    tenant,
    waiting.map((id) => entryOf(id, back, '接手的人不再负责')),
    SYSTEM_NAME,
  )
  const risen = changed.filter(({ s, f }) => f.level > s.toldLevel).map(({ s }) => s.id)

  const fresh = [...found]
    .filter(([key, f]) => !known.has(key) && f.level > (silent.get(key)?.level ?? 0))
    .map(([, f]) => ({ ...f, id: uuidv7() }))
  const opened = fresh.length ? await openWarnings(tx, tenant, fresh, SYSTEM_NAME) : []
  await addEntries(
    tx,
    tenant,
    opened.map((id) => entryOf(id, open)),
    SYSTEM_NAME,
  )
  const heard = [...gone.filter((s) => s.silent), ...fresh.flatMap((f) => silent.get(keyOf(f)) ?? [])]
  if (heard.length)
    await hearAgain(
      tx,
      tenant,
      heard.map((s) => s.id),
    )

  const news = [...new Set([...opened, ...risen, ...waiting])]
  if (news.length === 0) return news
  const saidOf = (w: WarningRow): string => {
    if (opened.includes(w.id)) return ''
    return risen.includes(w.id) ? `升为${warningLevel.label(w.level)}` : warningAct.label(back)
  }
  const rows = await warningsOf(tx, tenant, news)
  for (const w of rows) show(tx, tenant, w, saidOf(w))
  await tellNews(tx, tenant, rows)
  return news
}

/** Every night: days have passed. */
export async function weighAll(tx: Tx, tenant: string): Promise<string> {
  await takeChanged(tx, tenant)
  const told = await weigh(tx, tenant, null)
  return told.length ? `预警 ${told.length} 条` : ''
}
/** Changes on sites since the last look. */
export async function weighChanged(tx: Tx, tenant: string): Promise<void> {
  const sites = await takeChanged(tx, tenant)
  if (sites.length) await weigh(tx, tenant, sites)
}
