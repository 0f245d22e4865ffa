import { noticeGiven } from '@zhuguan/contract/features/consents/notices.record.ts'
import type { contractsApi } from '@zhuguan/contract/features/contracts/contracts.api.ts'
import { signingProgress } from '@zhuguan/contract/features/contracts/contracts.record.ts'
import { attribute } from '@zhuguan/contract/features/quotations/quotations.sum.ts'
import type { BodyOf } from '@zhuguan/contract/kit/api.ts'
import { grouped } from '@zhuguan/contract/kit/digits.ts'
import { compare } from '@zhuguan/contract/kit/money.ts'

import type { Tx } from '../../database/connect.ts'
import { found, invalid, refuse } from '../../kit/refuse.ts'
import type { Call } from '../../kit/serve.ts'
import { shanghaiDay } from '../../kit/shanghai.ts'
import { customerOf } from '../customers/customers.reads.ts'
import { ownCustomer } from '../customers/customers.service.ts'
import { openHandover } from '../handovers/handover-opening.service.ts'
import { openPieces } from '../pieces/pieces.service.ts'
import { signQuotation } from '../quotations/quotations.service.ts'
import { adoptSite } from '../sites/adopt-site.service.ts'
import { keepNotice } from '../sites/site-owner.service.ts'
import { ownerByPhone, siteInReach } from '../sites/sites.reads.ts'
import { insertSites } from '../sites/sites.service.ts'
import type { LockedContract } from './contracts.queries.ts'
import { earliestOf, keepFiles, lockSeen, planOf, tellContract, writePlan } from './contracts.service.ts'
import { isGoods } from './goods.ts'
import { type Quoted, type QuotedLine, signableVersion } from './quoted.ts'

const { signed } = signingProgress.code
/** What a site can say of its area. */
const LARGEST = '9999999.99'

/** Every counting line of what was signed, with its frozen price and cost; what is to be ordered is fixed by it. */
async function keepItems(
  tx: Tx,
  call: Call,
  c: LockedContract,
  lines: readonly QuotedLine[],
  site: { id: string; bc_id: string },
): Promise<number> {
  const rows = lines
    .filter((line) => line.counts)
    .map((line, i) => {
      // What is left out of the package brings nothing: there is nothing of it to change or to order.
      const isOut = line.attribute === attribute.code.removed
      const left = isOut ? '0' : line.priced
      return { ...line, key: call.newId(), sort: i + 1, left, orderedLeft: isOut ? '0' : line.ordered }
    })
  await tx.run(
    'contracts.baseline',
    `INSERT INTO contract_items (tenant_id, id, contract_id, line_id, sort, attribute, contract_attribute, room,
       product_id, code, name, detail, unit, kind, stage, receiver, receiver_name, pack, quantity, left_over, ordered,
       ordered_left, price, package_price, removal_price, cost, amount, remark)
     SELECT $1, x.key, $2, x.id, x.sort, x.attribute, x."contractAttribute", x.room, x.product_id, x.code, x.name,
       x.detail, x.unit, x.kind, x.stage, x.receiver_id, x."receiverName", x.pack, x.priced, x."left", x.ordered,
       x."orderedLeft", x.price, x."packagePrice", x."removalPrice", x.cost, x.amount, x.remark
     FROM json_to_recordset($3::json) AS x(key uuid, id uuid, sort int, attribute smallint,
       "contractAttribute" smallint, room text, product_id uuid, code text, name text, detail text, unit text,
       kind text, stage text, receiver_id uuid, "receiverName" text, pack numeric, priced numeric, "left" numeric,
       ordered numeric, "orderedLeft" numeric, price numeric, "packagePrice" numeric, "removalPrice" numeric,
       cost numeric, amount numeric, remark text)`,
    [call.user.tenant, c.id, JSON.stringify(rows)],
  )
  await openPieces(
    tx,
    call,
    { bc: site.bc_id, site: site.id, store: c.store_id, contract: c.id },
    rows.filter((r) => isGoods(r.kind)).map((r) => ({ id: r.key, quantity: r.orderedLeft })),
  )
  return rows.length
}

type Signing = BodyOf<(typeof contractsApi)['sign']>
/** A site that has not begun, with its stages and its owner: the same telephone in the branch is the same owner. */
async function openSite(tx: Tx, call: Call, c: LockedContract, of: Quoted, body: Signing) {
  const { scope, tenant } = call.user
  const customer = found(await customerOf(tx, scope, c.customer_id))
  const { name, phone } = customer
  if (body.site_id)
    return adoptSite(tx, call, { id: body.site_id, bc_id: c.bc_id, name, phone, contract: c.code })
  const { ws_name, address, plannedStart, plannedFinish } = body
  if (ws_name.length < 2) throw invalid('ws_name', '工地名称至少 2 个字')
  if (address.length < 2) throw invalid('address', '请填写地址')
  const known = await ownerByPhone(tx, tenant, c.bc_id, customer.phone)
  const owner = { name: customer.name, phone: customer.phone }
  const [site] = await insertSites(tx, call, [
    {
      ws_name,
      address,
      plannedStart,
      plannedFinish,
      bc_id: c.bc_id,
      contract: c.code,
      store_id: c.store_id,
      community: customer.community,
      area: compare(of.area, LARGEST) > 0 ? null : of.area,
      layout: '',
      style: '',
      ...(known ? { owner_id: known.id } : { owner }),
    },
  ])
  return site!
}

/** Signed: what was sold is kept, the owner and the site are there, in one transaction or not at all. */
export async function signContract(
  tx: Tx,
  call: Call,
  body: Signing,
): Promise<{ site_id: string; siteCode: string }> {
  const { nickname, tenant } = call.user
  if (body.site_id) found(await siteInReach(tx, call.user.scope, body.site_id))
  const c = await lockSeen(tx, call, body, 'sign', body.files)
  if (body.signedOn > shanghaiDay(call.now())) throw invalid('signedOn', '签约日期不能晚于今天')
  if (body.signedOn < earliestOf(c)) throw invalid('signedOn', `签约日期不能早于 ${earliestOf(c)}`)
  if (body.plannedStart && body.plannedFinish && body.plannedFinish < body.plannedStart)
    throw invalid('plannedFinish', '计划完工不能早于计划开工')
  const of = await signableVersion(tx, call, c.quotation_id)
  const { total } = of.bridge
  if (compare(c.paid, total) > 0)
    refuse(`已收 ${grouped(c.paid)} 元，超过签约版本的总价 ${grouped(total)} 元，请先退定`)
  const site = await openSite(tx, call, c, of, body)
  const notice = noticeGiven('signing', body.told)
  if (notice) await keepNotice(tx, call, site.id, notice)
  await signQuotation(tx, call, c.quotation_id)
  await ownCustomer(tx, call, c.customer_id, site.id)
  const items = await keepItems(tx, call, c, of.lines, { id: site.id, bc_id: c.bc_id })
  await tx.run(
    'contracts.sign',
    `UPDATE contracts c
     SET signing_progress = ${signed}, signed_version = $3, base = $4, bridge = $5, package_name = $6, area = $7,
       tax_percent = $8, signer = $9, signed_on = $10, signed_by = $11, site_id = $12, notice = $13,
       owner_id = (SELECT w.owner_id FROM sites w WHERE w.tenant_id = $1 AND w.id = $12), version = c.version + 1
     WHERE c.tenant_id = $1 AND c.id = $2`,
    [
      tenant,
      c.id,
      of.id,
      total,
      JSON.stringify(of.bridge),
      of.packageName,
      of.area,
      of.taxPercent,
      body.signer,
      body.signedOn,
      nickname,
      site.id,
      notice,
    ],
  )
  await writePlan(tx, call, { id: c.id, base: total }, await planOf(tx, tenant, c.id))
  await keepFiles(tx, call, c, 'signed', body.files)
  await openHandover(tx, call, { site: site.id, customer: c.customer_id, version: of.id })
  await call.log(tx, {
    action: '签约',
    object: 'contract',
    objectId: c.id,
    before: { signingProgress: c.signingProgress, total: c.total },
    after: {
      code: c.code,
      signingProgress: signed,
      total,
      number: of.number,
      items,
      signer: body.signer,
      signedOn: body.signedOn,
      notice,
      site_id: site.id,
    },
  })
  tellContract(tx, call, { ...c, site_id: site.id }, `签约 ${c.code}`)
  return { site_id: site.id, siteCode: site.code }
}
