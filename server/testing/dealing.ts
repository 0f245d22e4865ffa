import { changesApi, contractsApi } from '@zhuguan/contract/features/contracts/contracts.api.ts'
import { examineApi } from '@zhuguan/contract/features/examine/examine.api.ts'
import type { z } from 'zod'

import type { Person } from './person.ts'
import { uploadPhoto } from './photo.ts'
import { openShop, type Shown } from './selling.ts'

type Lines = z.input<(typeof changesApi)['add']['body']>['lines']
/** A shop whose quotations become contracts: what the people of a branch do with one, each by a call. */
export async function openDeals(server: Shown) {
  const shop = await openShop(server)
  const { examiner, gm, quoter, today } = shop
  const cashier = await server.as('cashier')
  let at = 0
  const contract = (id: string, who = gm) => who.call(contractsApi.details, { query: { id } })
  const one = async (id: string) => ({ id, version: (await contract(id)).version })
  const judge = async (object_id: string, what: 'pass' | 'reject' = 'pass', who = examiner) => {
    const { list } = await who.call(examineApi.list, { query: { object_id } })
    const r = list[0]!
    const { hash, id, version } = r
    const reason = '看过了'
    return who.ask(examineApi[what], { body: { id, version, hash, reason } })
  }
  const paper = async (who: Person = gm) => ({ key: await uploadPhoto(server.url, who), name: '签字页' })
  /** Of an approved quotation of 89,700.50, or with more in it. */
  const made = async (more: object = {}) => {
    const quotation = await shop.draft(quoter, more)
    const { id, version, hash } = await shop.submit(quotation)
    await examiner.call(examineApi.pass, { body: { id, version, hash } })
    const seen = await shop.seen(quotation)
    return (await gm.call(contractsApi.add, { body: { id: quotation, version: seen.version } })).id
  }
  const sign = async (id: string, more: object = {}) => {
    at += 1
    return gm.ask(contractsApi.sign, {
      body: {
        ...(await one(id)),
        signer: '王女士',
        signedOn: today,
        ws_name: `江南里 ${at} 幢`,
        address: `江南里 ${at} 幢`,
        files: [await paper()],
        ...more,
      },
    })
  }
  const signed = async (more: object = {}) => {
    const id = await made(more)
    const { msg } = await sign(id)
    if (msg) throw new Error(msg)
    return id
  }
  const pay = async (id: string, amount: string, more: object = {}, who: Person = cashier) =>
    who.ask(contractsApi.pay, {
      body: { ...(await one(id)), amount, method: 'cash', paidOn: today, payer: '王女士', ...more },
    })
  const refund = async (id: string, amount: string, more: object = {}) =>
    cashier.ask(contractsApi.refund, {
      body: {
        ...(await one(id)),
        amount,
        method: 'cash',
        payee: '王女士',
        reason: '客户要求',
        ...more,
      },
    })
  /** Lines that are written, submitted and judged. */
  const changed = async (contract_id: string, lines: Lines) => {
    const { id } = await quoter.call(changesApi.add, {
      body: { contract_id, reason: '客户改主意', lines },
    })
    await quoter.call(changesApi.submit, { body: { id, version: 0 } })
    return judge(id)
  }
  return { ...shop, cashier, changed, contract, judge, made, one, paper, pay, refund, sign, signed }
}
export type Deals = Awaited<ReturnType<typeof openDeals>>
