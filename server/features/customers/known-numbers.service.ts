import type { customersApi } from '@zhuguan/contract/features/customers/customers.api.ts'
import { customerHeld } from '@zhuguan/contract/features/customers/customers.record.ts'
import type { BodyOf } from '@zhuguan/contract/kit/api.ts'

import type { Tx } from '../../database/connect.ts'
import { invalid } from '../../kit/refuse.ts'
import { row, text, there, uuid } from '../../kit/row.ts'
import type { Call } from '../../kit/serve.ts'
import { checkPlace } from './customer-opening.service.ts'
import { storesOf } from './customers.queries.ts'

const { assigned } = customerHeld.code

/** A number as it is known: a landline with a dash and without is one. */
const digits = (value: string) => `replace(${value}, '-', '')`
interface Known {
  id: string
  name: string
  words: string
}
/** The owner of this number in the branch: in words that say where, so that two stores do not serve the same home. */
export async function whoseNumber(
  tx: Tx,
  tenant: string,
  { bc_id, phone }: { bc_id: string; phone: string },
  but: string | null = null,
): Promise<Known | undefined> {
  const { rows } = await tx.query(
    'customers.same',
    row({ id: uuid, name: text, place: text, consultant: text, held: text.of(customerHeld), contact: text }),
    `SELECT k.id, k.name, coalesce(s.name, c.bc_name) AS place, coalesce(u.nickname, '') AS consultant, k.held,
       coalesce((SELECT t.name FROM customer_contacts t
         WHERE t.tenant_id = $1 AND t.customer_id = k.id AND t.phone = $3 LIMIT 1), '') AS contact
     FROM customer_numbers n
     JOIN customers k ON k.tenant_id = $1 AND k.id = n.customer_id
     JOIN companies c ON c.tenant_id = $1 AND c.bc_id = k.bc_id
     LEFT JOIN stores s ON s.tenant_id = $1 AND s.id = k.store_id
     LEFT JOIN users u ON u.tenant_id = $1 AND u.id = k.consultant_id
     WHERE n.tenant_id = $1 AND n.of_branch = $2 AND n.phone = ${digits('$3')} AND n.customer_id IS DISTINCT FROM $4`,
    [tenant, bc_id, phone, but],
  )
  const [same] = rows
  if (!same) return undefined
  const stands = same.held === assigned ? `顾问 ${same.consultant}` : customerHeld.label(same.held)
  const who = same.contact ? `“${same.name}”的联系人${same.contact}` : `“${same.name}”`
  return { id: same.id, name: same.name, words: `客户${who}（${same.place}，${stands}）` }
}
export async function refuseTaken(
  tx: Tx,
  call: Call,
  of: { bc_id: string; phone: string },
  but: string | null,
): Promise<void> {
  const same = await whoseNumber(tx, call.user.tenant, of, but)
  if (same) throw invalid('phone', `这个电话已经登记为${same.words}，请直接选择或与对方确认`)
}

/** Whether a number is known: whose in this branch, and of others of the group no more than that it is. */
export async function findNumber(
  tx: Tx,
  call: Call,
  body: BodyOf<(typeof customersApi)['known']>,
): Promise<{ words: string; id: string | null }> {
  const { scope, tenant } = call.user
  const near = (await storesOf(tx, scope)).find((t) => t.bc_id === body.bc_id)
  await checkPlace(tx, call, { bc_id: body.bc_id, store_id: near?.id ?? null, consultant_id: null })
  const same = await whoseNumber(tx, tenant, body)
  if (same) return { words: `已登记为${same.words}`, id: same.id }
  const { rows } = await tx.query(
    'customers.elsewhere',
    there,
    `SELECT 1
     FROM customer_numbers n
     WHERE n.tenant_id = $1 AND n.phone = ${digits('$2')} AND n.of_branch <> $3
     LIMIT 1`,
    [tenant, body.phone, body.bc_id],
  )
  return { words: rows.length ? '集团内已有这个电话的客户' : '', id: null }
}
