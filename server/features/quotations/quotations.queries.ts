import { examineState } from '@zhuguan/contract/features/examine/examine.record.ts'
import type { quotationsApi } from '@zhuguan/contract/features/quotations/quotations.api.ts'
import {
  type QuotationRow,
  type QuotationSum,
  quotationStatus,
  type QuotationVersion,
} from '@zhuguan/contract/features/quotations/quotations.record.ts'
import type { QueryOf } from '@zhuguan/contract/kit/api.ts'

import type { Scope, Tx } from '../../database/connect.ts'
import { dealAddress } from '../../kit/home-address.ts'
import { bool, float8, int2, int4, row, type RowOf, text, uuid } from '../../kit/row.ts'
import { scopedStores } from '../../kit/scoped.ts'
import { contains, dayBegins, epoch, type PageOf, TODAY } from '../../kit/statement.ts'

export type QuotationFilters = QueryOf<(typeof quotationsApi)['list']>
const { draft, waiting, approved } = quotationStatus.code

/** A quotation beside one of its versions `v` and its customer. */
const columns = (
  costs: boolean,
) => `q.id, q.code, q.bc_id, c.bc_name, q.store_id, coalesce(s.name, '') AS "storeName",
       q.customer_id, k.name AS "customerName", k.community, trim_scale(v.area)::text AS area,
       coalesce(p.name, '') AS "packageName", v.total::text,
       ${costs ? 'v.margin::text' : 'NULL::text'} AS margin, v.below::text AS below,
       v.below_lines AS "belowLines", q.status, q.number, v.valid_until::text AS "validUntil",
       q.status IN (${draft}, ${waiting}, ${approved}) AND v.valid_until < ${TODAY} AS expired, q.quoter_id,
       u.nickname AS "quoterName", ${epoch('q.changed_at')} AS "changedAt", q.contract_id, q.signed, q.version`
const JOINS = `JOIN companies c ON c.tenant_id = $1 AND c.bc_id = q.bc_id
     JOIN users u ON u.tenant_id = $1 AND u.id = q.quoter_id
     LEFT JOIN stores s ON s.tenant_id = $1 AND s.id = q.store_id
     LEFT JOIN packages p ON p.tenant_id = $1 AND p.id = v.package_id`
const VERSION = `JOIN quotation_versions v ON v.tenant_id = $1 AND v.quotation_id = q.id`
const CUSTOMER = 'JOIN customers k ON k.tenant_id = $1 AND k.id = q.customer_id'

export function quotationPage(scope: Scope, costs: boolean, q: QuotationFilters): PageOf {
  const where = scopedStores(scope, 'q')
    .when(
      q.keyword || undefined,
      (p) => `(q.code ILIKE ${p} OR k.name ILIKE ${p} OR k.community ILIKE ${p})`,
      contains,
    )
    .when(q.status, (p) => `q.status = ANY(${p}::smallint[])`)
    .when(q.bc_id, (p) => `q.bc_id = ${p}::uuid`)
    .when(q.quoter_id, (p) => `q.quoter_id = ${p}::uuid`)
    .when(q.package_id, (p) => `v.package_id = ${p}::uuid`)
    .when(q.from, (p) => `q.changed_at >= ${dayBegins(p)}`)
    .when(q.to, (p) => `q.changed_at < ${dayBegins(p)} + interval '1 day'`)
  return {
    name: 'quotations.page',
    base: `quotations q ${VERSION} AND v.number = q.number ${CUSTOMER}`,
    alias: 'q',
    columns: columns(costs),
    joins: `${VERSION} AND v.number = q.number ${CUSTOMER} ${JOINS}`,
    where,
    sort: q.sort,
    otherwise: 'q.changed_at DESC',
    tie: 'q.id ASC',
    sortable: { code: 'q.code', changedAt: 'q.changed_at', total: 'v.total', validUntil: 'v.valid_until' },
    filled: ['code', 'changedAt', 'total', 'validUntil'],
    pageNo: q.pageNo,
    pageSize: q.pageSize,
  }
}

const head = {
  id: uuid,
  code: text,
  bc_id: uuid,
  bc_name: text,
  store_id: uuid.null,
  storeName: text,
  customer_id: uuid,
  customerName: text,
  community: text,
  area: text,
  packageName: text,
  total: text,
  margin: text.null,
  below: text,
  belowLines: int4,
  status: int2.of(quotationStatus),
  number: int4,
  validUntil: text,
  expired: bool,
  quoter_id: uuid,
  quoterName: text,
  changedAt: float8,
  signed: bool,
  version: int4,
  phone: text,
  address: text,
  consultantName: text,
  contract_id: uuid.null,
  voidReason: text,
  version_id: uuid,
  shown: int4,
  frozen: bool,
  package_id: uuid.null,
  taxPercent: text,
  remark: text,
} as const
const summed = {
  package: text,
  removed: text,
  adjusted: text,
  added: text,
  discount: text,
  tax: text,
  perSquareMetre: text.null,
  cost: text,
  uncosted: int4,
  allowedRounding: text,
  allowedGiven: text,
} as const
const shown = row<
  QuotationRow &
    Omit<QuotationSum, 'total' | 'margin' | 'cost' | 'uncosted'> & {
      cost: string
      uncosted: number
      allowedRounding: string
      allowedGiven: string
      phone: string
      address: string
      consultantName: string
      voidReason: string
      version_id: string
      shown: number
      frozen: boolean
      package_id: string | null
      taxPercent: string
      remark: string
    }
>({ ...head, ...summed })
export type ShownQuotation = RowOf<typeof shown>

/** A quotation in reach at one of its versions, the newest unless one is asked for. Its costs are for the server. */
export async function quotationAt(
  tx: Tx,
  scope: Scope,
  { id, number, version_id }: { id: string; number?: number | undefined; version_id?: string },
): Promise<ShownQuotation | undefined> {
  const where = scopedStores(scope, 'q').add((p) => `q.id = ${p}::uuid`, id)
  if (version_id) where.add((p) => `v.id = ${p}::uuid`, version_id)
  else where.add((p) => `v.number = coalesce(${p}::int, q.number)`, number ?? null)
  const address = dealAddress(where, scope, 'k.address', {
    bc: 'q.bc_id',
    store: 'q.store_id',
    site: `(SELECT x.site_id FROM contracts x WHERE x.tenant_id = $1 AND x.quotation_id = q.id LIMIT 1)`,
    signed: `EXISTS (SELECT FROM contracts x
      WHERE x.tenant_id = $1 AND x.quotation_id = q.id AND x.site_id IS NOT NULL)`,
  })
  const { rows } = await tx.query(
    'quotations.at',
    shown,
    `SELECT ${columns(true)}, masked_phone(k.phone) AS phone, ${address} AS address,
       coalesce(a.nickname, '') AS "consultantName", q.void_reason AS "voidReason",
       v.id AS version_id, v.number AS shown, v.submitted_at IS NOT NULL AS frozen, v.package_id,
       trim_scale(v.tax_percent)::text AS "taxPercent", v.remark, v.package::text, v.removed::text,
       v.adjusted::text, v.added::text, v.discount::text, v.tax::text, v.per_square::text AS "perSquareMetre",
       v.cost::text, v.uncosted, v.allowed_rounding::text AS "allowedRounding",
       v.allowed_given::text AS "allowedGiven"
     FROM quotations q
     ${VERSION}
     ${CUSTOMER}
     ${JOINS}
     LEFT JOIN users a ON a.tenant_id = $1 AND a.id = k.consultant_id
     WHERE ${where.text}`,
    where.values,
  )
  return rows[0]
}

export async function versionsOf(tx: Tx, tenant: string, quotation: string): Promise<QuotationVersion[]> {
  const { rows } = await tx.query(
    'quotations.versions',
    row<QuotationVersion>({
      id: uuid,
      number: int4,
      total: text,
      examineState: int2.of(examineState).null,
      withdrawn: bool,
      submittedBy: text,
      submittedAt: float8.null,
      judgedBy: text,
      judgedAt: float8.null,
      reason: text,
    }),
    `SELECT v.id, v.number, v.total::text, v.examine_state AS "examineState", v.withdrawn,
       v.submitted_by AS "submittedBy", ${epoch('v.submitted_at')} AS "submittedAt", v.judged_by AS "judgedBy",
       ${epoch('v.judged_at')} AS "judgedAt", v.reason
     FROM quotation_versions v
     WHERE v.tenant_id = $1 AND v.quotation_id = $2
     ORDER BY v.number DESC`,
    [tenant, quotation],
  )
  return rows
}

/** Locks a quotation in reach until the transaction ends: nobody writes or submits it beside. */
export async function lockQuotation(tx: Tx, scope: Scope, id: string): Promise<ShownQuotation | undefined> {
  const where = scopedStores(scope, 'q').add((p) => `q.id = ${p}::uuid`, id)
  const { rows } = await tx.query(
    'quotations.lock',
    row({ id: uuid }),
    `SELECT q.id FROM quotations q WHERE ${where.text} FOR UPDATE`,
    where.values,
  )
  return rows[0] && quotationAt(tx, scope, { id })
}

/** The quotation that a version is of. */
export async function quotationOfVersion(
  tx: Tx,
  tenant: string,
  version: string,
): Promise<string | undefined> {
  const { rows } = await tx.query(
    'quotations.ofversion',
    row({ quotation_id: uuid }),
    'SELECT v.quotation_id FROM quotation_versions v WHERE v.tenant_id = $1 AND v.id = $2',
    [tenant, version],
  )
  return rows[0]?.quotation_id
}
