import { createHash } from 'node:crypto'

import { quotationActions } from '@zhuguan/contract/features/quotations/quotations.actions.ts'
import type { quotationsApi } from '@zhuguan/contract/features/quotations/quotations.api.ts'
import {
  type LineFixed,
  type QuotationContent,
  quotationStatus,
  type QuotationSum,
  VALID_DAYS,
} from '@zhuguan/contract/features/quotations/quotations.record.ts'
import type { DocumentSum } from '@zhuguan/contract/features/quotations/quotations.sum.ts'
import type { BodyOf } from '@zhuguan/contract/kit/api.ts'
import { isZero } from '@zhuguan/contract/kit/money.ts'
import { hasPermission } from '@zhuguan/contract/kit/permits.ts'

import type { Tx } from '../../database/connect.ts'
import { actorAt } from '../../kit/reach.ts'
import { found, overtaken, refuse } from '../../kit/refuse.ts'
import { row, text } from '../../kit/row.ts'
import type { Call } from '../../kit/serve.ts'
import { addDays, shanghaiDay } from '../../kit/shanghai.ts'
import { customerOf } from '../customers/customers.reads.ts'
import { nextNumberIn } from '../numbers/numbers.service.ts'
import { contentOf, copyContent, type KeptLine, writeContent } from './content.queries.ts'
import { type Allowed, allowedOf, NOTHING_ALLOWED, refuseGiving } from './giving.service.ts'
import { priced, type Priced, type Writing } from './pricing.service.ts'
import { lockQuotation, quotationAt, type ShownQuotation } from './quotations.queries.ts'

type One = BodyOf<(typeof quotationsApi)['submit']>
const { draft } = quotationStatus.code

/** Costs and margins are read by who may, where the quotation is. */
export const readsCosts = (call: Call, place: { bc_id: string; store_id: string | null }): boolean =>
  hasPermission(actorAt(call.user, place), 'product:cost')
/** A sum as this person may read it. */
export const sumFor = (sum: DocumentSum, costs: boolean): QuotationSum => {
  const { lines: _, cost, uncosted, margin, ...open } = sum as DocumentSum & { lines?: unknown }
  return { ...open, ...(costs ? { cost, uncosted, margin } : { cost: null, uncosted: null, margin: null }) }
}
export const fixedFor = (line: LineFixed, costs: boolean): LineFixed =>
  costs ? line : { ...line, cost: null }

/** Locks a quotation of which this version was seen, and refuses what cannot be done to it now. */
export async function lockSeen(
  tx: Tx,
  call: Call,
  body: One,
  action: Parameters<typeof quotationActions.refusal>[0],
): Promise<ShownQuotation> {
  const one = found(await lockQuotation(tx, call.user.scope, body.id))
  if (one.version !== body.version) throw await faster(tx, call, one)
  refuse(quotationActions.refusal(action, one, actorAt(call.user, one), call.now().getTime() / 1000))
  return one
}
async function faster(tx: Tx, call: Call, one: ShownQuotation) {
  const { rows } = await tx.query(
    'quotations.changedby',
    row({ name: text }),
    'SELECT q.changed_by AS name FROM quotations q WHERE q.tenant_id = $1 AND q.id = $2',
    [call.user.tenant, one.id],
  )
  return overtaken('张报价单', { name: rows[0]?.name ?? '', at: one.changedAt })
}

/** A quotation moves to another state, by this person, now. */
export async function moveQuotation(
  tx: Tx,
  call: Call,
  one: Pick<ShownQuotation, 'id'>,
  to: { status: number; number?: number; contract_id?: string | null; voidReason?: string; signed?: boolean },
): Promise<void> {
  await tx.run(
    'quotations.move',
    `UPDATE quotations
     SET status = $3, number = coalesce($4, number),
       contract_id = CASE WHEN $5 THEN $6::uuid ELSE contract_id END, void_reason = coalesce($7, void_reason),
       signed = coalesce($9, signed),
       changed_at = :now, changed_by = $8, version = version + 1
     WHERE tenant_id = $1 AND id = $2`,
    [
      call.user.tenant,
      one.id,
      to.status,
      to.number ?? null,
      to.contract_id !== undefined,
      to.contract_id ?? null,
      to.voidReason ?? null,
      call.user.nickname,
      to.signed ?? null,
    ],
  )
}

/** The person who writes where, over what stands there. */
export const writingOf = (
  call: Call,
  place: { bc_id: string; store_id: string | null },
  kept: readonly KeptLine[] = [],
  keptPackage: string | null = null,
): Writing => ({
  scope: call.user.scope,
  bc: place.bc_id,
  today: shanghaiDay(call.now()),
  costs: readsCosts(call, place),
  kept,
  keptPackage,
})
/** Writes what a draft version holds, with its sum. */
export async function writeVersion(
  tx: Tx,
  call: Call,
  version: { id: string; quotation: string; number: number },
  content: QuotationContent,
  { sum, content: lines }: Priced,
  allowed: Allowed,
): Promise<void> {
  await tx.run(
    'quotations.version',
    `INSERT INTO quotation_versions AS v (tenant_id, id, quotation_id, number, package_id, area, tax_percent,
       valid_until, remark, package, removed, adjusted, added, discount, total, tax, per_square, cost, uncosted, margin,
       below, below_lines, allowed_rounding, allowed_given)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23,
       $24)
     ON CONFLICT (tenant_id, id) DO UPDATE
     SET package_id = excluded.package_id, area = excluded.area, tax_percent = excluded.tax_percent,
       valid_until = excluded.valid_until, remark = excluded.remark, package = excluded.package,
       removed = excluded.removed, adjusted = excluded.adjusted, added = excluded.added,
       discount = excluded.discount, total = excluded.total, tax = excluded.tax, per_square = excluded.per_square,
       cost = excluded.cost, uncosted = excluded.uncosted, margin = excluded.margin,
       below = excluded.below, below_lines = excluded.below_lines, allowed_rounding = excluded.allowed_rounding,
       allowed_given = excluded.allowed_given`,
    [
      call.user.tenant,
      version.id,
      version.quotation,
      version.number,
      content.package_id,
      content.area,
      content.taxPercent,
      content.validUntil,
      content.remark,
      sum.package,
      sum.removed,
      sum.adjusted,
      sum.added,
      sum.discount,
      sum.total,
      sum.tax,
      sum.perSquareMetre,
      sum.cost,
      sum.uncosted,
      sum.margin,
      sum.below,
      sum.belowLines,
      allowed.rounding,
      allowed.given,
    ],
  )
  await writeContent(tx, call.user.tenant, version.id, lines)
}

export async function addQuotation(
  tx: Tx,
  call: Call,
  { customer_id, content }: BodyOf<(typeof quotationsApi)['add']>,
): Promise<{ id: string; code: string }> {
  const { scope, tenant, id: me, nickname } = call.user
  const customer = found(await customerOf(tx, scope, customer_id))
  const worked = await priced(tx, writingOf(call, customer), content)
  const allowed = await refuseGiving(tx, call, customer, worked, NOTHING_ALLOWED)
  const code = await nextNumberIn(tx, { tenant, kind: 'quotation', bc: customer.bc_id })
  const id = call.newId()
  await tx.run(
    'quotations.add',
    `INSERT INTO quotations (tenant_id, id, code, bc_id, store_id, customer_id, quoter_id, created_at, changed_at,
       changed_by)
     VALUES ($1, $2, $3, $4, $5, $6, $7, :now, :now, $8)`,
    [tenant, id, code, customer.bc_id, customer.store_id, customer.id, me, nickname],
  )
  await writeVersion(tx, call, { id: call.newId(), quotation: id, number: 1 }, content, worked, allowed)
  await call.log(tx, {
    action: '新建报价单',
    object: 'quotation',
    objectId: id,
    after: {
      code,
      customer: customer.name,
      bc_id: customer.bc_id,
      store_id: customer.store_id,
      ...told(worked),
    },
  })
  return { id, code }
}
const told = ({ sum, content, package: sold }: Priced) => ({
  package: sold?.name ?? '',
  lines: content.lines.length,
  discount: isZero(sum.discount) ? '' : sum.discount,
  total: sum.total,
})

export async function saveQuotation(tx: Tx, call: Call, body: BodyOf<(typeof quotationsApi)['save']>) {
  const one = await lockSeen(tx, call, body, 'edit')
  const { tenant, scope } = call.user
  const customer = found(await customerOf(tx, scope, body.customer_id))
  if (customer.bc_id !== one.bc_id) refuse('客户属于另一个分公司，请复制报价单给这位客户')
  const kept = await contentOf(tx, tenant, one.version_id)
  const writing = writingOf(call, one, kept.lines, one.package_id)
  const worked = await priced(tx, writing, body.content)
  const allowed = await refuseGiving(tx, call, one, worked, allowedOf(one))
  await writeVersion(
    tx,
    call,
    { id: one.version_id, quotation: one.id, number: one.number },
    body.content,
    worked,
    allowed,
  )
  await tx.run(
    'quotations.saved',
    `UPDATE quotations
     SET customer_id = $3, store_id = $4, changed_at = :now, changed_by = $5, version = version + 1
     WHERE tenant_id = $1 AND id = $2`,
    [tenant, one.id, customer.id, customer.store_id, call.user.nickname],
  )
  await call.log(tx, {
    action: '编辑报价单',
    object: 'quotation',
    objectId: one.id,
    before: { code: one.code, total: one.total, lines: kept.lines.length },
    after: { number: one.number, ...told(worked) },
  })
  return {
    version: one.version + 1,
    at: Math.floor(call.now().getTime() / 1000),
    sum: sumFor(worked.sum, writing.costs),
    lines: worked.fixed.map((line) => fixedFor(line, writing.costs)),
  }
}

/** The lines of a version, to be written once more. */
export const contentAgain = (
  one: ShownQuotation,
  { rooms, lines, discounts }: Awaited<ReturnType<typeof contentOf>>,
): QuotationContent => ({
  package_id: one.package_id,
  area: one.area,
  taxPercent: one.taxPercent,
  validUntil: one.validUntil,
  remark: one.remark,
  rooms,
  discounts,
  lines: lines.map(({ cost, ...line }) => ({ ...line, cost })),
})

/** Another draft with what this version holds and the prices of today; what was taken off is not copied. */
export async function copyQuotation(tx: Tx, call: Call, body: BodyOf<(typeof quotationsApi)['copy']>) {
  const one = found(await quotationAt(tx, call.user.scope, body))
  const content = contentAgain(one, await contentOf(tx, call.user.tenant, one.version_id))
  const validUntil = addDays(shanghaiDay(call.now()), VALID_DAYS)
  return addQuotation(tx, call, {
    customer_id: body.customer_id,
    content: { ...content, validUntil, discounts: [] },
  })
}

/** The next version of a quotation, a draft with all that its newest one holds. */
export async function nextVersion(tx: Tx, call: Call, one: ShownQuotation): Promise<void> {
  const { tenant } = call.user
  const id = call.newId()
  await tx.run(
    'quotations.next',
    `INSERT INTO quotation_versions (tenant_id, id, quotation_id, number, package_id, area, tax_percent, valid_until,
       remark, package, removed, adjusted, added, discount, total, tax, per_square, cost, uncosted, margin,
       below, below_lines, allowed_rounding, allowed_given)
     SELECT $1, $3, o.quotation_id, o.number + 1, o.package_id, o.area, o.tax_percent, o.valid_until, o.remark,
       o.package, o.removed, o.adjusted, o.added, o.discount, o.total, o.tax, o.per_square, o.cost, o.uncosted,
       o.margin, o.below, o.below_lines, o.allowed_rounding, o.allowed_given
     FROM quotation_versions o
     WHERE o.tenant_id = $1 AND o.id = $2`,
    [tenant, one.version_id, id],
  )
  await copyContent(tx, tenant, one.version_id, id)
  await moveQuotation(tx, call, one, { status: draft, number: one.number + 1 })
}

export async function reviseQuotation(tx: Tx, call: Call, body: One): Promise<void> {
  const one = await lockSeen(tx, call, body, 'revise')
  await nextVersion(tx, call, one)
  await call.log(tx, {
    action: '修改为新版本',
    object: 'quotation',
    objectId: one.id,
    before: { number: one.number, status: one.status },
    after: { code: one.code, number: one.number + 1, status: draft },
  })
}

export async function voidQuotation(
  tx: Tx,
  call: Call,
  body: BodyOf<(typeof quotationsApi)['void']>,
): Promise<void> {
  const one = await lockSeen(tx, call, body, 'void')
  await moveQuotation(tx, call, one, { status: quotationStatus.code.void, voidReason: body.reason })
  await call.log(tx, {
    action: '作废报价单',
    object: 'quotation',
    objectId: one.id,
    before: { status: one.status },
    after: { code: one.code, status: quotationStatus.code.void, reason: body.reason },
  })
}

/** What a version says, in short: any change of it changes this. */
export async function hashOfVersion(tx: Tx, tenant: string, one: ShownQuotation): Promise<string> {
  const { status: _, version: _v, changedAt: _c, expired: _e, number: _n, ...head } = one
  const facts = [head.version_id, head.package_id, head.area, head.taxPercent, head.validUntil, head.total]
  const content = await contentOf(tx, tenant, one.version_id)
  return createHash('sha256')
    .update(JSON.stringify([facts, content]))
    .digest('hex')
}

/** A contract is made of it: until that is void nothing else is. */
export async function contractQuotation(
  tx: Tx,
  call: Call,
  { version, contract_id, ...of }: One & { contract_id: string },
): Promise<ShownQuotation> {
  const one = await lockSeen(tx, call, { ...of, version }, 'contract')
  await moveQuotation(tx, call, one, { status: quotationStatus.code.contracted, contract_id })
  await call.log(tx, {
    action: '生成合同',
    object: 'quotation',
    objectId: one.id,
    before: { status: one.status },
    after: { code: one.code, number: one.number, status: quotationStatus.code.contracted },
  })
  return one
}
/** Its contract is void: another can be made of it. */
export async function releaseQuotation(tx: Tx, call: Call, id: string): Promise<void> {
  const one = found(await lockQuotation(tx, call.user.scope, id))
  await moveQuotation(tx, call, one, {
    status: one.status === quotationStatus.code.contracted ? quotationStatus.code.approved : one.status,
    contract_id: null,
    signed: false,
  })
  await call.log(tx, {
    action: '合同作废，报价单可再生成合同',
    object: 'quotation',
    objectId: one.id,
    before: { status: one.status },
    after: { code: one.code, number: one.number, status: quotationStatus.code.approved },
  })
}

/** Its contract is signed: what changes from now on is a change of the contract. */
export async function signQuotation(tx: Tx, call: Call, id: string): Promise<void> {
  const one = found(await lockQuotation(tx, call.user.scope, id))
  const { draft, waiting, contracted } = quotationStatus.code
  if (one.status === draft || one.status === waiting)
    refuse(`报价单 ${one.code} 正在修改（第 ${one.number} 版还没有审核通过），审核通过后再签约`)
  await moveQuotation(tx, call, one, { status: contracted, signed: true })
}
