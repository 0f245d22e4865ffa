import { randomUUID } from 'node:crypto'

import { dispatchApi } from '@zhuguan/contract/features/dispatch/dispatch.api.ts'
import { logisticsApi } from '@zhuguan/contract/features/dispatch/logistics.api.ts'
import { examineApi } from '@zhuguan/contract/features/examine/examine.api.ts'
import { goodsApi } from '@zhuguan/contract/features/goods/goods.api.ts'
import { ordersApi } from '@zhuguan/contract/features/orders/orders.api.ts'

import type { Heard } from './client.ts'
import { AMOUNT, NAME, PART, situations } from './delivery-situations.ts'
import type { DeliveryStage } from './delivery-stage.ts'
import { DISPATCH, GOODS, LOGISTICS, ORDER, PIECE, WAY_BACK } from './delivery-states.ts'
import type { Machine } from './machine-records.ts'
import type { Lines } from './states.ts'

type Put = Record<string, () => Promise<unknown>>
interface Way {
  lines: Lines
  reasons: string[]
  /** How each situation comes about, on an order of its own. */
  puts: Put
  ask: Machine['ask']
  stands: Machine['stands']
}

/** The machines of delivery, on the records of situations. */
export async function deliveryRecords(of: DeliveryStage) {
  const { shop, sql } = of
  const { acceptor, clerk, supplier } = shop
  const {
    accepted,
    approved,
    arrived,
    asOrder,
    at,
    closed,
    collected,
    collectedNote,
    complain,
    done,
    finding,
    graded,
    instead,
    judged,
    late,
    legOut,
    line,
    one,
    places,
    placed,
    rejected,
    seenOf,
    sentBack,
    shipped,
    siteBecomes,
  } = await situations(of)

  const machine = ({ puts, ...rest }: Way): Machine => {
    // A refused command changes nothing: the same order serves the next one.
    let fresh = ''
    return {
      ...rest,
      async put(situation) {
        if (situation === fresh) return
        if (at.order) await siteBecomes(2)
        const put = puts[situation]
        if (!put) throw new Error(`no way to ${situation}`)
        await put().catch((error: Error) => {
          throw new Error(`${situation}: ${error.message}`)
        })
        fresh = situation
      },
      async ask(command, reason) {
        const heard = await rest.ask(command, reason)
        if (heard.code === 200) fresh = ''
        return heard
      },
    }
  }

  let answers = supplier
  const ask2 =
    (puts: () => Promise<unknown>, who = supplier) =>
    async () => {
      await puts()
      answers = who
    }
  const orderOf = machine({
    lines: ORDER,
    reasons: ['reject', 'recall', 'release', 'withdraw', 'close', 'decline'],
    puts: {
      '0': placed,
      '0 urged today': () => placed().then(() => asOrder(clerk, 'urge')),
      '1': rejected,
      '1 recalled': () => placed().then(() => asOrder(clerk, 'recall')),
      '1 released': () => rejected().then(() => asOrder(clerk, 'release')),
      '1 withdrawn': async () => {
        await accepted()
        await asOrder(clerk, 'withdraw')
        await asOrder(supplier, 'agree')
      },
      '2': accepted,
      '2 withdrawal asked': ask2(() => accepted().then(() => asOrder(clerk, 'withdraw'))),
      '2 withdrawal asked by me': ask2(() => accepted().then(() => asOrder(clerk, 'withdraw')), clerk),
      '2 withdrawal asked, then shipped': ask2(async () => {
        await accepted()
        await asOrder(clerk, 'withdraw')
        await done(shop.ship(at.note))
      }),
      '2 partly shipped': () => shipped(PART),
      '2 shipped': () => shipped(),
      '2 close asked': ask2(() => shipped(PART).then(() => asOrder(clerk, 'close'))),
      '2 close asked by me': ask2(() => shipped(PART).then(() => asOrder(clerk, 'close')), clerk),
      '2 closed': closed,
      '2 arrived': arrived,
      '2 all accepted': () => judged(2),
    },
    async ask(command, reason): Promise<Heard> {
      const body = { ...(await seenOf('orders', at.order)), reason }
      if (command === 'accept') {
        const lines = [{ line_id: await line(), promisedOn: shop.expectedOn }]
        return supplier.ask(ordersApi.accept, { body: { ...body, lines } })
      }
      if (command === 'split') {
        const parts = [{ line_id: await line(), quantity: PART }]
        return supplier.ask(ordersApi.split, { body: { ...body, parts } })
      }
      if (command === 'reject')
        return supplier.ask(ordersApi.reject, { body: { ...body, rejectCode: 'stock' } })
      if (command === 'resubmit')
        return clerk.ask(ordersApi.resubmit, { body: { ...body, expectedOn: shop.expectedOn } })
      const who = command === 'agree' || command === 'decline' ? answers : clerk
      return who.ask(ordersApi[command as 'decline'], { body })
    },
    async stands() {
      const o = await one<{ receive_state: number; ended: string; ask: string }>(
        'SELECT receive_state, ended, ask FROM orders WHERE id = $1',
        at.order,
      )
      return [o.receive_state, o.ended, o.ask && `${o.ask}?`, await places()]
        .filter((w) => w !== '')
        .join(' ')
    },
  })

  let [code, back]: [string, 'refused' | 'lost'] = ['', 'refused']
  const dispatchOf = machine({
    lines: DISPATCH,
    reasons: ['cancel', 'sendBack'],
    puts: {
      '0': accepted,
      '0 of a finished site': () => accepted().then(() => siteBecomes(4)),
      '0 of a terminated site': () => accepted().then(() => siteBecomes(3)),
      '0 for what was short': () => approved(3).then(instead),
      '1': async () => {
        await accepted()
        const body = { ...(await seenOf('dispatches', at.note)), reason: '说明原因' }
        await done(clerk.ask(dispatchApi.cancel, { body }))
      },
      '2': async () => {
        await shipped()
        back = 'refused'
      },
      '2 of a closed order': closed,
      '2 collected with its code': async () => {
        await collectedNote()
        code = (await shop.note(at.note)).pickupCode
      },
      '2 collected with another code': async () => {
        await collectedNote()
        code = (await shop.note(at.note)).pickupCode === '111111' ? '222222' : '111111'
      },
      '2 lost': async () => {
        await shipped()
        back = 'lost'
      },
      '2 for what was short': async () => {
        await approved(3)
        await instead()
        await done(shop.ship(at.note))
      },
      '3': arrived,
      '4': () => judged(2),
      '5': async () => {
        await shipped()
        await done(sentBack('refused'))
      },
    },
    async ask(command, reason): Promise<Heard> {
      const body = { ...(await seenOf('dispatches', at.note)), reason }
      if (command === 'ship') return shop.ship(at.note)
      if (command === 'cancel') return clerk.ask(dispatchApi.cancel, { body })
      if (command === 'sendBack') return clerk.ask(dispatchApi.sendBack, { body: { ...body, back } })
      const proof = { ...body, ...(await shop.proof(acceptor)), pickupCode: code }
      if (command === 'deliver') return acceptor.ask(dispatchApi.deliver, { body: proof })
      const lines = [{ line_id: await line(), quantity: '0.5' }]
      return acceptor.ask(dispatchApi.handOver, { body: { ...proof, lines } })
    },
    async stands() {
      const n = await one<{ state: number }>('SELECT state FROM dispatches WHERE id = $1', at.note)
      return `${n.state} ${await places()}`
    },
  })

  const progress = async () =>
    String((await one<{ progress: number }>('SELECT progress FROM logistics WHERE id = $1', at.leg)).progress)
  const logisticsOf = machine({
    lines: LOGISTICS,
    reasons: [],
    puts: {
      '1 out': () => shipped().then(legOut),
      '1 out, gone back': async () => {
        await shipped()
        await legOut()
        await done(sentBack('refused'))
      },
      '2 out': () => arrived().then(legOut),
      '3 out': () => judged(2).then(legOut),
      '0 back': () => approved(5),
      '1 back': () => approved(5).then(() => collected(1)),
      '2 back': () => approved(5).then(() => collected(2)),
      '3 back': () => approved(5).then(() => graded('good')),
      '0 of an exchange': () => approved(4),
      '1 of an exchange': () => approved(4).then(() => collected(1)),
      '3 unsent': () => approved(5, { scrap: true }),
    },
    ask: async (command): Promise<Heard> =>
      command === 'sign'
        ? supplier.ask(logisticsApi.sign, { body: await seenOf('logistics', at.leg) })
        : supplier.ask(logisticsApi.node, {
            body: { ...(await seenOf('logistics', at.leg)), title: '过了江' },
          }),
    stands: progress,
  })
  const wayBackOf = machine({
    lines: WAY_BACK,
    reasons: ['dispute'],
    puts: {
      '0': () => approved(5),
      '1': () => approved(5).then(() => collected(1)),
      '2': () => approved(5).then(() => collected(2)),
      '3 good': () => approved(5).then(() => graded('good')),
      '3 damaged': () => approved(5).then(() => graded('damaged')),
      '3 disputed': async () => {
        await approved(5)
        await graded('damaged')
        const body = { ...(await seenOf('logistics', at.leg)), reason: '不是我们弄坏的' }
        await done(clerk.ask(goodsApi.disputeGrade, { body }))
      },
    },
    async ask(command, reason): Promise<Heard> {
      const body = { ...(await seenOf('logistics', at.leg)), reason }
      if (command === 'collect') return supplier.ask(goodsApi.collect, { body })
      if (command === 'grade') return supplier.ask(goodsApi.grade, { body: { ...body, grade: 'good' } })
      return clerk.ask(goodsApi.disputeGrade, { body })
    },
    stands: progress,
  })

  const judgedAgain = async () => {
    await approved(4)
    await instead()
    await done(shop.ship(at.note))
    await done(shop.deliver(at.note))
  }
  let author = acceptor
  const by = (who: typeof clerk, put: () => Promise<unknown>) => async () => {
    await put()
    author = who
  }
  const goodsOf = machine({
    lines: GOODS,
    reasons: ['withdraw'],
    puts: {
      open: by(acceptor, () => judged(3)),
      'open answered': by(acceptor, async () => {
        await judged(3)
        const body = { ...(await seenOf('goods_changes', at.change)), answer: 'agree' as const }
        await done(supplier.ask(goodsApi.answer, { body }))
      }),
      'open of another author': by(clerk, () => judged(3)),
      'open late': by(clerk, () => late(4)),
      'open approved': by(acceptor, () => approved(3)),
      'open approved, note cancelled': by(acceptor, async () => {
        await approved(3)
        await instead()
        const body = { ...(await seenOf('dispatches', at.note)), reason: '说明原因' }
        await done(clerk.ask(dispatchApi.cancel, { body }))
      }),
      'open approved return': by(acceptor, () => approved(5)),
      closed: by(acceptor, async () => {
        await approved(5)
        await graded('good')
      }),
      unsolved: by(acceptor, async () => {
        await judgedAgain()
        await done(shop.judge(at.note, [{ name: NAME, quantity: AMOUNT, result: 4 }]))
      }),
      withdrawn: by(acceptor, async () => {
        await judged(3)
        const body = { ...(await seenOf('goods_changes', at.change)), reason: '说明原因' }
        await done(acceptor.ask(goodsApi.withdraw, { body }))
      }),
      rejected: by(acceptor, async () => {
        await judged(3)
        await done(shop.examine(at.change, 'reject'))
      }),
    },
    async ask(command, reason): Promise<Heard> {
      const body = { ...(await seenOf('goods_changes', at.change)), reason }
      if (command === 'answer') return supplier.ask(goodsApi.answer, { body: { ...body, answer: 'agree' } })
      if (command === 'withdraw') return author.ask(goodsApi.withdraw, { body })
      return clerk.ask(goodsApi.send, { body })
    },
    async stands() {
      const g = await one<{ state: string }>('SELECT state FROM goods_changes WHERE id = $1', at.change)
      return `${g.state} ${await places()}`
    },
  })

  const RESULTS = { short: 3, lateShort: 3, wrong: 4, lateWrong: 4, refuse: 5, lateRefuse: 5 } as const
  const pieceOf = machine({
    lines: PIECE,
    reasons: [],
    puts: {
      '0 way': () => shipped(),
      '1 waiting': arrived,
      '2 accepted': () => judged(2),
      '2 accepted long ago': async () => {
        await judged(2)
        await sql(`UPDATE dispatches SET checked_at = checked_at - interval '400 days' WHERE id = $1`, [
          at.note,
        ])
      },
      '2 late shortage asked': () => late(3),
      '2 late exchange asked': () => late(4),
      '2 late return asked': () => late(5),
      '3 asked': () => judged(3),
      '4 asked': () => judged(4),
      '5 asked': () => judged(5),
      '3 approved': () => approved(3),
      '4 under way': async () => {
        await approved(4)
        await done(shop.ship(await shop.instead(at.order, at.change)))
      },
      '1 what came instead': judgedAgain,
      '5 approved': () => approved(5),
      '5 gone back': () => approved(5).then(() => graded('good')),
    },
    async ask(command, reason): Promise<Heard> {
      const body = await seenOf('dispatches', at.note)
      if (command === 'pass' || command === 'reject') {
        const [asked] = await sql<{ id: string; version: number; hash: string; object_id: string }>(
          `SELECT r.id, r.version, r.hash, r.object_id FROM examine_requests r
           JOIN goods_changes g ON g.id = r.object_id WHERE g.order_id = $1 ORDER BY g.made_at DESC LIMIT 1`,
          [at.order],
        )
        if (asked) {
          const answer = { ...(await seenOf('goods_changes', asked.object_id)), answer: 'agree' as const }
          const g = await one<{ answer: string; state: string }>(
            'SELECT answer, state FROM goods_changes WHERE id = $1',
            asked.object_id,
          )
          if (g.answer === '' && g.state === 'open') await supplier.ask(goodsApi.answer, { body: answer })
        }
        const { id, hash, ...seen } = asked ?? { id: randomUUID(), version: 0, hash: '' }
        return shop.examiner.ask(examineApi[command], {
          body: { id, hash, version: seen.version, reason },
        })
      }
      if (command.startsWith('late')) return complain(RESULTS[command as 'lateShort'])
      const of = command === 'accept' ? undefined : await finding(RESULTS[command as 'short'])
      const fine = { line_id: await line(), quantity: AMOUNT, result: 2 as const }
      return acceptor.ask(goodsApi.judge, { body: { ...body, findings: [of ?? fine] } })
    },
    async stands() {
      const { results } = await one<{ results: string }>(
        `SELECT string_agg(DISTINCT coalesce(p.result, 0)::text, ' ') AS results FROM pieces p WHERE p.order_id = $1`,
        at.order,
      )
      return `${results} ${await places()}`
    },
  })
  return {
    /** Those that the contract declares. */
    declared: {
      orderActions: orderOf,
      dispatchActions: dispatchOf,
      logisticsActions: logisticsOf,
      goodsActions: goodsOf,
    },
    /** Those that move without a table of actions. */
    others: { piece: pieceOf, wayBack: wayBackOf },
  }
}
