import { GONE } from '@zhuguan/contract/kit/logged.ts'
import { maskPhone } from '@zhuguan/contract/kit/masked.ts'
import type { LogObject } from '@zhuguan/contract/logs.ts'

import type { Tx } from '../../database/connect.ts'
import { Refused } from '../../kit/refuse.ts'
import { int4, int8, row, text } from '../../kit/row.ts'
import { faultOf, SEALED_COLUMNS, SEALED_LINES, type SealedLine, sealedRow } from './log-walk.ts'
import { type Beside, inStrings } from './personal.ts'
import { BATCH, sealLog, signBlackening, standsOf } from './userlogs.service.ts'

/** The number of the log's lines out of which something was taken, for whoever proves that it was done. */
export interface Blackened {
  lines: number
  /**
   * The number of these in which a text of the line itself was written over; else only what stood beside them went.
   */
  rewritten: number
}

/** The words to look for. */
interface Words {
  /** Taken out of any text. */
  within: string[]
  /** So short that other texts have them by chance: taken where they are the whole text. */
  whole: Set<string>
  /** Hidden numbers of which many look alike: taken as a whole, from a line about the person. */
  alike: Set<string>
}
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/
const MOBILE = /^1\d{10}$/
/** A hidden number of which not even the beginning stands. */
const MASKED = /^\*{4}\d*$/
// One Chinese character, or a few letters and digits.
const SHORT = /^(?:[ -~]{1,5}|.)$/u

function wordsOf(values: readonly string[]): Words {
  const said = new Set(values.map((v) => v.trim()).filter((v) => v !== '' && v !== GONE))
  const words: Words = { within: [], whole: new Set(), alike: new Set() }
  for (const word of said) {
    // The log keeps telephone numbers hidden.
    const hidden = /^[\d-]{7,}$/.test(word) ? maskPhone(word) : ''
    if (MOBILE.test(word)) words.within.push(hidden)
    else if (hidden) words.alike.add(hidden)
    if (MASKED.test(word)) words.alike.add(word)
    else if (SHORT.test(word)) words.whole.add(word)
    else words.within.push(word)
  }
  // The longest first: of a name and its address nothing is left over.
  words.within = [...new Set(words.within)].sort((a, b) => b.length - a.length)
  return words
}

/** Takes the words out of texts; says whether it found any. */
function taker({ alike, whole, within }: Words) {
  let found = false
  return {
    found: () => found,
    take(value: string, isAbout = false): string {
      if (whole.has(value) || (isAbout && alike.has(value))) {
        found = true
        return GONE
      }
      let left = value
      for (const word of within) left = left.replaceAll(word, GONE)
      if (left !== value) found = true
      return left
    },
  }
}

/** Records that tell of one person alone: what their lines say of people is all that person's. */
const OF_ONE: readonly string[] = ['customer', 'followUp', 'handover'] satisfies LogObject[]
/** The line without the words; nothing where it has none of them. `isOwn`: all that stands beside it goes. */
function without(
  line: SealedLine,
  words: Words,
  isOwn: boolean,
): { now: SealedLine; isRewritten: boolean } | undefined {
  const strong = taker(words)
  const pass = (isAbout: boolean) => {
    const take = (value: string) => strong.take(value, isAbout)
    const own = taker(words)
    const kept = Object.entries(line.beside ?? {}).filter(([, [, value]]) => {
      const said = String(value)
      return take(said) === said && !isOwn
    })
    const takeOwn = (value: string) => own.take(value, isAbout)
    const now = {
      ...line,
      user_name: takeOwn(line.user_name),
      // Numbers of things hold no words, whatever they look like.
      object_id: UUID.test(line.object_id) ? line.object_id : takeOwn(line.object_id),
      before: inStrings(line.before, takeOwn),
      after: inStrings(line.after, takeOwn),
      beside: line.beside && (Object.fromEntries(kept) satisfies Beside),
    }
    return { now, isRewritten: own.found(), isFound: strong.found() || own.found() }
  }
  const first = pass(false)
  if (!first.isFound && !(isOwn && line.beside)) return undefined
  return words.alike.size ? pass(true) : first
}

const UUIDS = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g
/** Names are many people's: they are taken out of lines that are about one of these records alone. */
export interface OwnNames {
  names: readonly string[]
  ids: ReadonlySet<string>
}
const isAboutOne = (line: SealedLine, ids: ReadonlySet<string>): boolean =>
  (JSON.stringify([line.object_id, line.before, line.after, line.beside]).match(UUIDS) ?? []).some((id) =>
    ids.has(id),
  )

/** What LIKE looks for in a document's text: a word as a document writes it, or a whole value in its quotes. */
function patternsOf({ whole, within }: Words): string[] {
  const inside = within.map((word) => JSON.stringify(word).slice(1, -1))
  const quoted = [...whole].map((word) => JSON.stringify(word))
  return [...inside, ...quoted].map((word) => `%${word.replaceAll(/[\\%_]/g, '\\$&')}%`)
}

/** So many lines are read by one statement, some tenths of a second. */
const WINDOW = 20_000
/** Some sealed lines behind a number in which one of the words may stand, each with the hash before it. */
async function candidates(tx: Tx, tenant: string, after: number, until: number, patterns: string) {
  const { rows } = await tx.query(
    'log.named',
    row({ ...sealedRow, before_it: text }),
    `SELECT ${SEALED_COLUMNS}, coalesce(p.hash, '') AS before_it
     FROM ${SEALED_LINES}
     LEFT JOIN user_logs p ON p.tenant_id = $1 AND p.seq = l.seq - 1
     WHERE l.tenant_id = $1 AND l.seq > $2 AND l.seq <= $3
       AND concat_ws(' ', to_jsonb(l.user_name), to_jsonb(l.object_id), l.before, l.after, l.beside)
         LIKE ANY (ARRAY(SELECT json_array_elements_text($4::json)))
     ORDER BY l.seq
     LIMIT ${BATCH}`,
    [tenant, after, until, patterns],
  )
  return rows
}
/** The number of the last line of the chain. */
async function lastOf(tx: Tx, tenant: string): Promise<number> {
  const { rows } = await tx.query(
    'log.end',
    row({ seq: int8 }),
    'SELECT coalesce(max(seq), 0) AS seq FROM log_heads WHERE tenant_id = $1',
    [tenant],
  )
  return rows[0]!.seq
}

/**
 * Takes what is known of a person out of the log: a name, a telephone number (as it is and hidden), an address. A value
 * that stands beside a line goes with all of it; in the texts of the line the word alone, which is how lines of before
 * are forgotten. Each such line gets a signed entry, by which the chain still proves itself (docs/decisions/0657). What
 * other transactions are writing meanwhile is not seen: whoever erases a person does this last. `own`: names that go
 * with the lines of these records, and stand elsewhere as somebody else's.
 */
export async function blackenLog(
  tx: Tx,
  tenant: string,
  secret: Buffer,
  values: readonly string[],
  own?: OwnNames,
): Promise<Blackened> {
  const done: Blackened = { lines: 0, rewritten: 0 }
  const everywhere = wordsOf(values)
  const words = wordsOf([...values, ...(own?.names ?? [])])
  const patterns = patternsOf(words)
  if (patterns.length === 0) return done
  // An entry names a line by its place in the chain.
  for (let sealed = 1; sealed;) sealed = await sealLog(tx, tenant, secret)
  const last = await lastOf(tx, tenant)
  for (let after = 0; after < last;) {
    const until = after + WINDOW
    const lines = await candidates(tx, tenant, after, until, JSON.stringify(patterns))
    // A full page ends where the next one begins.
    after = lines.length < BATCH ? until : lines.at(-1)!.seq!
    const entries = []
    for (const { before_it: previous, ...line } of lines) {
      const seq = line.seq!
      const isOwn = !!own && OF_ONE.includes(line.object) && own.ids.has(line.object_id)
      const found = without(line, own && !isAboutOne(line, own.ids) ? everywhere : words, isOwn)
      if (!found) continue
      // What somebody forged is not signed as if we had left it there.
      const fault = faultOf(line, seq, previous, secret)
      if (fault) throw new Refused(`操作日志校验不通过（${fault}），没有涂黑`)
      const entry = { seq, previous, was: line.hash!, stands: standsOf(found.now), at: tx.now }
      const { after: after_now, before: before_now, beside: beside_now, object_id, user_name } = found.now
      const facts = { user_name, object_id, before_now, after_now, beside_now }
      entries.push({ ...entry, ...facts, signature: signBlackening(secret, tenant, entry) })
      done.lines += 1
      if (found.isRewritten) done.rewritten += 1
    }
    if (entries.length === 0) continue
    await tx.query(
      'log.blacken',
      row({ n: int4 }),
      `SELECT count(blacken_log($1, x.seq, x.user_name, x.object_id, x.before_now, x.after_now, x.beside_now,
         x.previous, x.stands, x.signature, :now))::int AS n
       FROM json_to_recordset($2::json) AS x(seq bigint, user_name text, object_id text, before_now jsonb,
         after_now jsonb, beside_now jsonb, previous text, stands text, signature text)`,
      [tenant, JSON.stringify(entries)],
    )
  }
  return done
}
