import { examineState } from '@zhuguan/contract/features/examine/examine.record.ts'
import type { quotationsApi } from '@zhuguan/contract/features/quotations/quotations.api.ts'
import {
  type Compared,
  comparisonText,
  compareVersions,
} from '@zhuguan/contract/features/quotations/quotations.compare.ts'
import { beyondPackage } from '@zhuguan/contract/features/quotations/quotations.content.ts'
import {
  contractAttribute,
  quotationStatus,
} from '@zhuguan/contract/features/quotations/quotations.record.ts'
import { attribute } from '@zhuguan/contract/features/quotations/quotations.sum.ts'
import type { BodyOf } from '@zhuguan/contract/kit/api.ts'
import { compare, isZero } from '@zhuguan/contract/kit/money.ts'

import type { Tx } from '../../database/connect.ts'
import type { ExamineSource } from '../../kit/examined.ts'
import { found, refuse } from '../../kit/refuse.ts'
import type { Call } from '../../kit/serve.ts'
import { askExamine, withdrawExamine } from '../examine/examine.service.ts'
import { endedBecause } from '../packages/packages.reads.ts'
import { type Content, contentOf } from './content.queries.ts'
import { allowedOf, belowText, refuseGiving } from './giving.service.ts'
import { priced, type Priced } from './pricing.service.ts'
import { lockQuotation, quotationAt, type ShownQuotation } from './quotations.queries.ts'
import {
  contentAgain,
  hashOfVersion,
  lockSeen,
  moveQuotation,
  nextVersion,
  writeVersion,
  writingOf,
} from './quotations.service.ts'

type One = BodyOf<(typeof quotationsApi)['submit']>
const status = quotationStatus.code

const comparedOf = (one: ShownQuotation, { rooms, lines }: Content): Compared => {
  const names = new Map(rooms.map((r) => [r.id, r.name]))
  return {
    sum: one,
    lines: lines.map((line) => ({ ...line, room: names.get(line.room_id ?? '') ?? '全屋' })),
  }
}

/** What may not be sold as it stands. */
function refuseUnsold(
  one: ShownQuotation,
  { content, fixed, sum, package: sold }: Priced,
  today: string,
): void {
  if (content.lines.length === 0 && !sold) refuse('报价单里还没有内容，不能提交')
  if (sold && isZero(one.area)) refuse('按套餐报价要先填写面积')
  const ended = sold ? endedBecause(sold, today) : ''
  if (ended) refuse(`套餐“${sold!.name}”${ended}，请换一个套餐再提交`)
  const unsold = fixed.findIndex((line, i) => !line.sold && content.lines[i]!.counts)
  if (unsold >= 0) refuse(`第 ${unsold + 1} 行“${fixed[unsold]!.name}”已下架或没有定价，请换一个商品再提交`)
  const blind = content.lines.findIndex(
    (line) => line.attribute === attribute.code.adjusted && line.packagePrice === null,
  )
  if (blind >= 0) refuse(`第 ${blind + 1} 行要调整的套餐商品没有定价，算不出差价`)
  if (compare(sum.total, '0') < 0) refuse(`总价 ${sum.total} 小于 0，请检查减项和优惠`)
}
/** The points that an examiner should look at first, in words. */
function noticesOf({ content, items, sum }: Priced): string[] {
  const counted = content.lines.filter((line) => line.counts)
  const many: [number, string, string][] = [
    [counted.filter((l) => l.contractAttribute === contractAttribute.code.special).length, '非标项', '行'],
    [content.discounts.length, '优惠', '笔'],
  ]
  return [
    ...(sum.belowLines > 0 ? [belowText(sum.belowLines, sum.below)] : []),
    ...many.filter(([n]) => n > 0).map(([n, what, unit]) => `${what} ${n} ${unit}`),
    ...beyondText(content, items),
  ]
}
const MOST_NAMED = 3
/** The lines that take more than the package gives, by name in their room. */
function beyondText(content: Priced['content'], items: Priced['items']): string[] {
  const beyond = beyondPackage(content.lines, items, content.rooms)
  if (beyond.length === 0) return []
  const rooms = new Map(content.rooms.map((r) => [r.id, r.name]))
  const names = beyond.slice(0, MOST_NAMED).map(({ item_id, room_id, gives, holds }) => {
    const line = content.lines.find((l) => l.item_id === item_id && l.room_id === room_id)!
    return `${rooms.get(room_id ?? '') ?? '全屋'} ${line.name} ${holds}（套餐 ${gives}）`
  })
  return [`超出套餐用量：${names.join('、')}${beyond.length > MOST_NAMED ? ` 等 ${beyond.length} 行` : ''}`]
}
/** Freezes the draft as it is worked out today, and puts it into the examine centre's queue. */
export async function submitQuotation(tx: Tx, call: Call, body: One): Promise<void> {
  const before = await lockSeen(tx, call, body, 'submit')
  const { tenant, scope, id: me, nickname } = call.user
  const kept = await contentOf(tx, tenant, before.version_id)
  const writing = writingOf(call, before, kept.lines, before.package_id)
  const content = contentAgain(before, kept)
  const worked = await priced(tx, { ...writing, costs: false }, content)
  refuseUnsold(before, worked, writing.today)
  const version = { id: before.version_id, quotation: before.id, number: before.number }
  const allowed = await refuseGiving(tx, call, before, worked, allowedOf(before))
  await writeVersion(tx, call, version, content, worked, allowed)
  await tx.run(
    'quotations.submit',
    `UPDATE quotation_versions
     SET submitted_at = :now, submitted_id = $3, submitted_by = $4, examine_state = ${examineState.code.waiting}
     WHERE tenant_id = $1 AND id = $2`,
    [tenant, before.version_id, me, nickname],
  )
  await moveQuotation(tx, call, before, { status: status.waiting })
  const one = found(await quotationAt(tx, scope, { id: before.id }))
  const last = await quotationAt(tx, scope, { id: before.id, number: before.number - 1 })
  const change = last
    ? comparisonText(
        compareVersions(
          comparedOf(last, await contentOf(tx, tenant, last.version_id)),
          comparedOf(one, worked.content),
        ),
      )
    : ''
  await askExamine(tx, call, {
    kind: 'quotation',
    object_id: one.id,
    version_id: one.version_id,
    bc_id: one.bc_id,
    store_id: one.store_id,
    number: one.code,
    // What must be looked at stands first: a narrow list cuts the rest.
    summary: [
      ...noticesOf(worked),
      `${one.customerName} ${one.community}`.trim(),
      `${one.area}㎡`,
      one.packageName,
    ]
      .filter((part) => part !== '')
      .join(' · '),
    amount: one.total,
    change,
    hash: await hashOfVersion(tx, tenant, one),
  })
  await call.log(tx, {
    action: '提交报价单',
    object: 'quotation',
    objectId: one.id,
    before: { status: before.status, total: before.total },
    after: { code: one.code, number: one.number, total: one.total, status: status.waiting },
  })
}

/** Back to a draft: what was submitted stays readable, its successor is written. */
export async function withdrawQuotation(tx: Tx, call: Call, body: One): Promise<void> {
  const one = await lockSeen(tx, call, body, 'withdraw')
  await withdrawExamine(tx, call, { kind: 'quotation', object_id: one.id })
  await tx.run(
    'quotations.withdraw',
    'UPDATE quotation_versions SET withdrawn = true, examine_state = NULL WHERE tenant_id = $1 AND id = $2',
    [call.user.tenant, one.version_id],
  )
  await nextVersion(tx, call, one)
  await call.log(tx, {
    action: '撤回报价单',
    object: 'quotation',
    objectId: one.id,
    before: { number: one.number, status: one.status },
    after: { code: one.code, number: one.number + 1, status: status.draft },
  })
}

/** The facts that the examine centre asks of a quotation (docs/states.md). */
export const quotationsSource: ExamineSource = {
  async hashOf(tx, call, request) {
    const one = found(await lockQuotation(tx, call.user.scope, request.object_id))
    return hashOfVersion(tx, call.user.tenant, one)
  },
  async judged(tx, call, request, { approved, reason }) {
    const one = found(await lockQuotation(tx, call.user.scope, request.object_id))
    const { code } = examineState
    await tx.run(
      'quotations.judged',
      `UPDATE quotation_versions
       SET examine_state = $3, judged_at = :now, judged_by = $4, reason = $5
       WHERE tenant_id = $1 AND id = $2`,
      [
        call.user.tenant,
        one.version_id,
        approved ? code.approved : code.rejected,
        call.user.nickname,
        reason,
      ],
    )
    const good = one.contract_id === null ? status.approved : status.contracted
    await moveQuotation(tx, call, one, { status: approved ? good : status.rejected })
  },
}
