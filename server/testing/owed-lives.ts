import { examineApi } from '@zhuguan/contract/features/examine/examine.api.ts'
import { goodsApi } from '@zhuguan/contract/features/goods/goods.api.ts'
import { statementsApi } from '@zhuguan/contract/features/statements/statements.api.ts'

import { type Delivery, lawsBroken } from './delivering.ts'
import { uploadPhoto } from './photo.ts'
import type { Shown } from './selling.ts'

/**
 * Lives of goods with books of their own: what somebody says and does to them moves integers here, thousandths of a
 * unit and cents, by nothing but the answers of the calls. At the end of an order the books are compared with what is
 * owed.
 */
interface Life {
  name: string
  /** In millionths. */
  price: bigint
  ordered: bigint
  /** Accepted and not complained of since. */
  stands: bigint
  /** Of the order no more: gone back, scrapped, or ordered again. */
  out: bigint
  /** Asked for damage, in cents. */
  damage: bigint
  /** How often something more may be found wrong with it. */
  troubles: number
}
interface Complaint {
  id: string
  life: Life
  quantity: bigint
  result: 3 | 4 | 5
  again: boolean
  scrap: boolean
  late: boolean
  note: string
}
type Task = () => Promise<Task[]>
export interface Lived {
  lives: number
  calls: number
  changes: number
  differences: string[]
}

const OF_ORDER = 10
/** The laws read all goods of a site, and look at all of the group to find them. */
const LAWS_EVERY = 10
const MOST_TROUBLES = 4
const thousandths = (n: bigint): string => {
  const digits = n.toString().padStart(4, '0')
  return `${digits.slice(0, -3)}.${digits.slice(-3)}`.replace(/\.?0+$/, '') || '0'
}
const inThousandths = (text: string): bigint => {
  const [whole = '0', part = ''] = text.split('.')
  return BigInt(whole + part.padEnd(3, '0'))
}
const inCents = (text: string): bigint => {
  const [whole = '0', part = ''] = text.replace('-', '').split('.')
  const n = BigInt(whole + part.padEnd(2, '0'))
  return text.startsWith('-') ? -n : n
}
const cents = (n: bigint): string => {
  const digits = n.toString().padStart(3, '0')
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`
}
const millionths = (n: bigint): string => {
  const digits = n.toString().padStart(7, '0')
  return `${digits.slice(0, -6)}.${digits.slice(-6)}`
}
/** A price times a quantity, in cents, half away from zero. */
const worth = (price: bigint, quantity: bigint): bigint => (price * quantity + 5_000_000n) / 10_000_000n

/** So many lives, some of an order together, in the order that the dice say. */
export async function live(
  server: Shown,
  shop: Delivery,
  { lives, random, round }: { lives: number; random: () => number; round: string },
): Promise<Lived> {
  const told: Lived = { lives: 0, calls: 0, changes: 0, differences: [] }
  const below = (n: number) => Math.floor(random() * n)
  const someOf = (n: bigint): bigint => (random() < 0.3 ? n : 1n + BigInt(Math.floor(random() * Number(n))))
  const done = <T extends { code: number; msg: string }>(answer: T): T => {
    told.calls += 1
    if (answer.code !== 200) throw new Error(`${answer.code} ${answer.msg}`)
    return answer
  }
  const start = inCents((await dueOf()).due)
  let expected = 0n

  async function dueOf() {
    const month = shop.today.slice(0, 7)
    return shop.gm.call(statementsApi.preview, { query: { receiver_id: shop.merchant, month } })
  }

  async function anOrder(number: number) {
    const all = Array.from({ length: Math.min(OF_ORDER, lives - told.lives) }, (_, i): Life => {
      const ordered = random() < 0.5 ? 1_000n * BigInt(1 + below(40)) : BigInt(1 + below(40_000))
      return {
        name: `活${round}${number}-${i}`,
        price: random() < 0.3 ? BigInt(below(9_000)) : BigInt(below(90_000_000)),
        ordered,
        stands: 0n,
        out: 0n,
        damage: 0n,
        troubles: below(MOST_TROUBLES + 1),
      }
    })
    const byName = new Map(all.map((l) => [l.name, l]))
    const of = await shop.sold(
      ...all.map((l) => ({ name: l.name, quantity: thousandths(l.ordered), cost: millionths(l.price) })),
    )
    const order = (
      await shop.place(all.map((l) => ({ item_id: of.items[l.name]!, quantity: thousandths(l.ordered) })))
    ).orders[0]!.id
    const accepted = await shop.accept(order)
    const lineOf = new Map(accepted.lineList.map((l) => [l.id, byName.get(l.name)!]))

    /** Part of a note, or all of it; what is left stands on the next one. */
    const ship =
      (note: string): Task =>
      async () => {
        const n = await shop.note(note, shop.supplier)
        const parts: Record<string, string> = {}
        for (const l of n.lineList) {
          const whole = inThousandths(l.quantity)
          const some = n.kind === 1 && random() < 0.4 ? someOf(whole) : whole
          if (n.kind !== 1 || random() < 0.8) parts[l.name] = thousandths(some)
        }
        const left = done(await shop.ship(note, parts)).data.rest
        return [deliver(note), ...(left ? [ship(left.id)] : [])]
      }
    const deliver =
      (note: string): Task =>
      async () => {
        done(await shop.deliver(note))
        return [judge(note)]
      }
    /** Some of what waits is judged; the rest later. */
    const judge =
      (note: string): Task =>
      async () => {
        const sheet = await shop.sheet(note)
        const waiting = sheet.lineList.filter((l) => l.waiting !== '0')
        if (waiting.length === 0) return []
        const findings: Parameters<Delivery['judge']>[1] = []
        const asked: Omit<Complaint, 'id'>[] = []
        for (const l of waiting) {
          const life = lineOf.get(l.line_id)!
          const whole = inThousandths(l.waiting)
          const bad = life.troubles > 0 && random() < 0.6 ? someOf(whole) : 0n
          const fine = random() < 0.7 ? whole - bad : (whole - bad) / 2n
          if (fine > 0n) findings.push({ name: l.name, quantity: thousandths(fine), result: 2 })
          if (bad > 0n) {
            life.troubles -= 1
            const c = trouble(life, bad, note, false)
            asked.push(c)
            findings.push({ name: l.name, quantity: thousandths(bad), ...wordsOf(c) })
          }
        }
        if (findings.length === 0) return [judge(note)]
        const { changes } = done(await shop.judge(note, findings)).data
        for (const f of findings) if (f.result === 2) byName.get(f.name)!.stands += inThousandths(f.quantity)
        // Changes are answered in the order of their findings.
        const complaints = asked.map((c, i) => ({ ...c, id: changes[i]!.id }))
        const later = all.filter(() => random() < 0.15).map((l) => complain(l, note))
        return [judge(note), ...complaints.map(examine), ...later]
      }
    const trouble = (life: Life, quantity: bigint, note: string, late: boolean): Omit<Complaint, 'id'> => {
      const result = ([3, 4, 5] as const)[below(3)]!
      return {
        life,
        quantity,
        result,
        note,
        late,
        again: result === 5 && random() < 0.5,
        scrap: result !== 3 && random() < 0.3,
      }
    }
    const wordsOf = (c: Omit<Complaint, 'id'>) => ({
      result: c.result,
      scrap: c.scrap,
      ...(c.result === 5 ? { outcome: c.again ? ('again' as const) : ('borne' as const) } : {}),
    })
    /** Of what stands accepted on a note something is complained of later. */
    const complain =
      (life: Life, note: string): Task =>
      async () => {
        if (life.troubles === 0) return []
        const sheet = await shop.sheet(note)
        const line = sheet.lineList.find((l) => l.name === life.name)
        const fine = inThousandths(line?.accepted ?? '0')
        if (!line || fine === 0n) return []
        life.troubles -= 1
        const c = trouble(life, someOf(fine), note, true)
        const { id } = done(
          await shop.clerk.ask(goodsApi.complain, {
            body: {
              id: note,
              version: sheet.version,
              line_id: line.line_id,
              quantity: thousandths(c.quantity),
              reasonCode: 'quality',
              reason: '后来发现',
              photos: [await uploadPhoto(server.url, shop.clerk)],
              outcome: '',
              outcomeReason: '说定',
              ...wordsOf(c),
            },
          }),
        ).data
        return [examine({ ...c, id })]
      }
    const examine =
      (c: Complaint): Task =>
      async () => {
        told.changes += 1
        const word = random() < 0.85 ? 'pass' : 'reject'
        done(await shop.examine(c.id, word))
        if (word === 'reject') return c.late ? [] : [judge(c.note)]
        if (c.late) c.life.stands -= c.quantity
        // What is ordered again leaves its order at once; what nobody pays for when it is gone.
        if (c.again || (c.result === 5 && c.scrap)) c.life.out += c.quantity
        const next: Task[] = []
        if (c.result !== 5) next.push(replace(c))
        if (c.result !== 3 && !c.scrap) next.push(takeBack(c))
        return next
      }
    const replace =
      (c: Complaint): Task =>
      async () => {
        const [note] = await server.sql<{ id: string }>(
          'SELECT id FROM dispatches WHERE change_id = $1 AND state = 0',
          [c.id],
        )
        return [ship(note!.id)]
      }
    const takeBack =
      (c: Complaint): Task =>
      async () => {
        const isDamaged = random() < 0.4
        const value = worth(c.life.price, c.quantity)
        const asked = isDamaged && value > 0n ? someOf(value) : 0n
        done(await shop.takeBack(c.id, isDamaged ? 'damaged' : 'good', cents(asked)))
        if (c.result === 5 && !c.again) c.life.out += c.quantity
        c.life.damage += asked
        return isDamaged && random() < 0.6 ? [dispute(c, asked)] : []
      }
    const dispute =
      (c: Complaint, asked: bigint): Task =>
      async () => {
        const leg = (await shop.change(c.id)).steps.find((k) => k.type === 4 || k.type === 5)!
        const body = { id: leg.id, version: leg.version, reason: '取走时完好' }
        done(await shop.clerk.ask(goodsApi.disputeGrade, { body }))
        c.life.damage -= asked
        return [decide(c, leg.id, asked)]
      }
    const decide =
      (c: Complaint, leg: string, asked: bigint): Task =>
      async () => {
        const r = (await shop.examiner.call(examineApi.list, { query: { object_id: leg } })).list[0]!
        const one = { id: r.id, version: r.version, hash: r.hash, reason: '看过了' }
        if (random() < 0.5) {
          done(await shop.examiner.ask(examineApi.reject, { body: one }))
          c.life.damage += asked
          return []
        }
        const sum = asked > 0n && random() < 0.5 ? someOf(asked) : 0n
        done(await shop.examiner.ask(examineApi.pass, { body: { ...one, amount: cents(sum) } }))
        c.life.damage += sum
        return []
      }

    const tasks: Task[] = [ship(accepted.notes[0]!.id)]
    while (tasks.length) {
      const [task] = tasks.splice(below(tasks.length), 1)
      tasks.push(...(await task!()))
    }

    told.lives += all.length
    const owed = all.reduce((sum, l) => sum + worth(l.price, l.stands) + l.damage, 0n)
    expected += owed
    const [ledger] = await server.sql<{ amount: string; lines: Record<string, string> | null }>(
      `SELECT coalesce(sum(w.amount), 0.00)::text AS amount,
         (SELECT json_object_agg(x.name, x.quantity::text) FROM (
           SELECT l.name, sum(v.quantity) AS quantity
           FROM owed_lines v JOIN order_lines l ON l.id = v.line_id
           WHERE v.order_id = $1 GROUP BY l.name) x) AS lines
       FROM owed_lines w WHERE w.order_id = $1`,
      [order],
    )
    const seen = await shop.seen(order)
    const differ = (what: string, is: unknown, should: unknown) => {
      if (String(is) !== String(should))
        told.differences.push(`${seen.code} ${what}: ${String(is)}, should be ${String(should)}`)
    }
    differ('owed', inCents(ledger!.amount), owed)
    differ(
      'amount',
      inCents(seen.amount!),
      all.reduce((sum, l) => sum + worth(l.price, l.ordered - l.out), 0n),
    )
    for (const l of all) differ(l.name, inThousandths(ledger!.lines?.[l.name] ?? '0'), l.stands)
    if (number % LAWS_EVERY === 0) told.differences.push(...(await lawsBroken(server, of.site)))
  }

  for (let number = 0; told.lives < lives; number += 1) await anOrder(number)
  const { due, lines } = await dueOf()
  const printed = lines.reduce((sum, l) => sum + inCents(l.amount), 0n)
  if (inCents(due) - start !== expected)
    told.differences.push(`statement: ${cents(inCents(due) - start)}, should be ${cents(expected)}`)
  if (printed !== inCents(due)) told.differences.push(`its lines: ${cents(printed)}, its sum ${due}`)
  return told
}
