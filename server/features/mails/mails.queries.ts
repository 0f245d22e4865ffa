import { messageState } from '@zhuguan/contract/features/channels/channels.record.ts'
import { KEPT_DAYS } from '@zhuguan/contract/features/keeping/keeping.record.ts'
import { mailEvent } from '@zhuguan/contract/features/mails/mails.record.ts'
import { causeKind } from '@zhuguan/contract/features/notifications/notifications.record.ts'

import type { Scope, Tx } from '../../database/connect.ts'
import { float8, int4, json, jsonb, row, text, uuid } from '../../kit/row.ts'
import { scoped } from '../../kit/scoped.ts'
import { epoch } from '../../kit/statement.ts'

const { dropped, queued } = messageState.code
/** What a person sees of the last ones. */
const SHOWN = 10

/** Where somebody's mail goes, and what is known of a new address. */
export async function addressOf(tx: Tx, tenant: string, user: string, o: { lock?: true } = {}) {
  const { rows } = await tx.query(
    'mails.address',
    row({ address: text, asked: text, code: text, codeAt: float8.null, tries: int4, trouble: text }),
    `SELECT a.address, a.asked, a.code, ${epoch('a.code_at')} AS "codeAt", a.tries, a.trouble
     FROM mail_addresses a
     WHERE a.tenant_id = $1 AND a.user_id = $2
     ${o.lock ? 'FOR UPDATE' : ''}`,
    [tenant, user],
  )
  return rows[0]
}
export async function rulesOf(tx: Tx, tenant: string, user: string) {
  const { rows } = await tx.query(
    'mails.rules',
    row({
      ways: jsonb<Record<string, string>>(),
      sites: json<{ id: string; name: string }[]>(),
      quietFrom: text,
      quietTo: text,
      hour: int4,
      version: int4,
    }),
    `SELECT r.ways, r.quiet_from AS "quietFrom", r.quiet_to AS "quietTo", r.hour, r.version,
       coalesce((SELECT json_agg(json_build_object('id', w.id, 'name', w.ws_name) ORDER BY w.code)
         FROM sites w WHERE w.tenant_id = $1 AND w.id = ANY (r.sites)), '[]') AS sites
     FROM notice_rules r
     WHERE r.tenant_id = $1 AND r.user_id = $2`,
    [tenant, user],
  )
  return rows[0]
}
export async function mailsOf(tx: Tx, tenant: string, user: string) {
  const { rows } = await tx.query(
    'mails.list',
    row({
      id: uuid,
      event: text.of(mailEvent),
      kind: text.of(causeKind).null,
      state: text.of(messageState),
      at: float8,
      sentAt: float8.null,
      together: int4,
      said: text,
    }),
    `SELECT m.id, m.event, nullif(m.kind, '') AS kind, m.state, ${epoch('m.at')} AS at,
       ${epoch('m.sent_at')} AS "sentAt", m.said,
       CASE WHEN m.sent_as IS NULL THEN 1 ELSE (SELECT count(*)::int FROM mails o
         WHERE o.tenant_id = $1 AND o.user_id = $2 AND o.sent_as = m.sent_as) END AS together
     FROM mails m
     WHERE m.tenant_id = $1 AND m.user_id = $2
     ORDER BY m.at DESC, m.id DESC
     LIMIT ${SHOWN}`,
    [tenant, user],
  )
  return rows
}

/** A new address waits for its code; where mail went before it goes on. */
export const askAddress = (tx: Tx, o: { tenant: string; user: string; asked: string; code: string }) =>
  tx.run(
    'mails.ask',
    `INSERT INTO mail_addresses AS a (tenant_id, user_id, asked, code, code_at, tries)
     VALUES ($1, $2, $3, $4, :now, 0)
     ON CONFLICT (tenant_id, user_id) DO UPDATE SET asked = $3, code = $4, code_at = :now, tries = 0`,
    [o.tenant, o.user, o.asked, o.code],
  )
/** What was not sent there is not waited for. */
export const unaskAddress = (tx: Tx, o: { tenant: string; user: string; asked: string }) =>
  tx.run(
    'mails.unask',
    `UPDATE mail_addresses a SET asked = '', code = '' WHERE a.tenant_id = $1 AND a.user_id = $2 AND a.asked = $3`,
    [o.tenant, o.user, o.asked],
  )
export const countTry = (tx: Tx, tenant: string, user: string) =>
  tx.run(
    'mails.try',
    'UPDATE mail_addresses a SET tries = a.tries + 1 WHERE a.tenant_id = $1 AND a.user_id = $2',
    [tenant, user],
  )
export const setAddress = (tx: Tx, tenant: string, user: string) =>
  tx.run(
    'mails.confirm',
    `UPDATE mail_addresses a SET address = a.asked, asked = '', code = '', code_at = NULL, tries = 0, trouble = ''
     WHERE a.tenant_id = $1 AND a.user_id = $2`,
    [tenant, user],
  )
/** Nothing goes there any more: by the person's wish, or because the address takes none. */
export async function dropAddress(tx: Tx, tenant: string, user: string, said: string): Promise<void> {
  await tx.run(
    'mails.remove',
    `UPDATE mail_addresses a SET address = '', asked = '', code = '', trouble = $3
     WHERE a.tenant_id = $1 AND a.user_id = $2`,
    [tenant, user, said],
  )
  await tx.run(
    'mails.dropall',
    `UPDATE mails m SET state = '${dropped}', said = '不再发到这个邮箱'
     WHERE m.tenant_id = $1 AND m.user_id = $2 AND m.state = '${queued}'`,
    [tenant, user],
  )
}
/** Whoever has an address has rules, so that a digest of theirs can be due; the first one comes tomorrow. */
export const beginRules = (tx: Tx, o: { tenant: string; user: string; hour: number; today: string }) =>
  tx.run(
    'mails.begin',
    `INSERT INTO notice_rules AS r (tenant_id, user_id, hour, digested_on) VALUES ($1, $2, $3, $4)
     ON CONFLICT (tenant_id, user_id) DO UPDATE SET digested_on = greatest(r.digested_on, excluded.digested_on)`,
    [o.tenant, o.user, o.hour, o.today],
  )
interface Rules {
  ways: Record<string, string>
  sites: readonly string[]
  quietFrom: string
  quietTo: string
  hour: number
}
/** Answers whether nobody was faster. */
export async function setRules(tx: Tx, o: Rules & { tenant: string; user: string; version: number }) {
  const { rowCount } = await tx.run(
    'mails.setrules',
    `INSERT INTO notice_rules AS r (tenant_id, user_id, ways, sites, quiet_from, quiet_to, hour, version)
     SELECT $1, $2, $3::jsonb, $4::uuid[], $5, $6, $7, 1
     WHERE $8 = 0 OR EXISTS (SELECT 1 FROM notice_rules o WHERE o.tenant_id = $1 AND o.user_id = $2)
     ON CONFLICT (tenant_id, user_id) DO UPDATE
     SET ways = excluded.ways, sites = excluded.sites, quiet_from = excluded.quiet_from, quiet_to = excluded.quiet_to,
       hour = excluded.hour, version = r.version + 1
     WHERE r.version = $8`,
    [o.tenant, o.user, JSON.stringify(o.ways), o.sites, o.quietFrom, o.quietTo, o.hour, o.version],
  )
  return rowCount === 1
}

/** Those of these sites that are in the reach. */
export async function sitesInReach(tx: Tx, scope: Scope, ids: readonly string[]): Promise<string[]> {
  const where = scoped(scope, 'w', { site: 'id' })
    .plain('w.deleted_at IS NULL')
    .add((p) => `w.id = ANY (${p}::uuid[])`, ids)
  const { rows } = await tx.query(
    'mails.sites',
    row({ id: uuid }),
    `SELECT w.id FROM sites w WHERE ${where.text}`,
    where.values,
  )
  return rows.map((r) => r.id)
}

/** What was sent or given up a month ago, so many rows at once. */
export const forgetMails = (tx: Tx, tenant: string, most: number) =>
  tx.run(
    'mails.forget',
    `DELETE FROM mails m
     WHERE m.tenant_id = $1 AND m.id = ANY (ARRAY(
       SELECT o.id FROM mails o
       WHERE o.tenant_id = $1 AND o.state <> '${queued}' AND o.at < :now - interval '${KEPT_DAYS.mails} days'
       ORDER BY o.at
       LIMIT $2))`,
    [tenant, most],
  )
