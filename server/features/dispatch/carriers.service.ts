import { randomBytes } from 'node:crypto'

import {
  type CarrierAnswer,
  type CarrierEvent,
  carrierStep,
} from '@zhuguan/contract/features/dispatch/carriers.record.ts'
import { linkTo } from '@zhuguan/contract/links.ts'

import type { Database, Tx } from '../../database/connect.ts'
import { uuidv7 } from '../../kit/ids.ts'
import { nobody } from '../../kit/nobody.ts'
import { found, Refused } from '../../kit/refuse.ts'
import { bool, float8, row, text, uuid } from '../../kit/row.ts'
import { whole, wholeGroup } from '../../kit/scoped.ts'
import { seal, unseal } from '../../kit/secret.ts'
import type { Call } from '../../kit/serve.ts'
import { epoch } from '../../kit/statement.ts'
import { tell } from '../live/live.service.ts'
import { passTurn } from '../notifications/turns.service.ts'
import { lockWaybill, setUnderWay } from './legs.queries.ts'
import { addNode } from './logistics.service.ts'

const ACCOUNT = /^[\w-]{43}$/
const hexOf = (id: string) => id.replaceAll('-', '')
/** The group and the carrier in one word, so that nobody has to look through all groups. */
const accountOf = (tenant: string, id: string): string =>
  Buffer.from(hexOf(tenant) + hexOf(id), 'hex').toString('base64url')
function idsOf(account: string): { tenant: string; id: string } | undefined {
  if (!ACCOUNT.test(account)) return undefined
  const h = Buffer.from(account, 'base64url').toString('hex')
  const at = (from: number) =>
    [h.slice(from, from + 8), h.slice(from + 8, from + 12), h.slice(from + 12, from + 16)]
      .concat(h.slice(from + 16, from + 20), h.slice(from + 20, from + 32))
      .join('-')
  return { tenant: at(0), id: at(32) }
}
/** A carrier drives for the whole group. */
function whoManages(call: Call): string {
  if (!whole(call.user.scope)) throw new Refused('承运商是全集团的，请集团管理员办理')
  return call.user.tenant
}

export async function listCarriers(call: Call) {
  const tenant = whoManages(call)
  const { rows } = await call.read((tx) =>
    tx.query(
      'carriers.list',
      row({
        id: uuid,
        name: text,
        madeBy: text,
        madeAt: float8,
        heardAt: float8.null,
        stopped: bool,
      }),
      `SELECT k.id, k.name, k.made_name AS "madeBy", ${epoch('k.made_at')} AS "madeAt",
         ${epoch('k.heard_at')} AS "heardAt", k.stopped_at IS NOT NULL AS stopped
       FROM carriers k
       WHERE k.tenant_id = $1
       ORDER BY k.stopped_at IS NOT NULL, k.name, k.id`,
      [tenant],
    ),
  )
  return rows.map((k) => ({ ...k, account: accountOf(tenant, k.id) }))
}
const newSecret = () => randomBytes(24).toString('base64url')
export async function addCarrier(call: Call, secretKey: Buffer, name: string) {
  const tenant = whoManages(call)
  const id = call.newId()
  const secret = newSecret()
  await call.write(async (tx) => {
    const added = await tx.run(
      'carriers.add',
      `INSERT INTO carriers (tenant_id, id, name, secret, made_name, made_at) VALUES ($1, $2, $3, $4, $5, :now)
       ON CONFLICT (tenant_id, name) WHERE stopped_at IS NULL DO NOTHING`,
      [tenant, id, name, seal(secretKey, secret), call.user.nickname],
    )
    if (!added.rowCount) throw new Refused(`${name} 已经有接口；密钥丢了可以更换`)
    await call.log(tx, { action: '新建承运商接口', object: 'carrier', objectId: id, after: { name } })
  })
  return { id, account: accountOf(tenant, id), secret }
}
/** The account stays, so that its carrier changes one word; what is signed with the former secret is refused. */
export async function renewCarrier(call: Call, secretKey: Buffer, id: string) {
  const tenant = whoManages(call)
  const secret = newSecret()
  await call.write(async (tx) => {
    const { rows } = await tx.query(
      'carriers.renew',
      row({ name: text }),
      `UPDATE carriers k SET secret = $3
       WHERE k.tenant_id = $1 AND k.id = $2 AND k.stopped_at IS NULL
       RETURNING k.name`,
      [tenant, id, seal(secretKey, secret)],
    )
    const { name } = found(rows[0])
    await call.log(tx, { action: '更换承运商密钥', object: 'carrier', objectId: id, after: { name } })
  })
  return { id, account: accountOf(tenant, id), secret }
}
export async function stopCarrier(call: Call, id: string): Promise<null> {
  const tenant = whoManages(call)
  await call.write(async (tx) => {
    const { rows } = await tx.query(
      'carriers.stop',
      row({ name: text }),
      `UPDATE carriers k SET stopped_at = :now
       WHERE k.tenant_id = $1 AND k.id = $2 AND k.stopped_at IS NULL
       RETURNING k.name`,
      [tenant, id],
    )
    const { name } = found(rows[0])
    await call.log(tx, { action: '停用承运商接口', object: 'carrier', objectId: id, after: { name } })
  })
  return null
}

export interface Carrier {
  id: string
  tenant: string
  name: string
  secret: string
}
/** The person who signs with this account, unless it was stopped. */
export async function carrierOf(
  db: Database,
  secretKey: Buffer,
  account: string,
): Promise<Carrier | undefined> {
  const ids = idsOf(account)
  if (!ids) return undefined
  const { rows } = await db.tx(
    wholeGroup(ids.tenant),
    (tx) =>
      tx.query(
        'carriers.one',
        row({ name: text, secret: text }),
        'SELECT k.name, k.secret FROM carriers k WHERE k.tenant_id = $1 AND k.id = $2 AND k.stopped_at IS NULL',
        [ids.tenant, ids.id],
      ),
    { readOnly: true },
  )
  const kept = rows[0]
  if (!kept) return undefined
  try {
    return { ...ids, name: kept.name, secret: unseal(secretKey, kept.secret) }
  } catch {
    // Sealed with another key: nobody can prove to be this one.
    return undefined
  }
}

/** Files one event on every way that its waybill names. @returns whether it is new; undefined where it names none */
async function fileEvent(tx: Tx, carrier: Carrier, event: CarrierEvent): Promise<boolean | undefined> {
  const { tenant } = carrier
  const call = {
    user: nobody(tenant, carrier.name, wholeGroup(tenant)),
    now: () => tx.now,
    newId: uuidv7,
  }
  const legs = await lockWaybill(tx, tenant, carrier.name, event.waybill)
  if (legs.length === 0) return undefined
  let isNew = false
  const title = event.text || (event.code ? carrierStep.label(event.code) : '运输中')
  for (const leg of legs) {
    const { id, place, at } = { ...event, at: new Date(event.at * 1_000) }
    if (!(await addNode(tx, call, leg.id, { title, place, at, source: 'carrier', event: id }))) continue
    isNew = true
    if (event.code) await setUnderWay(tx, tenant, leg.id)
    const { bc_id: bc, receiver_id: receiver, site_id: site } = leg
    tell(tx, call, { topic: 'dispatch', bc, site, receiver, id: leg.note_id ?? leg.id })
    // It only says so: goods have arrived when somebody has proved it.
    if (event.code === carrierStep.code.delivered)
      await passTurn(tx, 'dispatch', 'carrierSays', {
        tenant,
        place: { bc_id: bc, site_id: site },
        named: { author: leg.made_by },
        title: `${carrier.name} 称 ${leg.related} 已送达，还不算送达：请核对后凭照片和地点确认，自提还要取货码`,
        link: linkTo('LogisticsList', { id: leg.id }),
        cause: { kind: 'dispatch', id: leg.note_id ?? leg.id },
      })
  }
  return isNew
}
/** A carrier's events, each judged by itself; out of order they are filed by their own time. */
export async function fileCarrierEvents(
  db: Database,
  carrier: Carrier,
  events: readonly CarrierEvent[],
): Promise<CarrierAnswer> {
  return db.tx(wholeGroup(carrier.tenant), async (tx) => {
    const answer: CarrierAnswer = { accepted: 0, duplicate: 0, rejected: [] }
    // In one order, so that two messages at once do not wait for each other.
    for (const event of events.toSorted((a, b) => (a.waybill < b.waybill ? -1 : 1))) {
      const isNew = event.carrier === carrier.name ? await fileEvent(tx, carrier, event) : undefined
      if (event.carrier !== carrier.name)
        answer.rejected.push({ id: event.id, reason: `只能上报“${carrier.name}”的运单` })
      else if (isNew === undefined)
        answer.rejected.push({ id: event.id, reason: `没有运单号 ${event.waybill} 的物流` })
      else if (isNew) answer.accepted += 1
      else answer.duplicate += 1
    }
    tx.send('carriers.heard', 'UPDATE carriers k SET heard_at = :now WHERE k.tenant_id = $1 AND k.id = $2', [
      carrier.tenant,
      carrier.id,
    ])
    return answer
  })
}
