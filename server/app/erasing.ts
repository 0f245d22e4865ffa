import { feedbackKind, feedbackStatus } from '@zhuguan/contract/features/feedback/feedback.record.ts'
import {
  ERASED,
  isForgotten,
  type PersonBar,
  personBar,
  type PersonPlanLine,
  RESTRICTED,
} from '@zhuguan/contract/features/persons/persons.record.ts'
import { siteStatus } from '@zhuguan/contract/features/sites/sites.record.ts'
import { maskPhone } from '@zhuguan/contract/kit/masked.ts'

import type { Tx } from '../database/connect.ts'
import { endCase } from '../features/cases/consenting.service.ts'
import { keepParties } from '../features/contracts/kept-party.service.ts'
import { type FileStore, hideAtHome } from '../features/files/files.service.ts'
import { endVideoOf } from '../features/owners/grants.service.ts'
import { endAccessBecause } from '../features/owners/home-devices.service.ts'
import type { Erased, Erasing, Person, PersonName, Told } from '../features/persons/erasing-work.ts'
import {
  addErasure,
  barNumbers,
  forgetRequests,
  idsErased,
  numberDigest,
} from '../features/persons/erasures.service.ts'
import { blackenLog } from '../features/userlogs/blackening.service.ts'
import { endFace } from '../features/workers/faces.service.ts'
import { lockWorker } from '../features/workers/workers.queries.ts'
import { bool, int4, row, text, texts } from '../kit/row.ts'
import type { Caller } from '../kit/serve.ts'
import { TODAY } from '../kit/statement.ts'
import { idsAbout, namesOf, othersBeside, personBehind } from './person-records.queries.ts'
import { PLACES } from './personal-data.ts'
import type { Place } from './personal-places.ts'

interface Deps {
  files: FileStore
  secretKey: Buffer
}
const WHY = '本人要求删除个人信息'
/** A name of one sign stands in too many words. */
const LEAST = 2
/** An address of fewer signs is a part of many. */
const LEAST_ADDRESS = 6
/** What is told of one place at most. */
const MOST_TOLD = 200

const known = (n: PersonName) => n.name !== '' && !isForgotten(n.name)
/** A person's spellings: names, and numbers whole, without dashes and masked. */
function wordsOf(names: readonly PersonName[]) {
  const numbers = names.flatMap(({ phone }) => (phone ? [phone, phone.replaceAll('-', '')] : []))
  const masked = numbers.map(maskPhone)
  const called = names.filter(known).map((n) => n.name)
  const lived = names.map((n) => n.address).filter((a) => a.length >= LEAST_ADDRESS)
  const named = called.filter((n) => n.length >= LEAST)
  const everywhere = [...lived, ...numbers, ...masked]
  const words = [...named, ...everywhere]
  // The longest first: a shorter one may be a part of it.
  return {
    words: [...new Set(words)].sort((a, b) => b.length - a.length),
    numbers: [...new Set(numbers)],
    /** Many people's: taken out of the person's own records alone. */
    named,
    everywhere,
  }
}
type Words = ReturnType<typeof wordsOf>
const textsOf = (p: Place) => (p.words ?? []).map((column) => `p.${column}`).join(`, ' ', `)
/** The rows of a place; every parameter is named, so that each has a type. */
const rowsOf = (p: Place): string =>
  [
    `p.tenant_id = $1 AND (${p.of})`,
    `$2::jsonb IS NOT NULL AND $3::text[] IS NOT NULL AND $4::text[] IS NOT NULL`,
    p.words && `has_word(concat(${textsOf(p)}), $3)`,
  ]
    .filter(Boolean)
    .join(' AND ')
const valuesOf = (tenant: string, { ids }: Person, { numbers, words }: Words) => [
  tenant,
  JSON.stringify(ids),
  words,
  numbers,
]

const { building, notStarted } = siteStatus.code
const { handling, open } = feedbackStatus.code
const { complaint, repair } = feedbackKind.code
/** A reason that keeps something of this person now. */
async function barsOf(tx: Tx, tenant: string, { ids }: Person): Promise<PersonBar[]> {
  const { rows } = await tx.query(
    'erasing.bars',
    row({ works: bool, complaint: bool, money: bool, hold: bool, team: bool }),
    `SELECT EXISTS (SELECT FROM home_contacts h JOIN sites w ON w.tenant_id = $1 AND w.id = h.site_id
         WHERE h.tenant_id = $1 AND h.id = ANY ($2::uuid[]) AND h.ended_at IS NULL
           AND w.status IN (${building}, ${notStarted})
           AND w.deleted_at IS NULL) AS works,
       EXISTS (SELECT FROM feedback f
         WHERE f.tenant_id = $1 AND f.site_id = ANY ($3::uuid[]) AND f.status IN (${open}, ${handling})
           AND f.kind IN ('${complaint}', '${repair}')) AS complaint,
       EXISTS (SELECT FROM contracts c
         WHERE c.tenant_id = $1 AND c.id = ANY ($4::uuid[]) AND c.state IN ('live', 'finishing', 'ending')) AS money,
       EXISTS (SELECT FROM recording_holds r
         WHERE r.tenant_id = $1 AND r.site_id = ANY ($3::uuid[]) AND r.released_at IS NULL AND r."for" <> 'delivery'
           AND (r.until_at IS NULL OR r.until_at > :now)) AS hold,
       EXISTS (SELECT FROM site_members m
         WHERE m.tenant_id = $1 AND m.worker_id = ANY ($5::uuid[]) AND m.left_on IS NULL)
       OR EXISTS (SELECT FROM attendance_days d
         WHERE d.tenant_id = $1 AND d.worker_id = ANY ($5::uuid[])
           AND d.day = ${TODAY}) AS team`,
    [tenant, ids.contacts, ids.homes, ids.contracts, ids.workers],
  )
  return personBar.values.filter((bar) => rows[0]![bar])
}
const keptBy = (p: Place, bars: readonly PersonBar[]) => bars.filter((bar) => p.bars?.includes(bar))

const picturesOf = (p: Place) => (p.pictures ? `cardinality(array_remove(${p.pictures}, NULL))` : '0')
/** The amount of each kind, and its fate; kinds without any are left out. */
async function planOf(tx: Tx, tenant: string, person: Person): Promise<PersonPlanLine[]> {
  const bars = await barsOf(tx, tenant, person)
  const words = wordsOf(person.names)
  const lines = new Map<string, PersonPlanLine>()
  for (const p of PLACES) {
    const { rows } = await tx.query(
      `erasing.count${p.table}`,
      row({ n: int4, files: int4 }),
      `SELECT count(*)::int AS n, coalesce(sum(${picturesOf(p)}), 0)::int AS files
       FROM ${p.table} p WHERE ${rowsOf(p)}`,
      valuesOf(tenant, person, words),
    )
    if (rows[0]!.n) addTo(lines, p, { rows: rows[0]!.n, files: rows[0]!.files, bars: keptBy(p, bars) })
  }
  return [...lines.values()]
}
type Counted = Pick<PersonPlanLine, 'bars' | 'files' | 'rows'>
/** One line a kind; what stays by a law, and what something keeps, is said apart. */
function addTo(lines: Map<string, PersonPlanLine>, p: Place, { bars, files, rows }: Counted): void {
  const key = `${p.data} ${p.law ?? ''} ${bars.join(' ')}`
  const line = lines.get(key) ?? {
    data: p.data,
    rows: 0,
    files: 0,
    bars: [...bars],
    law: p.law ?? '',
    gone: false,
  }
  lines.set(key, { ...line, rows: line.rows + rows, files: line.files + files })
}

/** The erasure at one place: rows go, or lose what is the person's. `instead`: who stands there now. */
async function eraseAt(
  tx: Tx,
  files: FileStore,
  p: Place,
  { instead, tenant, values }: { tenant: string; values: unknown[]; instead: string | undefined },
) {
  const pictures = p.pictures
    ? (
        await tx.query(
          `erasing.pictures${p.table}`,
          row({ keys: texts }),
          `SELECT coalesce(array_agg(DISTINCT k), '{}') AS keys
           FROM ${p.table} p, unnest(${p.pictures}) k WHERE ${rowsOf(p)}`,
          values,
        )
      ).rows[0]!.keys
    : []
  const wordless = (p.words ?? []).map((column) => `${column} = without_words(p.${column}, $3)`)
  const set = Object.entries(p.set ?? {}).map(
    ([column, to]) => `${column} = ${instead ? to.replaceAll(`'${ERASED}`, `'${instead}`) : to}`,
  )
  const { rowCount } = await tx.run(
    `erasing.${p.table}`,
    p.gone
      ? `DELETE FROM ${p.table} p WHERE ${rowsOf(p)}`
      : `UPDATE ${p.table} p SET ${[...set, ...wordless].join(', ')} WHERE ${rowsOf(p)}`,
    values,
  )
  return { rows: rowCount ?? 0, files: await hideAtHome(tx, files, tenant, pictures) }
}

/** The log's lines about this person's records lose their names, every line their numbers. */
async function blackenFor(
  tx: Tx,
  { secretKey, tenant }: { secretKey: Buffer; tenant: string },
  person: Person,
  { everywhere, named }: Words,
): Promise<number> {
  const ids = await idsAbout(tx, tenant, person)
  return (await blackenLog(tx, tenant, secretKey, everywhere, { names: named, ids })).lines
}

/**
 * Everything that nothing keeps goes. Who a person is, where something keeps the rest, is set aside: it stands in no
 * list, search, file or message any more. While works go on the people who do them need to know whose home it is.
 */
async function eraseAll(
  tx: Tx,
  { files, secretKey }: Deps,
  { bars, id, tenant }: { id: string; tenant: string; bars: readonly PersonBar[] },
  person: Person,
): Promise<Erased> {
  const words = wordsOf(person.names)
  const values = valuesOf(tenant, person, words)
  const lines = new Map<string, PersonPlanLine>()
  let isAside = false
  const { team, works } = personBar.code
  const isNeeded = bars.includes(works) || bars.includes(team)
  if (!isNeeded) await keepParties(tx, tenant, person.ids.contracts ?? [])
  for (const p of PLACES) {
    const kept = keptBy(p, bars)
    if (p.law !== undefined) continue
    const toAside = p.identity && kept.length > 0 && !isNeeded
    if (kept.length && !toAside) continue
    const counted = await eraseAt(tx, files, p, { tenant, values, instead: toAside ? RESTRICTED : undefined })
    if (toAside) isAside = true
    else if (counted.rows) addTo(lines, p, { ...counted, bars: [] })
  }
  await addErasure(tx, tenant, { id, ids: person.ids, bars })
  // Last, when every other line of this is written.
  const log = isNeeded ? 0 : await blackenFor(tx, { secretKey, tenant }, person, words)
  if (log) lines.set('log', { data: 'log', rows: log, files: 0, bars: [], law: '', gone: true })
  const done = [...lines.values()].map((line) => ({ ...line, gone: true }))
  return { done, bars, aside: isAside ? person.names.filter(known) : [] }
}

/**
 * In a database of before: the same records lose the same. What was restricted keeps its name here, since nobody can
 * set it aside again: its request is there as it was, to be executed once more.
 */
export async function eraseAgain(
  tx: Tx,
  deps: Deps,
  of: { tenant: string; id: string; ids: Person['ids']; bars: readonly PersonBar[] },
): Promise<void> {
  const names = await namesOf(tx, of.tenant, of.ids)
  await eraseAll(tx, deps, of, { ids: of.ids, names })
}

/** Links, devices, consents, cases and faces end before anything is taken away; answers the faces that went. */
async function endAll(tx: Tx, call: Caller, files: FileStore, { ids }: Person): Promise<PersonPlanLine[]> {
  let faces = 0
  const contacts = ids.contacts ?? []
  for (const site of ids.homes ?? []) await endCase(tx, call, site, WHY)
  await endVideoOf(tx, call, contacts, WHY)
  await endAccessBecause(tx, call, contacts, WHY)
  for (const id of ids.workers ?? []) {
    const worker = await lockWorker(tx, call.user.scope, id)
    if (!worker) continue
    if (worker.w_face) faces += 1
    await endFace(tx, call, files, worker, WHY)
  }
  return faces ? [{ data: 'face', rows: faces, files: faces, bars: [], law: '', gone: true }] : []
}
/** @see Erasing */
export const erasing = (deps: Deps): Erasing => ({
  find: personBehind,
  plan: planOf,
  async erase(tx, call, id, person) {
    const { tenant } = call.user
    const faces = await endAll(tx, call, deps.files, person)
    const isLead = (person.ids.leads?.length ?? 0) > 0 && (person.ids.contracts?.length ?? 0) === 0
    const { numbers } = wordsOf(person.names)
    if (isLead)
      await barNumbers(
        tx,
        tenant,
        numbers.map((n) => numberDigest(deps.secretKey, tenant, n)),
      )
    const erased = await eraseAll(tx, deps, { id, tenant, bars: await barsOf(tx, tenant, person) }, person)
    await forgetRequests(tx, tenant, person.ids, id)
    return { ...erased, done: [...faces, ...erased.done] }
  },
  async finish(tx, tenant, id, subject, aside) {
    const now = await personBehind(tx, tenant, subject)
    const person = { ids: (await idsErased(tx, tenant, id)) ?? now.ids, names: [...aside, ...now.names] }
    return eraseAll(tx, deps, { id, tenant, bars: await barsOf(tx, tenant, person) }, person)
  },
  async collect(tx, tenant, person): Promise<Told> {
    const values = valuesOf(tenant, person, wordsOf(person.names))
    const lines: Told['lines'] = []
    const pictures: string[] = []
    for (const p of PLACES.filter((place) => place.tell)) {
      const { rows } = await tx.query(
        `erasing.tell${p.table}`,
        row({ said: text, keys: texts }),
        `SELECT ${p.tell} AS said, array_remove(${p.pictures ?? `'{}'::text[]`}, NULL) AS keys
         FROM ${p.table} p WHERE ${rowsOf(p)} LIMIT ${MOST_TOLD}`,
        values,
      )
      for (const { keys, said } of rows) {
        lines.push({ data: p.data, text: said })
        pictures.push(...keys)
      }
    }
    return { lines, pictures, others: await othersBeside(tx, tenant, person) }
  },
})
