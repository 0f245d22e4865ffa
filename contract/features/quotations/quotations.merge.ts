import type { QuotationContent } from './quotations.record.ts'

interface Item {
  id: string
}
const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)
const byId = <T extends Item>(list: readonly T[]) => new Map(list.map((one) => [one.id, one]))
const orderOf = (list: readonly Item[], of: ReadonlySet<string>) =>
  list.filter((one) => of.has(one.id)).map((one) => one.id)

/** Puts each of `mine` that is new behind what stood before it. */
function inserted<T extends Item>(list: readonly T[], fresh: readonly T[], mine: readonly T[]): T[] {
  const all = [...list]
  for (const one of fresh) {
    const before = mine.slice(0, mine.indexOf(one)).findLast((m) => all.some((a) => a.id === m.id))
    all.splice(before ? all.findIndex((a) => a.id === before.id) + 1 : 0, 0, one)
  }
  return all
}

/** Lists of things with numbers: what I changed since `base` stands on what the others have made of it. */
function mergeList<T extends Item>(
  base: readonly T[],
  mine: readonly T[],
  theirs: readonly T[],
): { list: T[]; clashes: string[] } {
  const [was, here, there] = [byId(base), byId(mine), byId(theirs)]
  const clashes: string[] = []
  const changedBy = (list: ReadonlyMap<string, T>, id: string) => !same(list.get(id), was.get(id))
  const kept = theirs.flatMap((one) => {
    const [old, own] = [was.get(one.id), here.get(one.id)]
    if (!changedBy(here, one.id) || (!old && !own)) return [one]
    if (changedBy(there, one.id) && !same(own, one)) clashes.push(one.id)
    // Left out by me, changed by them: it stays, and I am told.
    if (!own) return changedBy(there, one.id) ? [one] : []
    return [own]
  })
  // Left out by them: what I changed since comes back.
  const back = mine.filter((one) => !there.has(one.id) && changedBy(here, one.id))
  for (const one of back) if (was.has(one.id)) clashes.push(one.id)
  const common = new Set(base.filter((one) => here.has(one.id) && there.has(one.id)).map((one) => one.id))
  const isMoved = !same(orderOf(mine, common), orderOf(base, common))
  if (!isMoved) return { list: inserted(kept, back, mine), clashes }
  const own = new Map([...kept, ...back].map((one) => [one.id, one]))
  const ordered = mine.flatMap((one) => own.get(one.id) ?? [])
  const fresh = kept.filter((one) => !here.has(one.id))
  return { list: inserted(ordered, fresh, theirs), clashes }
}

const FIELDS = ['package_id', 'area', 'taxPercent', 'validUntil', 'remark'] as const
/**
 * My unsaved changes on top of what somebody else has saved meanwhile. `base` is what both began with. Where both
 * changed the same line mine stands, and its number is among the clashes.
 */
export function mergeContent(
  base: QuotationContent,
  mine: QuotationContent,
  theirs: QuotationContent,
): { content: QuotationContent; clashes: string[] } {
  const rooms = mergeList(base.rooms, mine.rooms, theirs.rooms)
  const lines = mergeList(base.lines, mine.lines, theirs.lines)
  const discounts = mergeList(base.discounts, mine.discounts, theirs.discounts)
  const own = Object.fromEntries(FIELDS.filter((f) => mine[f] !== base[f]).map((f) => [f, mine[f]]))
  return {
    content: { ...theirs, ...own, rooms: rooms.list, lines: lines.list, discounts: discounts.list },
    clashes: [
      ...FIELDS.filter((f) => f in own && theirs[f] !== base[f] && theirs[f] !== mine[f]),
      ...rooms.clashes,
      ...lines.clashes,
      ...discounts.clashes,
    ],
  }
}

/** The differences of both: names of fields, and numbers of rooms, lines and discounts. */
export function changedIn(before: QuotationContent, after: QuotationContent): string[] {
  const lists = (['rooms', 'lines', 'discounts'] as const).flatMap((name) => {
    const [was, is] = [byId<Item>(before[name]), byId<Item>(after[name])]
    return [...new Set([...was.keys(), ...is.keys()])].filter((id) => !same(was.get(id), is.get(id)))
  })
  return [...FIELDS.filter((f) => before[f] !== after[f]), ...lists]
}
