import { customerHeld } from '@zhuguan/contract/features/customers/customers.record.ts'

import type { Tx } from '../../database/connect.ts'
import { bool, int4, row, text, timestamptz, uuid } from '../../kit/row.ts'
import { addDays, startOfDay } from '../../kit/shanghai.ts'
import { isHere } from '../../kit/standing-in.ts'
import { whoCan } from '../notifications/turns.service.ts'
import { workDayAfter } from '../settings/business-time.reads.ts'
import { settingOf, settingSql } from '../settings/settings.reads.ts'

const { assigned } = customerHeld.code
const FOLLOW = 'customer:follow'
/** So many days somebody who lost a customer does not claim it again. */
const AGAIN_DAYS = 7
/** So many days before a customer goes back to the pool it is said, and shown. */
export const NOTICE_DAYS = 3

export interface Place {
  bc_id: string
  store_id: string | null
}
export interface Consultant {
  id: string
  name: string
  /** Customers that they follow now, and how many they may have. */
  n: number
  cap: number
  away: boolean
}
/** Of somebody who follows as many as they may. */
export const fullWords = ({ cap, n, name }: Consultant) => `${name}已在跟进 ${n} 位客户，上限 ${cap} 位`
/** Anybody who may follow up customers of this place; who has the fewest comes first. */
export async function consultantsOf(
  tx: Tx,
  tenant: string,
  place: Place,
  label = FOLLOW,
): Promise<Consultant[]> {
  const able = await whoCan(tx, {
    tenant,
    among: null,
    except: [],
    label,
    page: 'CustomerInfo',
    place,
    receiver: false,
  })
  const { rows } = await tx.query(
    'customers.consultants',
    row({ id: uuid, name: text, n: int4, cap: int4, away: bool }),
    `SELECT u.id, u.nickname AS name, (SELECT count(*)::int FROM customers k
         WHERE k.tenant_id = $1 AND k.consultant_id = u.id AND k.held = '${assigned}' AND k.step < 5) AS n,
       (${settingSql('leadCap', '$1', '$3::uuid')} #>> '{}')::int AS cap, NOT (${isHere('$1', 'u')}) AS away
     FROM users u
     WHERE u.tenant_id = $1 AND u.id = ANY ($2::uuid[])
     ORDER BY n, u.nickname, u.id`,
    [tenant, able.near, place.bc_id],
  )
  return rows
}

/**
 * Their accounts, held until the transaction ends and in one order: who gets a customer is counted by one hand at a
 * time, and nobody gets one while their account is being closed.
 */
export async function holdPeople(tx: Tx, tenant: string, people: readonly string[]): Promise<void> {
  await tx.query(
    'customers.holdpeople',
    row({ id: uuid }),
    `SELECT u.id FROM users u
     WHERE u.tenant_id = $1 AND u.id = ANY ($2::uuid[])
     ORDER BY u.id
     FOR NO KEY UPDATE`,
    [tenant, people],
  )
}

/** Whether this person gave the customer up, or had it taken away, within the last days. */
export async function lostLately(tx: Tx, tenant: string, customer: string, person: string): Promise<boolean> {
  const { rows } = await tx.query(
    'customers.lostlately',
    row({ lost: bool }),
    `SELECT EXISTS (SELECT FROM customer_events e
       WHERE e.tenant_id = $1 AND e.customer_id = $2 AND e.from_id = $3 AND e.act IN ('back', 'lose', 'hand')
         AND e.at > :now - interval '${AGAIN_DAYS} days') AS lost`,
    [tenant, customer, person],
  )
  return rows[0]!.lost
}

/** When a customer that nobody follows up goes back: at the end of so many working days of the branch. */
export async function backAfter(tx: Tx, tenant: string, bc: string, from: Date): Promise<Date> {
  const days = await settingOf<number>(tx, tenant, bc, 'leadDays')
  const day = await workDayAfter(tx, { tenant, bc, from, days })
  // A branch that never works has days all the same.
  return day ? startOfDay(addDays(day, 1)) : new Date(from.getTime() + days * 86_400_000)
}

/**
 * The consultants of a place who took over customers of this community, and the one who was given one longest ago.
 */
export async function turnsOf(
  tx: Tx,
  tenant: string,
  of: { bc_id: string; community: string; people: readonly string[] },
): Promise<{ id: string; near: number; last: Date | null }[]> {
  const { rows } = await tx.query(
    'customers.turns',
    row({ id: uuid, near: int4, last: timestamptz.null }),
    `SELECT u.id, (SELECT count(*)::int FROM customers k
         WHERE k.tenant_id = $1 AND k.consultant_id = u.id AND k.bc_id = $3 AND k.held = '${assigned}'
           AND k.community = $4 AND $4 <> '') AS near,
       (SELECT max(e.at) FROM customer_events e
        WHERE e.tenant_id = $1 AND e.to_id = u.id AND e.act = 'assign') AS last
     FROM users u
     WHERE u.tenant_id = $1 AND u.id = ANY ($2::uuid[])`,
    [tenant, of.people, of.bc_id, of.community],
  )
  return rows
}
