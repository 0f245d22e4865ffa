import { type Leaving, type WorkKind, workKind } from '@zhuguan/contract/features/users/accounts.record.ts'
import { EVERY_PERMISSION } from '@zhuguan/contract/kit/permits.ts'

import type { Tx } from '../../database/connect.ts'
import { Refused } from '../../kit/refuse.ts'
import { bool, row, text, uuid } from '../../kit/row.ts'
import type { Call } from '../../kit/serve.ts'
import { whoCan } from '../notifications/turns.service.ts'
import type { Person } from './users.reads.ts'

/** Somebody whose account ends, or who may do less from now on. */
export interface Leaver {
  id: string
  nickname: string
}
/** Work of one kind that waits for one person alone. */
export interface OpenPart {
  count: number
  /** In a clerk's words, with their number. */
  title: string
  /** The list of it. */
  link: string
  /** Who can take all of it, the likely ones first. */
  people: Pick<Person, 'id' | 'nickname'>[]
}
/**
 * One feature's part of what hangs on a person. `gone`: the account has just been changed or ended in this transaction,
 * and only what they cannot do any more is asked for; otherwise all that is theirs. `taken`: who takes which kind in
 * the same step, once that is decided.
 */
export interface OpenWork {
  kind: WorkKind
  /** The right that somebody lacks who cannot take it. */
  lacks: string
  open(
    tx: Tx,
    call: Call,
    of: Leaver,
    gone: boolean,
    taken?: ReadonlyMap<WorkKind, string>,
  ): Promise<OpenPart | undefined>
  /** Hands over what `open` answers for somebody who is gone. */
  hand(tx: Tx, call: Call, of: Leaver, to: Leaver, taken: ReadonlyMap<WorkKind, string>): Promise<void>
}
/** Something waits for whoever has a right, so that somebody must have it. */
export interface Queue {
  right: string
  /** As in “只有他能…”. */
  title: string
  /** For a company or store that receives, not for the branch that orders. */
  receiver?: true
  /** The number that waits now in this branch, or for this receiver. */
  waiting(tx: Tx, tenant: string, place: string): Promise<number>
}
/** What ends with an account and is handed to nobody: a sentence where there is something. */
export type Besides = (tx: Tx, tenant: string, of: Leaver) => Promise<string[]>
export interface WorkDeps {
  work: readonly OpenWork[]
  queues: readonly Queue[]
  besides: readonly Besides[]
}

interface Held {
  queue: Queue
  place: { id: string; name: string }
}
/** Branches and stores of a person, by name. */
async function placesOf(tx: Tx, tenant: string, of: Leaver) {
  const { rows } = await tx.query(
    'accounts.places',
    row({ id: uuid, name: text, kind: text }),
    `SELECT c.bc_id AS id, c.bc_name AS name, 'branch' AS kind
     FROM companies c
     WHERE c.tenant_id = $1 AND (c.bc_id IN (SELECT b.bc_id FROM user_branches b
         WHERE b.tenant_id = $1 AND b.user_id = $2)
       OR c.bc_id = (SELECT u.bc_id FROM users u WHERE u.tenant_id = $1 AND u.id = $2))
     UNION ALL
     SELECT t.id, t.name, 'store' AS kind
     FROM stores t
     WHERE t.tenant_id = $1 AND t.id IN (SELECT s.store_id FROM user_stores s WHERE s.tenant_id = $1 AND s.user_id = $2)
     ORDER BY name`,
    [tenant, of.id],
  )
  return rows
}
const can = (tx: Tx, tenant: string, { queue, place }: Held, who: { among?: string; except?: string }) =>
  whoCan(tx, {
    tenant,
    among: who.among ? [who.among] : null,
    except: who.except ? [who.except] : [],
    label: queue.right,
    place: queue.receiver ? { bc_id: null, receiver_id: place.id } : { bc_id: place.id },
    receiver: queue.receiver === true,
  })
/** What this person can do where they are, so that it can be asked afterwards who still can. */
export async function heldBy(tx: Tx, tenant: string, { queues }: WorkDeps, of: Leaver): Promise<Held[]> {
  const held: Held[] = []
  for (const place of await placesOf(tx, tenant, of))
    for (const queue of queues) {
      if (place.kind === 'store' && !queue.receiver) continue
      if ((await can(tx, tenant, { queue, place }, { among: of.id })).near.length) held.push({ queue, place })
    }
  return held
}
/** Whether others of the branch can do it on the sites that they lead. */
async function isDoneOnSites(tx: Tx, tenant: string, { place, queue }: Held, of: Leaver): Promise<boolean> {
  const { rows } = await tx.query(
    'accounts.onsites',
    row({ done: bool }),
    `SELECT EXISTS (
       SELECT 1 FROM sites w
       JOIN users u ON u.tenant_id = $1 AND u.id IN (w.manager_id, w.steward_id) AND u.status = 1
         AND u.deleted_at IS NULL AND u.id <> $4
       JOIN user_roles ur ON ur.tenant_id = $1 AND ur.user_id = u.id
       JOIN roles r ON r.tenant_id = $1 AND r.id = ur.role_id AND r.status = 1 AND r.data_scope = 'ownSites'
       JOIN role_powers p ON p.tenant_id = $1 AND p.role_id = r.id AND p.label IN ($3, '${EVERY_PERMISSION}')
       WHERE w.tenant_id = $1 AND w.bc_id = $2 AND w.deleted_at IS NULL) AS done`,
    [tenant, place.id, queue.right, of.id],
  )
  return rows[0]!.done
}
/** Of these, what nobody else of the place can do; each a sentence that says who could instead, and what waits. */
async function aloneIn(
  tx: Tx,
  tenant: string,
  held: readonly Held[],
  of: Leaver,
  gone: boolean,
): Promise<string[]> {
  const alone: string[] = []
  for (const h of held) {
    if (gone && (await can(tx, tenant, h, { among: of.id })).near.length) continue
    const others = await can(tx, tenant, h, { except: of.id })
    if (others.near.length || (await isDoneOnSites(tx, tenant, h, of))) continue
    const n = await h.queue.waiting(tx, tenant, h.place.id)
    const then = others.wide.length ? '以后只有集团的人能办' : '以后没有人能办'
    alone.push(
      `${h.place.name}只有${of.nickname}能${h.queue.title}${n ? `，现在有 ${n} 件在等` : ''}；${then}`,
    )
  }
  return alone
}

/** Before somebody is stopped: what is open of theirs, who could take it, and what nobody else can do. */
export async function leavingOf(tx: Tx, call: Call, deps: WorkDeps, of: Leaver): Promise<Leaving> {
  const { tenant } = call.user
  const work: Leaving['work'] = []
  for (const { kind, open } of deps.work) {
    const part = await open(tx, call, of, false)
    if (!part) continue
    const people = part.people.filter((p) => p.id !== of.id).map(({ id, nickname }) => ({ id, nickname }))
    work.push({
      kind,
      count: part.count,
      title: part.title,
      link: part.link,
      people,
      successor: people[0] ?? null,
    })
  }
  const besides = []
  for (const find of deps.besides) besides.push(...(await find(tx, tenant, of)))
  return { work, alone: await aloneIn(tx, tenant, await heldBy(tx, tenant, deps, of), of, false), besides }
}

export interface Handing {
  successors: readonly { kind: WorkKind; user_id: string }[]
  confirmed: boolean
}
/**
 * The account has been changed: what the person cannot do any more goes to who was named for it, or nothing changes at
 * all. Answers in words what was handed over. `held`: what they could do before.
 */
export async function handOn(
  tx: Tx,
  call: Call,
  deps: WorkDeps,
  of: Leaver,
  { successors, confirmed }: Handing,
  held: readonly Held[],
): Promise<string[]> {
  const handed: string[] = []
  const left: string[] = []
  const taken = new Map(successors.map((s) => [s.kind, s.user_id]))
  for (const { kind, lacks, hand, open } of deps.work) {
    const part = await open(tx, call, of, true, taken)
    if (!part) continue
    const asked = taken.get(kind)
    if (!asked) {
      left.push(part.title)
      continue
    }
    const to = part.people.find((p) => p.id === asked && p.id !== of.id)
    if (!to) throw new Refused(await whyNot(tx, call, { kind, lacks }, of, asked))
    await hand(tx, call, of, to, taken)
    handed.push(`${part.title}交给${to.nickname}`)
  }
  if (left.length)
    throw new Refused(`${of.nickname}还有${left.join('、')}，请选择接手人`, 409, 200, { needs: 'successors' })
  // What was to come with something else has come, or somebody was named who cannot take it.
  for (const { kind, lacks, open } of deps.work)
    if (await open(tx, call, of, true))
      throw new Refused(await whyNot(tx, call, { kind, lacks }, of, taken.get(kind)!))
  const alone = await aloneIn(tx, call.user.tenant, held, of, true)
  if (alone.length && !confirmed)
    throw new Refused(`${alone.join('；')}。请先安排别人，或确认后继续`, 409, 200, { needs: 'confirmed' })
  return handed
}

async function whyNot(
  tx: Tx,
  call: Call,
  { kind, lacks }: Pick<OpenWork, 'kind' | 'lacks'>,
  of: Leaver,
  id: string,
): Promise<string> {
  const what = workKind.label(kind)
  if (id === of.id) return `${of.nickname}自己不能接手自己的${what}`
  const { rows } = await tx.query(
    'accounts.successor',
    row({ nickname: text, open: text }),
    `SELECT u.nickname, CASE
       WHEN u.deleted_at IS NOT NULL THEN 'gone'
       WHEN u.status <> 1 THEN 'stopped'
       ELSE '' END AS open
     FROM users u
     WHERE u.tenant_id = $1 AND u.id = $2`,
    [call.user.tenant, id],
  )
  const person = rows[0]
  if (!person || person.open === 'gone') return `接手${what}的人不存在，请重新选择`
  if (person.open === 'stopped') return `${person.nickname}的账号已停用，不能接手${what}`
  return `${person.nickname}不能接手${what}：${lacks}`
}
