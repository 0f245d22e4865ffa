import type { QuotationLine } from '@zhuguan/contract/features/quotations/quotations.record.ts'
import type { Bridge } from '@zhuguan/contract/features/quotations/quotations.sum.ts'

import type { Tx } from '../../database/connect.ts'
import { found, refuse, Refused } from '../../kit/refuse.ts'
import type { Call } from '../../kit/serve.ts'
import { shanghaiDay } from '../../kit/shanghai.ts'
import { type FrozenVersion, latestApproved } from '../quotations/quotations.reads.ts'
import { contractQuotation } from '../quotations/quotations.service.ts'

export type QuotedLine = Omit<QuotationLine, 'sold'> & { room: string }
/** The part of a quotation's version that a contract takes. */
export interface Quoted {
  id: string
  code: string
  number: number
  bc_id: string
  store_id: string | null
  customer_id: string
  packageName: string
  area: string
  taxPercent: string
  validUntil: string
  bridge: Bridge
  lines: QuotedLine[]
}
function quotedOf({ quotation: q, content }: FrozenVersion): Quoted {
  const rooms = new Map(content.rooms.map((r) => [r.id, r.name]))
  const { code, bc_id, store_id, customer_id, packageName, area, taxPercent, validUntil } = q
  return {
    code,
    bc_id,
    store_id,
    customer_id,
    packageName,
    area,
    taxPercent,
    validUntil,
    id: q.version_id,
    number: q.shown,
    bridge: {
      package: q.package,
      removed: q.removed,
      adjusted: q.adjusted,
      added: q.added,
      discount: q.discount,
      total: q.total,
    },
    lines: content.lines.map((line) => ({
      ...line,
      room: rooms.get(line.room_id ?? '') ?? '',
    })),
  }
}

/** The newest version of a quotation in reach that was approved. */
export async function newestVersion(tx: Tx, call: Call, quotation: string): Promise<Quoted> {
  const version = await latestApproved(tx, call.user.scope, quotation)
  if (!version) throw new Refused('报价单没有审核通过的版本')
  return quotedOf(version)
}
/** The same, while it is good. */
export async function signableVersion(tx: Tx, call: Call, quotation: string): Promise<Quoted> {
  const version = await newestVersion(tx, call, quotation)
  const isLate = version.validUntil < shanghaiDay(call.now())
  refuse(isLate ? `报价单 ${version.code} 的有效期到 ${version.validUntil}，已经过期，不能签约` : undefined)
  return version
}

/** A contract is made of an approved quotation that is still good; nothing else is made of it meanwhile. */
export async function contractFrom(
  tx: Tx,
  call: Call,
  of: { id: string; version: number; contract_id: string },
): Promise<Quoted> {
  const { id } = found(await contractQuotation(tx, call, of))
  return newestVersion(tx, call, id)
}
