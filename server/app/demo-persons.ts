import { customersApi } from '@zhuguan/contract/features/customers/customers.api.ts'
import { customerHeld } from '@zhuguan/contract/features/customers/customers.record.ts'
import { ownersApi } from '@zhuguan/contract/features/owners/owners.api.ts'
import { personsApi } from '@zhuguan/contract/features/persons/persons.api.ts'
import { personAsk, personKind } from '@zhuguan/contract/features/persons/persons.record.ts'

import { hourOf } from '../database/seed/stories.ts'
import { addDays, shanghaiDay } from '../kit/shanghai.ts'
import type { Door, Worker } from './demo-door.ts'
import type { Story } from './demo-timeline.ts'

const { collect, erase } = personAsk.code
const { customer, owner } = personKind.code

/**
 * Requests of a branch's people about what is kept of them: to be forgotten, a copy, and somebody who was not they.
 */
export async function* askedOf(door: Door, gm: Worker, until: Date): Story {
  const today = shanghaiDay(until)
  const add = (
    ask: typeof collect | typeof erase,
    kind: typeof customer | typeof owner,
    id: string,
    words: string,
  ) => gm.call(personsApi.add, { body: { ask, kind, subject_id: id, words } })
  yield hourOf(addDays(today, -3), 11)
  if (door.now() >= until) return
  const { list } = await gm.call(customersApi.list, { query: { held: [customerHeld.code.lost] } })
  const homes = (await gm.call(ownersApi.list, { query: {} })).list
  const [gone, wrong] = list
  if (gone) await add(erase, customer, gone.id, '来电说已选别家，要求删除姓名和电话，答应来店签字')
  if (homes[0]) await add(collect, owner, homes[0].contact_id, '业主要一份我们保存的全部资料')
  yield hourOf(addDays(today, -1), 15)
  if (door.now() >= until || !wrong) return
  const { id } = await add(erase, customer, wrong.id, '有人来电要求删除，说是本人')
  const { version } = await gm.call(personsApi.details, { query: { id } })
  await gm.call(personsApi.refuse, { body: { id, version, reason: '回拨登记的电话，本人没有提出过' } })
}
