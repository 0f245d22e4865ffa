import type { goodsApi } from '@zhuguan/contract/features/goods/goods.api.ts'
import { type FindingFacts, LATE_ROUND, splitTooFar } from '@zhuguan/contract/features/goods/goods.record.ts'
import { acceptanceResult } from '@zhuguan/contract/features/pieces/pieces.record.ts'
import type { BodyOf } from '@zhuguan/contract/kit/api.ts'
import { compare } from '@zhuguan/contract/kit/money.ts'
import { hasPermission } from '@zhuguan/contract/kit/permits.ts'

import type { Tx } from '../../database/connect.ts'
import { type AtParties, onParties } from '../../kit/parties.ts'
import { actorAt } from '../../kit/reach.ts'
import { found, invalid, overtaken, refuse, Refused } from '../../kit/refuse.ts'
import { row, text, uuid } from '../../kit/row.ts'
import type { Call } from '../../kit/serve.ts'
import { recheck } from '../dispatch/checking.service.ts'
import { type AtNote, lockWithOrder } from '../dispatch/dispatch.service.ts'
import { touchNote } from '../dispatch/notes.service.ts'
import {
  lockPieces,
  movePieces,
  type Piece,
  sumOf,
  takeFrom,
  tellMoves,
  tickCarried,
} from '../pieces/pieces.service.ts'
import { refuseAtHome } from './at-home.ts'
import { claimAll, closeIfDone, openChange, passChange, setChange, tellGoods } from './changing.service.ts'
import { COMPLAIN_UNTIL, partiesOf } from './goods.queries.ts'

type Body<K extends keyof typeof goodsApi> = BodyOf<(typeof goodsApi)[K]>
const { accepted, return: returned, short } = acceptanceResult.code
interface Line {
  id: string
  name: string
  unit: string
}

/** Finds a sheet in the caller's reach and works on it in the reach of both its parties, its order and note locked. */
async function onSheet<T>(
  call: Call,
  body: { id: string; version: number },
  work: (tx: Tx, at: AtParties, both: AtNote) => Promise<T>,
): Promise<T> {
  const parties = found(await call.read((tx) => partiesOf(tx, call.user.scope, 'sheet', body.id)))
  return onParties(call, parties, async (tx, at) => {
    const { tenant } = at.call.user
    refuse(parties.buyer ? undefined : '由下单方验收')
    const both = await lockWithOrder(tx, tenant, body.id, parties.order_id)
    const { n } = both
    if (n.version !== body.version) throw overtaken('张验收单', await lastJudge(tx, tenant, n.id))
    return work(tx, at, both)
  })
}
async function lastJudge(tx: Tx, tenant: string, note: string) {
  const { rows } = await tx.query(
    'goods.lastjudge',
    row({ name: text, at: text }),
    `SELECT d.checked_by AS name, coalesce(floor(extract(epoch FROM d.checked_at))::text, '0') AS at
     FROM dispatches d
     WHERE d.tenant_id = $1 AND d.id = $2`,
    [tenant, note],
  )
  return rows[0] && { name: rows[0].name, at: Number(rows[0].at) }
}
async function linesOf(tx: Tx, tenant: string, order: string): Promise<Map<string, Line>> {
  const { rows } = await tx.query(
    'goods.lines',
    row<Line>({ id: uuid, name: text, unit: text }),
    'SELECT l.id, l.name, l.unit FROM order_lines l WHERE l.tenant_id = $1 AND l.order_id = $2',
    [tenant, order],
  )
  return new Map(rows.map((l) => [l.id, l]))
}
/** What a finding must say beyond its quantity. */
function checkFinding(f: FindingFacts, name: string): void {
  if (f.result === accepted) return
  if (f.photos.length === 0) throw invalid('findings', `“${name}”不合格，请拍照片`)
  if (f.result !== returned) return
  if (f.outcome !== 'again' && f.outcome !== 'reduce' && f.outcome !== 'borne')
    throw invalid('findings', `“${name}”退货，请选择再订还是不要`)
  if (f.outcome === 'borne' && !f.outcomeReason) throw invalid('findings', `“${name}”由公司承担，请写明原因`)
}

/** The pieces that a judgement makes of a piece. */
function judged(result: 2 | 3 | 4 | 5, change: string | null): (p: Piece) => Partial<Piece> {
  if (result === accepted) return () => ({ place: 'accepted', result, change_id: null, replaced: '' })
  return (p) => ({
    place: 'change',
    result,
    replaced: '',
    change_id: change,
    round: p.round + 1,
    faulty: result === short ? p.faulty : p.faulty + 1,
  })
}

async function insertJudgement(
  tx: Tx,
  call: Call,
  note: string,
  f: FindingFacts,
  pieces: readonly Piece[],
  change: string | null,
): Promise<void> {
  const { nickname, tenant } = call.user
  await tx.run(
    'goods.judgement',
    `INSERT INTO judgements (tenant_id, id, note_id, line_id, piece_id, quantity, result, reason_code, reason, photos,
       change_id, user_name, at)
     SELECT $1, x.key, $2, x.line_id, x.id, x.quantity, $4, $5, $6, $7, $8, $9, :now
     FROM json_to_recordset($3::json) AS x(key uuid, id uuid, line_id uuid, quantity numeric)`,
    [
      tenant,
      note,
      JSON.stringify(pieces.map((p) => ({ ...p, key: call.newId() }))),
      f.result,
      f.result === accepted ? '' : f.reasonCode,
      f.reason,
      f.photos,
      change,
      nickname,
    ],
  )
}

/** A change whose replacement has been judged is solved, or goes into its next round. */
async function settleFormer(tx: Tx, call: Call, pieces: readonly Piece[], isSolved: boolean): Promise<void> {
  const { tenant } = call.user
  for (const change of new Set(pieces.flatMap((p) => p.change_id ?? [])))
    if (isSolved) await closeIfDone(tx, tenant, change)
    else await setChange(tx, tenant, change, { state: 'unsolved' })
}

export async function judgeSheet(
  call: Call,
  body: Body<'judge'>,
): Promise<{ changes: { id: string; code: string }[] }> {
  return onSheet(call, body, async (tx, at, both) => {
    const { tenant } = at.call.user
    const { n, o } = both
    if (!hasPermission(actorAt(call.user, { ...n, site_id: n.place_id }), 'accept:do'))
      throw new Refused('您没有“验收”的权限')
    for (const ofLine of Map.groupBy(body.findings, (f) => f.line_id).values()) {
      const why = splitTooFar(ofLine)
      if (why) throw invalid('findings', why)
    }
    // What arrives now was sent while it could be: it is judged, and replaced, as it would have been then.
    await refuseAtHome(tx, at.call, { order: o.id, site: o.site_id }, body.findings, { begun: true })
    const lines = await linesOf(tx, tenant, o.id)
    await claimAll(
      tx,
      at.call,
      n,
      body.findings.flatMap((f) => f.photos),
    )
    let waiting = (await lockPieces(tx, tenant, { note: n.id })).filter(
      (p) => p.note_id === n.id && p.place === 'waiting',
    )
    const changes: { id: string; code: string }[] = []
    const touched: string[] = []
    for (const f of body.findings) {
      const line = lines.get(f.line_id)
      if (!line) throw invalid('findings', '有的行不在这张验收单里')
      checkFinding(f, line.name)
      const own = waiting.filter((p) => p.line_id === line.id)
      const cut = await takeFrom(tx, at.call, own, f.quantity)
      if (!cut)
        throw new Refused(
          `“${line.name}”待验收只剩 ${sumOf(own)} ${line.unit}，不能判 ${f.quantity} ${line.unit}`,
        )
      waiting = [...waiting.filter((p) => p.line_id !== line.id), ...cut.rest]
      const { taken } = cut
      let change: { id: string; code: string } | null = null
      if (f.result !== accepted) {
        change = await openChange(tx, at.call, {
          ...f,
          order: o,
          note: n.id,
          line,
          result: f.result,
          round: Math.max(...taken.map((p) => p.round)) + 1,
          late: false,
          pieces: taken,
        })
        changes.push(change)
        if (f.result === short) await tellMoves(tx, at.call, 'short', taken, { note: n.id })
      }
      const after = await movePieces(tx, at.call, taken, judged(f.result, change?.id ?? null))
      await insertJudgement(tx, at.call, n.id, f, after, change?.id ?? null)
      await tickCarried(
        tx,
        tenant,
        n.id,
        after.map((p) => p.id),
      )
      touched.push(...after.map((p) => p.id))
      await settleFormer(tx, at.call, taken, f.result === accepted)
      if (change && after.some((p) => p.round >= LATE_ROUND))
        await passChange(
          tx,
          at.call,
          { ...o, id: change.id, made_by: o.made_by },
          'round',
          `“${line.name}”第 ${Math.max(...after.map((p) => p.round))} 次退换补，请主管处理`,
        )
    }
    await recheck(tx, at.call, o.id, touched, call.user.nickname)
    await at.call.log(tx, {
      action: '验收',
      object: 'goods',
      objectId: n.id,
      after: {
        sheet: n.sheetCode,
        accepted: body.findings.filter((f) => f.result === accepted).length,
        changes: changes.map((c) => c.code).join('、'),
      },
    })
    tellGoods(tx, at.call, n, n.id, `验收 ${n.sheetCode}：${body.findings.length} 条结论`)
    return { changes }
  })
}

/** What a note brought of a line, and what was said of it to be too much; beyond twice as much is a slip. */
async function surplusLeft(tx: Tx, tenant: string, note: string, line: string) {
  const { rows } = await tx.query(
    'goods.surplusleft',
    row({ brought: text, said: text, more: text }),
    `SELECT trim_scale(x.brought)::text AS brought, trim_scale(x.said)::text AS said,
       trim_scale(greatest(x.brought - x.said, 0))::text AS more
     FROM (SELECT coalesce((SELECT sum(k.quantity) FROM carried k
           WHERE k.tenant_id = $1 AND k.note_id = $2 AND k.line_id = $3), 0) AS brought,
         coalesce((SELECT sum(g.quantity) FROM goods_changes g
           WHERE g.tenant_id = $1 AND g.note_id = $2 AND g.line_id = $3 AND g.surplus
             AND g.state IN ('open', 'closed')), 0) AS said) x`,
    [tenant, note, line],
  )
  return rows[0]!
}

/** More came than was ordered: a change of its own, outside of what the order counts; it goes back. */
export async function addSurplus(call: Call, body: Body<'surplus'>): Promise<{ id: string; code: string }> {
  return onSheet(call, body, async (tx, at, { n, o }) => {
    const line = (await linesOf(tx, at.call.user.tenant, o.id)).get(body.line_id)
    if (!line) throw invalid('line_id', '这一行不在验收单里')
    if (body.photos.length === 0) throw invalid('photos', '多件要拍照片')
    if (body.outcome !== 'back')
      throw invalid('outcome', '多件只能退回商家；要留下用，请先在合同里做增项，再按新订单下单')
    const { brought, more, said } = await surplusLeft(tx, at.call.user.tenant, n.id, line.id)
    if (compare(brought, '0') === 0) throw invalid('line_id', '这一行不在验收单里')
    if (compare(body.quantity, more) > 0)
      throw new Refused(
        `“${line.name}”这张单送来 ${brought} ${line.unit}，多件不能比这还多${
          compare(said, '0') > 0 ? `；已登记 ${said} ${line.unit}` : ''
        }，最多再登记 ${more} ${line.unit}`,
      )
    await claimAll(tx, at.call, n, body.photos)
    const change = await openChange(tx, at.call, {
      ...body,
      order: o,
      note: n.id,
      line,
      result: null,
      round: 1,
      late: false,
      pieces: [],
    })
    await touchNote(tx, at.call.user.tenant, n.id)
    await at.call.log(tx, {
      action: '登记多件',
      object: 'goods',
      objectId: change.id,
      after: { code: change.code, sheet: n.sheetCode, item: line.name, quantity: body.quantity },
    })
    return change
  })
}

/** What had been accepted is complained of, inside the branch's days; it moves when that is approved. */
export async function complain(call: Call, body: Body<'complain'>): Promise<{ id: string; code: string }> {
  return onSheet(call, body, async (tx, at, { n, o }) => {
    const { tenant } = at.call.user
    const line = (await linesOf(tx, tenant, o.id)).get(body.line_id)
    if (!line) throw invalid('line_id', '这一行不在验收单里')
    const { result } = body
    if (result === accepted) throw invalid('result', '请选择补货、换货或退货')
    checkFinding(body, line.name)
    await refuseAtHome(tx, at.call, { order: o.id, site: o.site_id }, [body])
    const { rows } = await tx.query(
      'goods.complainuntil',
      row({ day: text.null, today: text }),
      `SELECT ${COMPLAIN_UNTIL}::text AS day, (:now AT TIME ZONE 'Asia/Shanghai')::date::text AS today
       FROM dispatches d
       WHERE d.tenant_id = $1 AND d.id = $2`,
      [tenant, n.id],
    )
    const { day, today } = rows[0]!
    if (day !== null && day < today) throw new Refused(`验收后的申诉期到 ${day} 为止，已经过了`)
    await claimAll(tx, at.call, n, body.photos)
    const fine = (await lockPieces(tx, tenant, { note: n.id })).filter(
      (p) => p.line_id === line.id && p.note_id === n.id && p.place === 'accepted' && !p.change_id,
    )
    const cut = await takeFrom(tx, at.call, fine, body.quantity)
    if (!cut) throw new Refused(`“${line.name}”已验收的只有 ${sumOf(fine)} ${line.unit}`)
    const change = await openChange(tx, at.call, {
      ...body,
      order: o,
      note: n.id,
      line,
      result,
      round: Math.max(...cut.taken.map((p) => p.round)) + 1,
      late: true,
      pieces: cut.taken,
    })
    await movePieces(tx, at.call, cut.taken, () => ({ change_id: change.id }))
    await touchNote(tx, tenant, n.id)
    await at.call.log(tx, {
      action: '申请退换补',
      object: 'goods',
      objectId: change.id,
      after: { code: change.code, sheet: n.sheetCode, item: line.name, quantity: body.quantity, result },
    })
    return change
  })
}
