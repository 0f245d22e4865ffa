import { noticeGiven } from '@zhuguan/contract/features/consents/notices.record.ts'
import { customersImport } from '@zhuguan/contract/features/customers/customers.import.ts'
import {
  customerFacts,
  type CustomerFacts,
  customerHeld,
} from '@zhuguan/contract/features/customers/customers.record.ts'
import { plainPhone } from '@zhuguan/contract/kit/fields.ts'
import { linkTo } from '@zhuguan/contract/links.ts'

import type { Tx } from '../../database/connect.ts'
import { bool, row, text, uuid } from '../../kit/row.ts'
import type { Call } from '../../kit/serve.ts'
import type { CellError, Cells, Checked, Importer } from '../imports/imports.service.ts'
import { branchesOf, codeOf, issuesOf, isTold, NO_BRANCH, wrongTold } from '../imports/reading.service.ts'
import { notify } from '../notifications/notifications.service.ts'
import { whoseTurn } from '../notifications/turns.service.ts'
import { barredAmong, numberDigest } from '../persons/erasures.service.ts'
import { storesOf } from './customers.queries.ts'
import { countImported } from './number-looks.service.ts'
import { offeredSources } from './sources.reads.ts'

const { pool } = customerHeld.code
const NO_STORE = '没有这家门店，或不在您的数据范围内'

/** A number as it is known, as in `digits` of customers.service: a landline with a dash and without is one. */
const knownAs = (phone: string) => plainPhone(phone).replaceAll('-', '')
/** Those of these numbers that are known in some branch, and whether they do not want to hear from us. */
async function knownOf(tx: Tx, tenant: string, phones: readonly string[]) {
  const { rows } = await tx.query(
    'customers.known',
    row({ of_branch: uuid, phone: text, name: text, refuses: bool }),
    `SELECT n.of_branch, n.phone, k.name, k.refuses
     FROM customer_numbers n
     JOIN customers k ON k.tenant_id = $1 AND k.id = n.customer_id
     WHERE n.tenant_id = $1 AND n.phone = ANY ($2::text[])`,
    [tenant, phones.map(knownAs)],
  )
  return new Map(rows.map((r) => [`${r.of_branch} ${r.phone}`, r]))
}
const FORGOTTEN = '这个号码的人要求删除过个人信息，不能导入'
/** Those of these numbers that belong to people who asked to be forgotten. */
async function forgottenOf(tx: Tx, tenant: string, secretKey: Buffer, phones: readonly string[]) {
  const digests = new Map(phones.map((p) => [p, numberDigest(secretKey, tenant, knownAs(p))]))
  const barred = await barredAmong(tx, tenant, [...digests.values()])
  return (phone: string) => barred.has(digests.get(phone) ?? '')
}
const takenBy = ({ name, refuses }: { name: string; refuses: boolean }) =>
  refuses ? `“${name}”登记过拒绝联系，不能导入` : `已经登记为客户“${name}”`

/** A customer as a list brings them, with the wording that they were told, if somebody has told them. */
type Listed = CustomerFacts & { notice: string }
interface Placed {
  bc_id: string | undefined
  store_id: string | null
  errors: CellError[]
}
/** The store says the branch; without one the branch is named. */
function placeIn(
  r: Cells,
  {
    branches,
    stores,
  }: { branches: ReadonlyMap<string, string>; stores: Awaited<ReturnType<typeof storesOf>> },
): Placed {
  const branch = r.bc_id ? branches.get(r.bc_id) : undefined
  const named = stores.filter((s) => s.name === r.storeName)
  const store = branch ? named.find((s) => s.bc_id === branch) : named[0]
  const bc_id = branch ?? store?.bc_id
  const errors: CellError[] = []
  if (r.storeName && !store) errors.push({ column: 'storeName', text: NO_STORE })
  else if (r.bc_id && !branch) errors.push({ column: 'bc_id', text: NO_BRANCH })
  else if (!bc_id) errors.push({ column: 'storeName', text: '请填写门店或分公司' })
  return { bc_id, store_id: store?.id ?? null, errors }
}
/** A row as a customer of its place, if it can be one and nobody is it already. */
function checked(
  r: Cells,
  { errors, ...of }: Placed & { source: number | string | undefined },
  known: Awaited<ReturnType<typeof knownOf>>,
  isForgotten: (phone: string) => boolean,
): Checked<Listed> {
  const facts = { ...r, ...of, area: r.area || null, budget: r.budget || null }
  const read = customerFacts.safeParse({ ...facts, consultant_id: null, introducer_id: null })
  if (!read.success) {
    const more = issuesOf(read.error).filter(
      (e) => e.column !== 'bc_id' && !errors.some((x) => x.column === e.column),
    )
    return { errors: [...errors, ...more] }
  }
  const same = known.get(`${of.bc_id} ${knownAs(read.data.phone)}`)
  const no = same ? takenBy(same) : isForgotten(r.phone ?? '') && FORGOTTEN
  const all = no ? [...errors, { column: 'phone', text: no }] : errors
  if (all.length) return { errors: all }
  return { value: { ...read.data, notice: noticeGiven('customer', isTold(r.told)) } }
}

/** Customers come into the pool of their store: nobody has them yet, and nothing of them is done. */
export const customersImporter = (secretKey: Buffer): Importer<Listed> => ({
  def: customersImport,
  keys: (c) => (c.phone ? [{ column: 'phone', key: `phone:${knownAs(c.phone)}` }] : []),
  async check(tx, call, rows) {
    const { scope, tenant } = call.user
    const branches = await branchesOf(tx, scope)
    const stores = await storesOf(tx, scope)
    const phones = rows.map((r) => r.phone ?? '')
    const known = await knownOf(tx, tenant, phones)
    const isForgotten = await forgottenOf(tx, tenant, secretKey, phones)
    await countImported(tx, call, known.size)
    const options = await offeredSources(tx, tenant)
    return rows.map((r) => {
      const place = placeIn(r, { branches, stores })
      const source = codeOf({ options }, r.source ?? '')
      const errors = [
        ...place.errors,
        ...(typeof source === 'object' ? [{ column: 'source', text: source.error }] : []),
        ...wrongTold(r.told),
      ]
      const of = { ...place, errors, source: typeof source === 'object' ? undefined : source }
      return checked(r, of, known, isForgotten)
    })
  },
  async store(tx, call, values) {
    const { tenant } = call.user
    const known = await knownOf(
      tx,
      tenant,
      values.map((v) => v.phone),
    )
    const rows = values.map((v) => {
      const same = known.get(`${v.bc_id} ${knownAs(v.phone)}`)
      return same ? { column: 'phone', text: takenBy(same) } : { id: call.newId(), ...v }
    })
    const good = rows.filter((r): r is { id: string } & Listed => 'id' in r)
    await insertMany(tx, call, good)
    await tellLeads(tx, call, good)
    return rows.map((r) => ('id' in r ? { id: r.id } : r))
  },
})

async function insertMany(tx: Tx, call: Call, rows: readonly ({ id: string } & Listed)[]): Promise<void> {
  const { nickname, tenant } = call.user
  const why = `${nickname}导入`
  await tx.run(
    'customers.import',
    `INSERT INTO customers (tenant_id, id, bc_id, store_id, name, phone, source, community, address, area, budget,
       style, notice, held, why, held_at, changed_at, created_at)
     SELECT $1, x.id, x.bc_id, x.store_id, x.name, x.phone, x.source, x.community, x.address, x.area, x.budget, x.style,
       x.notice, '${pool}', $3, :now, :now, :now
     FROM json_to_recordset($2::json) AS x(id uuid, bc_id uuid, store_id uuid, name text, phone text, source text,
       community text, address text, area numeric, budget numeric, style text, notice text)`,
    [tenant, JSON.stringify(rows), why],
  )
  await tx.run(
    'customers.importentries',
    `INSERT INTO customer_events (tenant_id, id, customer_id, act, actor, text, at)
     SELECT $1, gen_random_uuid(), x.id, 'enter', $3, $4, :now
     FROM unnest($2::uuid[]) AS x(id)`,
    [tenant, rows.map((r) => r.id), nickname, why],
  )
}

/** Whoever gives customers away hears once a branch, however many steps an import takes. */
async function tellLeads(tx: Tx, call: Call, rows: readonly CustomerFacts[]): Promise<void> {
  const { id: actor, nickname, tenant } = call.user
  const link = linkTo('CustomerList', { held: pool })
  for (const bc of new Set(rows.map((r) => r.bc_id))) {
    const people = await whoseTurn(tx, 'customer', 'wait', { tenant, place: { bc_id: bc }, link })
    await notify(tx, {
      tenant,
      actor,
      user: [...people.keys()],
      title: `${nickname}导入的客户在公海里，请分配`,
      link,
      cause: { kind: 'customer', id: bc },
    })
  }
}
