import { quotationStatus } from '@zhuguan/contract/features/quotations/quotations.record.ts'
import { linkTo } from '@zhuguan/contract/links.ts'

import { row, text, uuid } from '../../kit/row.ts'
import type { Call } from '../../kit/serve.ts'
import type { Tx } from '../../kit/tx.ts'
import { notify } from '../notifications/notifications.service.ts'
import { whoCan } from '../notifications/turns.service.ts'
import type { Leaver, OpenWork } from '../users/open-work.service.ts'
import { pickPeople } from '../users/users.reads.ts'

const { draft } = quotationStatus.code
const EDIT = 'quotation:edit'
const placeOf = (q: { bc_id: string; store_id: string | null }) => ({ bc_id: q.bc_id, store_id: q.store_id })

/** Drafts of this person; `gone`: of these, those that they may not write any more. */
async function draftsOf(tx: Tx, call: Call, of: Leaver, gone: boolean) {
  const { tenant } = call.user
  const asked = gone ? 'draftsgone' : 'draftsof'
  const { rows } = await tx.query(
    `quotations.${asked}`,
    row({ id: uuid, code: text, bc_id: uuid, store_id: uuid.null }),
    `SELECT q.id, q.code, q.bc_id, q.store_id
     FROM quotations q
     WHERE q.tenant_id = $1 AND q.quoter_id = $2 AND q.status = ${draft}
     ORDER BY q.id
     ${gone ? 'FOR UPDATE OF q' : ''}`,
    [tenant, of.id],
  )
  if (!gone) return rows
  const left = []
  for (const q of rows) {
    const asked = { tenant, among: [of.id], except: [], place: placeOf(q), receiver: false }
    const still = await whoCan(tx, { ...asked, label: EDIT })
    if (!still.near.length && !still.wide.length) left.push(q)
  }
  return left
}

export const quotationsWork: OpenWork = {
  kind: 'quotations',
  lacks: '没有编辑报价的权限，或不在这些报价的分公司、门店',
  async open(tx, call, of, gone) {
    const drafts = await draftsOf(tx, call, of, gone)
    if (drafts.length === 0) return undefined
    const lists = []
    for (const q of new Map(drafts.map((d) => [`${d.bc_id} ${d.store_id}`, d])).values()) {
      const asked = {
        tenant: call.user.tenant,
        among: null,
        except: [of.id],
        place: placeOf(q),
        receiver: false,
      }
      const able = await whoCan(tx, { ...asked, label: EDIT })
      const people = await pickPeople(tx, call.user.scope, { bc: q.bc_id })
      lists.push(people.filter((p) => able.near.includes(p.id)))
    }
    const [first = [], ...rest] = lists
    return {
      count: drafts.length,
      title: `${drafts.length} 份报价草稿`,
      link: linkTo('QuotationList', { quoter_id: of.id }),
      people: first.filter((p) => rest.every((list) => list.some((o) => o.id === p.id))),
    }
  },
  async hand(tx, call, of, to) {
    const { tenant } = call.user
    const drafts = await draftsOf(tx, call, of, true)
    await tx.run(
      'quotations.give',
      `UPDATE quotations q SET quoter_id = $3, version = q.version + 1
       WHERE q.tenant_id = $1 AND q.id = ANY ($2::uuid[])`,
      [tenant, drafts.map((d) => d.id), to.id],
    )
    for (const { code, id } of drafts)
      await call.log(tx, {
        action: '移交报价',
        object: 'quotation',
        objectId: id,
        before: { quoter_id: of.id },
        after: { code, quoter_id: to.id },
      })
    await notify(tx, {
      tenant,
      actor: call.user.id,
      user: to.id,
      title: `${of.nickname}不再负责：${drafts.length} 份报价草稿转给您`,
      link: linkTo('QuotationList', { quoter_id: to.id }),
    })
  },
}
