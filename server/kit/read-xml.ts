import { SaxesParser } from 'saxes'

import { bad, BROKEN, type Entry, textOf } from './read-zip.ts'

export type Attributes = Readonly<Record<string, string | undefined>>
type Emit<T> = (thing: T) => void
/** The calls for a document's elements, in their order; names come without their prefixes. */
export interface Reader<T> {
  open?(name: string, attributes: Attributes, emit: Emit<T>): void
  text?(piece: string): void
  close?(name: string, emit: Emit<T>): void
  end?(emit: Emit<T>): void
}

/** No document of a spreadsheet is as deep as this. */
const MAX_DEPTH = 64
const MAX_ATTRIBUTES = 100
/** 20,000 rows of 60 columns, each with a value. */
const MAX_ELEMENTS = 4_000_000
/** A program that knows no better makes a few mistakes, not one a character. */
const MAX_FORGIVEN = 1_000
/** A cell's reference, a format, a relation: none is as long as this. */
const MAX_ATTRIBUTE = 8 * 1024
/** What is ready is handed on in between. */
const PIECE = 32 * 1024
const NAMED: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }
/** Only the five names of XML: what a document defines itself is nothing. */
const ENTITIES = new Proxy(NAMED, {
  get: (known, name) => (Object.hasOwn(known, name) ? known[String(name)] : ''),
})
/** Written by programs that know no better; everything else wrong with a document ends the reading. */
const FORGIVEN =
  /character entity|disallowed character|unescaped|text data outside|XML declaration|namespace/i

const local = (name: string) => name.slice(name.indexOf(':') + 1)

/** What the reader makes of an entry, as soon as it is whole. The bytes of all entries share one allowance. */
export async function* elements<T>(
  entry: Entry,
  allowance: { left: number },
  make: () => Reader<T>,
): AsyncGenerator<T> {
  let ready: T[] = []
  const emit: Emit<T> = (thing) => void ready.push(thing)
  const reader = make()
  const parser = new SaxesParser({ fragment: false })
  parser.ENTITIES = ENTITIES
  let [depth, count, attributes] = [0, 0, 0]
  let unreadable = false
  let forgiven = 0
  parser.on('error', (error) => {
    if (/character entity/i.test(error.message)) unreadable = true
    forgiven += 1
    if (forgiven > MAX_FORGIVEN || !FORGIVEN.test(error.message)) throw bad(BROKEN)
  })
  parser.on('opentagstart', () => {
    ;[depth, count, attributes] = [depth + 1, count + 1, 0]
    if (depth > MAX_DEPTH || count > MAX_ELEMENTS) throw bad(BROKEN)
  })
  parser.on('attribute', ({ value }) => {
    attributes += 1
    if (attributes > MAX_ATTRIBUTES || value.length > MAX_ATTRIBUTE) throw bad(BROKEN)
  })
  parser.on('opentag', (tag) => {
    const named = Object.entries(tag.attributes).map(([name, value]) => [local(name), String(value)])
    reader.open?.(local(tag.name), Object.fromEntries(named), emit)
  })
  parser.on('text', (piece) => {
    // A number that is no character comes as it was written.
    reader.text?.(unreadable ? piece.replaceAll(/&#\w{1,8};/g, '') : piece)
    unreadable = false
  })
  parser.on('cdata', (piece) => reader.text?.(piece))
  parser.on('closetag', (tag) => {
    depth -= 1
    reader.close?.(local(tag.name), emit)
  })
  for await (const text of textOf(entry, allowance)) {
    for (let at = 0; at < text.length; at += PIECE) {
      parser.write(text.slice(at, at + PIECE))
      const whole = ready
      ready = []
      yield* whole
    }
  }
  parser.close()
  reader.end?.(emit)
  yield* ready
}

export async function readAll<T>(
  entry: Entry | undefined,
  allowance: { left: number },
  make: () => Reader<T>,
): Promise<T[]> {
  const all: T[] = []
  if (entry) for await (const thing of elements(entry, allowance, make)) all.push(thing)
  return all
}
