import { changeStatus } from '@zhuguan/contract/features/contracts/changes.record.ts'
import type { ContractDetail } from '@zhuguan/contract/features/contracts/contracts.record.ts'

import type { Scope, Tx } from '../../database/connect.ts'
import { dealAddress } from '../../kit/home-address.ts'
import { phoneText } from '../../kit/masked.ts'
import { row, text } from '../../kit/row.ts'
import { scopedStores } from '../../kit/scoped.ts'
import { epoch, listOf, plain, TODAY } from '../../kit/statement.ts'
import { MOVING_PIECES } from '../pieces/pieces.reads.ts'
import {
  columnsFor,
  CONTRACT_JOINS,
  DUE,
  GOODS_COST,
  FINISHED,
  WARRANTY_OPEN,
  IN_PLAN,
  OTHER_COST,
  PAY_DAYS,
  SCHEDULE,
  UNCOSTED,
  UNTAXED,
} from './contracts.queries.ts'

const items = (costs: boolean) =>
  listOf(
    `'id', i.id, 'line_id', i.line_id, 'change_id', i.change_id, 'changeCode', coalesce(h.code, ''),
         'attribute', i.attribute, 'contractAttribute', i.contract_attribute, 'room', i.room,
         'product_id', i.product_id, 'code', i.code, 'name', i.name, 'detail', i.detail, 'unit', i.unit, 'kind', i.kind,
         'stage', i.stage, 'receiverName', i.receiver_name, 'quantity', ${plain('i.quantity')},
         'left', ${plain('i.left_over')}, 'ordered', ${plain('i.ordered')}, 'orderedLeft', ${plain('i.ordered_left')},
         'price', ${plain('i.price')}, 'packagePrice', ${plain('i.package_price')},
         'removalPrice', ${plain('i.removal_price')},
         'cost', ${costs ? plain('i.cost') : 'NULL'}, 'amount', i.amount::text, 'remark', i.remark`,
    `contract_items i
         LEFT JOIN contract_changes h ON h.tenant_id = $1 AND h.id = i.change_id
         WHERE i.tenant_id = $1 AND i.contract_id = c.id`,
    'i.attribute, i.sort, i.id',
  )
const RECEIPTS = listOf(
  `'id', r.id, 'code', r.code, 'kind', r.kind, 'amount', r.amount::text, 'method', r.method,
         'paidOn', r.paid_on::text, 'payer', r.payer, 'remark', r.remark, 'by', r.user_name, 'at', ${epoch('r.at')}`,
  'contract_receipts r WHERE r.tenant_id = $1 AND r.contract_id = c.id',
  'r.paid_on, r.at, r.code',
)
const REFUNDS = listOf(
  `'id', f.id, 'code', f.code, 'kind', f.kind, 'amount', f.amount::text, 'kept', f.kept::text,
         'keptReason', f.kept_reason, 'method', f.method, 'payee', f.payee, 'reason', f.reason,
         'toCode', coalesce(o.code, ''), 'status', f.status, 'by_id', f.user_id, 'by', f.user_name,
         'at', ${epoch('f.at')}, 'judged', f.judged, 'version', f.version`,
  `contract_refunds f
         LEFT JOIN contracts o ON o.tenant_id = $1 AND o.id = f.to_id
         WHERE f.tenant_id = $1 AND f.contract_id = c.id`,
  'f.at, f.code',
)
const INSTALMENTS = listOf(
  `'id', x.id, 'name', x.name, 'stage', x.stage, 'percent', ${plain('x.percent')}, 'change_id', x.change_id,
         'amount', x.amount::text, 'dueOn', x.due::text, 'lastDay', (x.due + x.days)::text,
         'covered', x.covered::text, 'warranty', x.warranty,
         'overdue', c.state IN (${IN_PLAN}) AND coalesce(x.due + x.days < ${TODAY}, false)
           AND x.covered < x.amount`,
  `${SCHEDULE} x`,
  'x.sort, x.id',
)
const LINES = listOf(
  `'id', l.id, 'attribute', l.attribute, 'contractAttribute', l.contract_attribute, 'item_id', l.item_id,
         'itemName', coalesce(i.name, ''), 'product_id', l.product_id, 'code', l.code, 'name', l.name,
         'detail', l.detail, 'unit', l.unit, 'kind', l.kind, 'stage', l.stage, 'quantity', ${plain('l.quantity')},
         'waste', ${plain('l.waste')}, 'priced', ${plain('l.priced')}, 'price', ${plain('l.price')},
         'before', ${plain('l.before')}, 'listPrice', ${plain('l.list_price')},
         'amount', l.amount::text, 'remark', l.remark`,
  `contract_change_lines l
           LEFT JOIN contract_items i ON i.tenant_id = $1 AND i.id = l.item_id
           WHERE l.tenant_id = $1 AND l.change_id = h.id`,
  'l.sort, l.id',
)
const CHANGES = listOf(
  `'id', h.id, 'code', h.code, 'status', h.status, 'reason', h.reason, 'amount', h.amount::text, 'by_id', h.user_id,
         'by', h.user_name, 'at', ${epoch('h.at')}, 'judged', h.judged, 'judgedAt', ${epoch('h.judged_at')},
         'lines', ${LINES}, 'version', h.version`,
  `contract_changes h
         WHERE h.tenant_id = $1 AND h.contract_id = c.id AND h.status <> ${changeStatus.code.dropped}`,
  'h.at, h.code',
)
const FILES = listOf(
  `'id', k.id, 'key', k.key, 'name', k.name, 'kind', k.kind, 'by', k.user_name, 'at', ${epoch('k.at')}`,
  'contract_files k WHERE k.tenant_id = $1 AND k.contract_id = c.id',
  'k.at, k.id',
)
const SETTLEMENT = `CASE WHEN c.end_at IS NULL THEN NULL ELSE json_build_object('reason', c.end_reason, 'by', c.end_by,
         'at', ${epoch('c.end_at')}, 'value', c.end_value::text, 'balance', (c.end_value - c.paid)::text,
         'devices', (SELECT count(*)::int FROM retrievals v
           WHERE v.tenant_id = $1 AND v.site_id = c.site_id AND v.closed_at IS NULL),
         'pieces', ${MOVING_PIECES}, 'closedAt', ${epoch('c.closed_at')}) END`

const BILL = `CASE WHEN c.state NOT IN (${FINISHED}) THEN NULL ELSE json_build_object(
         'finishedOn', c.finished_on::text, 'warranty', c.warranty::text, 'warrantyOn', c.warranty_on::text,
         'balance', (c.total - c.paid - coalesce(${WARRANTY_OPEN}, 0.00))::text,
         'billedAt', ${epoch('c.billed_at')}, 'billedBy', c.billed_by, 'remark', c.bill_remark, 'signer', c.bill_signer,
         'ours', c.bill_ours, 'signedOn', c.bill_signed_on::text, 'closedAt', ${epoch('c.closed_at')}) END`
const REALISED = `CASE WHEN c.signed_on IS NULL THEN NULL ELSE json_build_object('goods', ${GOODS_COST}::text,
         'others', ${OTHER_COST}::text, 'uncosted', ${UNCOSTED}, 'untaxed', ${UNTAXED}::text,
         'waiting', (SELECT count(DISTINCT p.item_id)::int FROM pieces p
           WHERE p.tenant_id = $1 AND p.contract_id = c.id
             AND p.place NOT IN ('accepted', 'back', 'dropped'))) END`

/** Whose name the contract bears stays in it, where it stands nowhere else any more. */
const kept = (what: 'name' | 'phone') => `CASE WHEN c.kept_name <> '' THEN c.kept_${what} ELSE u.${what} END`

/** All of a contract, formed in one statement; costs only for who may read them. */
export async function contractDetail(
  tx: Tx,
  scope: Scope,
  id: string,
  costs: boolean,
): Promise<ContractDetail | undefined> {
  const where = scopedStores(scope, 'c').add((p) => `c.id = ${p}::uuid`, id)
  const of = { bc: 'c.bc_id', site: 'c.site_id', store: 'c.store_id', signed: 'c.site_id IS NOT NULL' }
  const address = dealAddress(where, scope, 'u.address', of)
  const { rows } = await tx.last(
    'contracts.detail',
    row({ json: text }),
    `SELECT row_to_json(d)::text AS json
     FROM (SELECT ${columnsFor(costs, kept('name'))}, q.code AS "quotationCode",
         ${phoneText(kept('phone'), false)} AS phone, u.community, ${address} AS address,
         c.signer, c.signed_by AS "signedBy", c.notice, dv.number AS "depositNumber", sv.number AS "signedNumber",
         ${DUE}::text AS due, ${PAY_DAYS} AS "payDays", ${plain('c.tax_percent')} AS "taxPercent",
         round(c.total * c.tax_percent / (100 + c.tax_percent), 2)::text AS tax, c.bridge,
         ${items(costs)} AS items, ${RECEIPTS} AS receipts, ${REFUNDS} AS refunds, ${INSTALMENTS} AS instalments,
         ${CHANGES} AS "changeList", ${FILES} AS files, ${SETTLEMENT} AS settlement,
         ${BILL} AS bill, ${costs ? REALISED : 'NULL::json'} AS realised, c.void_reason AS "voidReason"
       FROM contracts c ${CONTRACT_JOINS}
       JOIN quotations q ON q.tenant_id = $1 AND q.id = c.quotation_id
       LEFT JOIN quotation_versions dv ON dv.tenant_id = $1 AND dv.id = c.deposit_version
       LEFT JOIN quotation_versions sv ON sv.tenant_id = $1 AND sv.id = c.signed_version
       WHERE ${where.text}) d`,
    where.values,
  )
  return rows[0] && (JSON.parse(rows[0].json) as ContractDetail)
}
