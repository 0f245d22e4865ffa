import { customersApi } from '@zhuguan/contract/features/customers/customers.api.ts'
import { followUpsApi } from '@zhuguan/contract/features/customers/follow-ups.api.ts'
import { signingBoardApi } from '@zhuguan/contract/features/customers/signing-board.api.ts'

import { examplesOf } from '../../testing/example.ts'

export const customersExamples = examplesOf(customersApi, (r) => {
  const facts = {
    store_id: r.store,
    name: '周先生',
    phone: '13900001234',
    area: '110',
    source: 'introduced' as const,
    introducer_id: r.customer,
  }
  const answers = { consultant_id: 400 } as const
  const filters = { bc_id: [r.bc_id], store_id: [r.store], consultant_id: r.person, id: r.customer }
  const one = { id: r.customer, version: 0 }
  const command = { body: { ...one, reason: '试试看' } }
  return {
    list: { query: filters },
    export: { query: filters },
    board: { query: filters },
    details: { query: { id: r.customer } },
    pick: { query: { id: r.customer } },
    consultants: { query: { bc_id: r.bc_id, store_id: r.store } },
    known: { body: { bc_id: r.bc_id, phone: '13900001234' } },
    add: { body: { ...facts, bc_id: r.bc_id, consultant_id: r.person }, answers },
    edit: { body: { ...facts, id: r.customer, version: 0 } },
    phone: { body: { id: r.customer, contact_id: r.customerContact, reason: '确认上门时间' } },
    told: { body: one },
    addContact: { body: { ...one, name: '李女士', relation: 'spouse', phone: '13900001235' } },
    dropContact: { body: { ...one, contact_id: r.customerContact, reason: '试试看' } },
    claim: { body: one },
    assign: { body: { list: [one], to: r.person }, answers: { to: 400 } },
    hand: { body: { ...one, to: r.person, reason: '试试看' }, answers: { to: 400 } },
    lose: { body: { ...one, why: 'price', reason: '试试看' } },
    revive: { body: one },
    ask: { body: { ...one, what: 'deposit', words: '' } },
    refuse: command,
    accept: command,
    merge: { body: { ...one, into: r.customer, intoVersion: 0, reason: '试试看' } },
  }
})

export const signingBoardExamples = examplesOf(signingBoardApi, (r) => {
  const place = { bc_id: [r.bc_id], store_id: [r.store], consultant_id: r.person }
  return {
    read: { query: { ...place, from: '2028-06-01', to: '2028-06-30' } },
    targets: { query: { month: '2028-06', bc_id: [r.bc_id] } },
    setTarget: {
      body: {
        month: '2028-06',
        bc_id: r.bc_id,
        store_id: r.store,
        consultant_id: r.person,
        people: 6,
        money: '900000',
        reason: '试试看',
      },
      answers: { consultant_id: 400 },
    },
  }
})

export const followUpsExamples = examplesOf(followUpsApi, (r) => {
  const filters = { bc_id: [r.bc_id], user_id: r.person }
  const of = { customer_id: r.customer }
  const one = { id: r.followUp, version: 0 }
  const at = Math.floor(Date.parse('2028-06-01T10:00:00+08:00') / 1000)
  return {
    list: { query: { ...filters, ...of } },
    export: { query: { ...filters, ...of } },
    calendar: { query: { ...filters, from: '2028-06-01', to: '2028-06-30' } },
    counts: { query: filters },
    // One that is nobody's leaves nothing out.
    clashes: { query: { ...of, at, id: r.followUp }, answers: { id: 200 } },
    add: { body: { ...of, kind: 'phone', at, content: '聊了户型' } },
    plan: { body: { ...of, kind: 'phone', at, content: '再聊户型' } },
    done: { body: { ...one, at, result: '聊了户型' } },
    move: { body: { ...one, at } },
    cancel: { body: { ...one, reason: '试试看' } },
  }
})
