import { changesApi, contractsApi } from '@zhuguan/contract/features/contracts/contracts.api.ts'
import type { ContractDetail } from '@zhuguan/contract/features/contracts/contracts.record.ts'
import { examineApi } from '@zhuguan/contract/features/examine/examine.api.ts'
import { quotationsApi } from '@zhuguan/contract/features/quotations/quotations.api.ts'
import { attribute } from '@zhuguan/contract/features/quotations/quotations.sum.ts'
import { compare, minus, sum } from '@zhuguan/contract/kit/money.ts'

import type { lottery } from '../database/seed/names.ts'
import { hourOf } from '../database/seed/stories.ts'
import { addDays, shanghaiDay } from '../kit/shanghai.ts'
import { readBrief } from './demo-briefs.ts'
import type { Door, Worker } from './demo-door.ts'
import type { Branch } from './demo-people.ts'
import { after, hoursAfter, type Story } from './demo-timeline.ts'

type Lottery = ReturnType<typeof lottery>
/** The progress of a deal: only a contract, a deposit, given back, signed, signed by mistake, ended. */
export type Outcome = 'begun' | 'deposit' | 'returned' | 'signed' | 'mistaken' | 'ended'
export interface Signing {
  door: Door
  branch: Branch
  l: Lottery
}
/** The site of it: one that is there already, or one that the signature makes. */
export interface Home {
  customer: string
  address: string
  site_id: string | null
}
const DEPOSIT = '5000'
const METHODS = ['transfer', 'wechat', 'card', 'cash'] as const

const seen = (branch: Branch, id: string) => branch.gm.call(contractsApi.details, { query: { id } })
const one = (c: ContractDetail) => ({ id: c.id, version: c.version })

async function pay({ door, branch, l }: Signing, id: string, amount: string, payer: string): Promise<void> {
  const c = await seen(branch, id)
  await branch.cashier.call(contractsApi.pay, {
    body: { ...one(c), amount, payer, method: l.pick(METHODS), paidOn: shanghaiDay(door.now()) },
  })
}
/** The examiner says yes, or no with a reason, to what waits. */
async function* examine({ door, branch }: Signing, object_id: string, pass = true): Story {
  yield after(door, 3)
  const { list } = await branch.examiner.call(examineApi.list, { query: { object_id, examineState: 0 } })
  const { id, version, hash } = list[0]!
  const body = { id, version, hash, reason: pass ? '' : '请附客户签字的确认单' }
  await branch.examiner.call(examineApi[pass ? 'pass' : 'reject'], { body })
}

/** Something more, or less of what was sold: approved, refused or still waiting. */
async function* change(signing: Signing, id: string, word: 'pass' | 'reject' | 'wait'): Story {
  const { branch, l } = signing
  const c = await seen(branch, id)
  const { added, removed } = attribute.code
  const less = c.items.find((i) => i.attribute === added && compare(i.left, '1') > 0)
  const product = l.pick(branch.products)
  const more = {
    attribute: added,
    product_id: product.id,
    quantity: String(1 + l.below(3)),
    price: product.price!,
  }
  const lines = less && l.below(2) ? [more, { attribute: removed, item_id: less.id, quantity: '1' }] : [more]
  const reason = l.pick(['客户增加收纳', '现场改水路', '换成更大的浴室柜', '主卧加插座'])
  const made = await branch.quoter.call(changesApi.add, { body: { contract_id: id, reason, lines } })
  yield after(signing.door, 2)
  await branch.quoter.call(changesApi.submit, { body: { id: made.id, version: 0 } })
  if (word !== 'wait') yield* examine(signing, made.id, word === 'pass')
}

async function sign({ door, branch }: Signing, id: string, home: Home, paper: Sheet): Promise<void> {
  const c = await seen(branch, id)
  const { site_id } = await branch.gm.call(contractsApi.sign, {
    body: {
      ...one(c),
      signer: home.customer,
      told: true,
      signedOn: shanghaiDay(door.now()),
      site_id: home.site_id,
      ws_name: home.site_id ? '' : home.address,
      address: home.site_id ? '' : home.address,
      plannedStart: home.site_id ? null : addDays(shanghaiDay(door.now()), 14),
      files: [{ key: await paper(branch.gm), name: '签字页.jpg' }],
    },
  })
  await readBrief(branch.gm, site_id)
}
/** Puts a signed page among the files; answers its key. */
export type Sheet = (who: Worker) => Promise<string>

/** What of the first `count` instalments has not come in yet is paid. */
async function settle(signing: Signing, id: string, count: number, payer: string): Promise<void> {
  const c = await seen(signing.branch, id)
  const rest = minus(sum(c.instalments.slice(0, count).map((one) => one.amount)), c.paid)
  if (compare(rest, '0') > 0) await pay(signing, id, rest, payer)
}
/** The payments after a signature: each instalment soon after it fell due, a change now and then. */
async function* carryOn(signing: Signing, id: string, customer: string, until: Date): Story {
  const { door, branch, l } = signing
  const { instalments } = await seen(branch, id)
  // One of six has not paid what fell due last.
  const isLate = l.below(6) === 0
  const isChanged = l.below(3) === 0
  const begun = door.now()
  const payments = instalments
    .map(({ dueOn }, i) => ({
      at: dueOn === null ? until : hourOf(addDays(dueOn, 1 + l.below(5)), 10 + l.below(7)),
      count: i + 1,
    }))
    .filter(({ at, count }) => at < until && at >= begun && !(isLate && count > 1))
  const changed = hoursAfter(begun, 9 * 24)
  const steps = isChanged
    ? [...payments, { at: changed < until ? changed : hoursAfter(until, -12), count: 0 }]
    : payments
  for (const { at, count } of steps.sort((a, b) => a.at.getTime() - b.at.getTime())) {
    yield at
    if (count > 0) await settle(signing, id, count, customer)
    else yield* change(signing, id, l.pick(['pass', 'pass', 'pass', 'reject', 'wait']))
  }
}

/** From an approved quotation to wherever the deal comes. */
export async function* contractFor(
  signing: Signing,
  quotation: string,
  home: Home,
  { outcome, paper, until }: { outcome: Outcome; paper: Sheet; until: Date },
): Story {
  const { door, branch } = signing
  yield after(door, 4)
  const { version } = await branch.quoter.call(quotationsApi.details, { query: { id: quotation } })
  const { id } = await branch.quoter.call(contractsApi.add, { body: { id: quotation, version } })
  if (outcome === 'begun') return
  yield after(door, 20)
  await pay(signing, id, DEPOSIT, home.customer)
  if (outcome === 'deposit') return
  if (outcome === 'returned') return yield* refund(signing, id, home.customer)
  yield after(door, 24)
  await sign(signing, id, home, paper)
  if (outcome === 'mistaken') {
    const c = await seen(branch, id)
    await branch.gm.call(contractsApi.void, { body: { ...one(c), reason: '客户签错了户型' } })
    yield* examine(signing, id)
  } else if (outcome === 'ended') {
    const c = await seen(branch, id)
    await branch.gm.call(contractsApi.terminate, {
      body: { ...one(c), reason: '客户工作调动，不装了', value: DEPOSIT },
    })
  } else yield* carryOn(signing, id, home.customer, until)
}

async function* refund(signing: Signing, id: string, customer: string): Story {
  const { door, branch } = signing
  yield after(door, 48)
  const c = await seen(branch, id)
  const made = await branch.cashier.call(contractsApi.refund, {
    body: { ...one(c), amount: DEPOSIT, method: 'transfer', payee: customer, reason: '客户选了别家' },
  })
  yield* examine(signing, made.id)
}
