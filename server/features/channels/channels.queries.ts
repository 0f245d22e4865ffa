import {
  channelEvent,
  channelMaker,
  channelState,
  type ChannelRow,
  messageState,
} from '@zhuguan/contract/features/channels/channels.record.ts'
import { KEPT_DAYS } from '@zhuguan/contract/features/keeping/keeping.record.ts'
import { causeKind } from '@zhuguan/contract/features/notifications/notifications.record.ts'

import type { Tx } from '../../database/connect.ts'
import { float8, int4, row, text, texts, uuid } from '../../kit/row.ts'
import { epoch } from '../../kit/statement.ts'
import { dueOfCause } from '../deadlines/cause-due.reads.ts'

const { dropped, givenUp, queued, sent } = messageState.code
/** The last messages of a channel, as a page shows them. */
const SHOWN = 50
/** The most that one look takes of a group. */
const MOST = 200
const MOST_OF_A_STORM = 20_000
/** Whoever took messages and died has them taken from it after so long. */
const HELD = '2 minutes'

export async function channelsOf(tx: Tx, tenant: string): Promise<ChannelRow[]> {
  const { rows } = await tx.query(
    'channels.list',
    row<ChannelRow>({
      id: uuid,
      name: text,
      maker: text.of(channelMaker),
      host: text,
      bc_id: uuid.null,
      bc_name: text,
      role: text,
      roleName: text,
      kinds: texts.of(causeKind),
      state: text.of(channelState),
      why: text,
      by: text,
      at: float8,
      version: int4,
      waiting: int4,
      failingSince: float8.null,
      sentAt: float8.null,
    }),
    `SELECT k.id, k.name, k.maker, k.host, k.bc_id, coalesce(c.bc_name, '') AS bc_name, k.role,
       coalesce(ro.name, k.role) AS "roleName", k.kinds, k.state, k.why, u.nickname AS by, ${epoch('k.made_at')} AS at,
       k.version, (SELECT count(*)::int FROM channel_messages m
         WHERE m.tenant_id = $1 AND m.channel_id = k.id AND m.state = '${queued}') AS waiting,
       ${epoch('k.failing_since')} AS "failingSince", ${epoch('k.sent_at')} AS "sentAt"
     FROM channels k
     JOIN users u ON u.tenant_id = $1 AND u.id = k.made_by
     LEFT JOIN companies c ON c.tenant_id = $1 AND c.bc_id = k.bc_id
     LEFT JOIN roles ro ON ro.tenant_id = $1 AND ro.code = k.role
     WHERE k.tenant_id = $1
     ORDER BY k.state, k.name, k.id`,
    [tenant],
  )
  return rows
}
export async function branchOf(tx: Tx, tenant: string, id: string) {
  const { rows } = await tx.query(
    'channels.branch',
    row({ id: uuid }),
    'SELECT c.bc_id AS id FROM companies c WHERE c.tenant_id = $1 AND c.bc_id = $2',
    [tenant, id],
  )
  return rows[0]
}
export async function rolesOf(tx: Tx, tenant: string) {
  const { rows } = await tx.query(
    'channels.roles',
    row({ code: text, name: text }),
    `SELECT r.code, r.name FROM roles r WHERE r.tenant_id = $1 AND r.status = 1 AND r.code <> '' ORDER BY r.name`,
    [tenant],
  )
  return rows
}

export async function lockChannel(tx: Tx, tenant: string, id: string) {
  const { rows } = await tx.query(
    'channels.lock',
    row({
      id: uuid,
      name: text,
      maker: text.of(channelMaker),
      host: text,
      secret: text,
      bc_id: uuid.null,
      role: text,
      kinds: texts.of(causeKind),
      state: text.of(channelState),
      version: int4,
    }),
    `SELECT k.id, k.name, k.maker, k.host, k.secret, k.bc_id, k.role, k.kinds, k.state, k.version
     FROM channels k
     WHERE k.tenant_id = $1 AND k.id = $2
     FOR UPDATE`,
    [tenant, id],
  )
  return rows[0]
}
export async function lockMessage(tx: Tx, tenant: string, id: string) {
  const { rows } = await tx.query(
    'channels.lockmessage',
    row({ id: uuid, state: text.of(messageState), channel: uuid, name: text, active: text.of(channelState) }),
    `SELECT m.id, m.state, k.id AS channel, k.name, k.state AS active
     FROM channel_messages m
     JOIN channels k ON k.tenant_id = $1 AND k.id = m.channel_id
     WHERE m.tenant_id = $1 AND m.id = $2
     FOR UPDATE OF m`,
    [tenant, id],
  )
  return rows[0]
}

export async function messagesOf(tx: Tx, tenant: string, channel: string) {
  const { rows } = await tx.query(
    'channels.messages',
    row({
      id: uuid,
      event: text.of(channelEvent),
      kind: text.of(causeKind).null,
      state: text.of(messageState),
      at: float8,
      tries: int4,
      next: float8.null,
      sentAt: float8.null,
      together: int4,
      said: text,
    }),
    `SELECT m.id, m.event, nullif(m.kind, '') AS kind, m.state, ${epoch('m.at')} AS at, m.tries,
       CASE WHEN m.state = '${queued}' THEN ${epoch('m.next_at')} END AS next, ${epoch('m.sent_at')} AS "sentAt",
       CASE WHEN m.sent_as IS NULL THEN 1 ELSE (SELECT count(*)::int FROM channel_messages o
         WHERE o.tenant_id = $1 AND o.channel_id = $2 AND o.sent_as = m.sent_as) END AS together, m.said
     FROM channel_messages m
     WHERE m.tenant_id = $1 AND m.channel_id = $2
     ORDER BY m.at DESC, m.id DESC
     LIMIT ${SHOWN}`,
    [tenant, channel],
  )
  return rows
}

const taken = {
  id: uuid,
  channel: uuid,
  maker: text.of(channelMaker),
  secret: text,
  event: text.of(channelEvent),
  kind: text,
  cause_id: text,
  site: uuid.null,
  siteCode: text.null,
  link: text,
  due: float8.null,
  at: float8,
  tries: int4,
  since: float8,
}
const takeSql = (where: string, most: number) => `
  WITH due AS (
    SELECT q.id FROM channel_messages q
    WHERE q.tenant_id = $1 AND q.state = '${queued}' AND q.next_at <= :now
      AND (q.held_until IS NULL OR q.held_until <= :now) AND ${where}
    ORDER BY q.at, q.id
    LIMIT ${most}
    FOR UPDATE SKIP LOCKED)
  UPDATE channel_messages m SET held_until = :now + interval '${HELD}', tries = m.tries + 1
  FROM due, channels k
  WHERE m.tenant_id = $1 AND m.id = due.id AND k.tenant_id = $1 AND k.id = m.channel_id
  RETURNING m.id, k.id AS channel, k.maker, k.secret, m.event, m.kind, m.cause_id, m.of_site AS site,
    (SELECT w.code FROM sites w WHERE w.tenant_id = $1 AND w.id = m.of_site) AS "siteCode", m.link,
    ${dueOfCause('m.kind', 'm.cause_id')} AS due,
    ${epoch('m.at')} AS at, m.tries, ${epoch('m.since')} AS since`
/**
 * Takes what is due: whoever takes it sends it and says what came of it, and nobody else meanwhile. What is about a
 * site that has left the channel's branch is not sent.
 */
export async function takeDue(tx: Tx, tenant: string) {
  await tx.run(
    'channels.gone',
    `UPDATE channel_messages m SET state = '${dropped}', said = '工地已不在这个分公司'
     FROM channels k, sites w
     WHERE m.tenant_id = $1 AND m.state = '${queued}' AND m.next_at <= :now AND k.tenant_id = $1
       AND k.id = m.channel_id AND w.tenant_id = $1 AND w.id = m.of_site AND k.bc_id <> w.bc_id`,
    [tenant],
  )
  const { rows } = await tx.query('channels.take', row(taken), takeSql('true', MOST), [tenant])
  return rows
}
/** What else of a channel is due, so that a storm is told as one sum and not as one of every look. */
export async function takeRest(tx: Tx, tenant: string, channel: string) {
  const where = `q.channel_id = $2 AND q.event <> '${channelEvent.code.trial}'`
  const { rows } = await tx.query('channels.takerest', row(taken), takeSql(where, MOST_OF_A_STORM), [
    tenant,
    channel,
  ])
  return rows
}

/** These arrived as one; what was settled meanwhile was sent all the same. */
export async function noteSent(
  tx: Tx,
  tenant: string,
  o: { channel: string; ids: readonly string[]; as: string },
): Promise<void> {
  await tx.run(
    'channels.sent',
    `UPDATE channel_messages m SET state = '${sent}', sent_at = :now, sent_as = CASE WHEN $4 THEN $3::uuid END,
       held_until = NULL, said = '对方已收到'
     WHERE m.tenant_id = $1 AND m.id = ANY ($2::uuid[])`,
    [tenant, o.ids, o.as, o.ids.length > 1],
  )
  await tx.run(
    'channels.well',
    'UPDATE channels k SET failing_since = NULL, sent_at = :now WHERE k.tenant_id = $1 AND k.id = $2',
    [tenant, o.channel],
  )
}
/** These did not: tried again after so many minutes, or never. */
export async function noteFailed(
  tx: Tx,
  tenant: string,
  o: { ids: readonly string[]; said: string; minutes: number | null },
): Promise<void> {
  await tx.run(
    'channels.failed',
    `UPDATE channel_messages m SET held_until = NULL, said = $3,
       state = CASE WHEN $4::float8 IS NULL THEN '${givenUp}' ELSE m.state END,
       next_at = CASE WHEN $4::float8 IS NULL THEN m.next_at ELSE :now + interval '1 minute' * $4::float8 END
     WHERE m.tenant_id = $1 AND m.id = ANY ($2::uuid[]) AND m.state = '${queued}'`,
    [tenant, o.ids, o.said, o.minutes],
  )
}
/** What is due of a channel that just failed is not tried before that which failed. */
export const holdBack = (tx: Tx, tenant: string, channel: string, minutes: number) =>
  tx.run(
    'channels.holdback',
    `UPDATE channel_messages m SET next_at = :now + interval '1 minute' * $3::float8
     WHERE m.tenant_id = $1 AND m.channel_id = $2 AND m.state = '${queued}' AND m.next_at <= :now
       AND (m.held_until IS NULL OR m.held_until <= :now)`,
    [tenant, channel, minutes],
  )
/** Nothing arrives there: since when, and who made it. */
export async function noteIll(tx: Tx, tenant: string, channel: string) {
  const { rows } = await tx.query(
    'channels.ill',
    row({ since: float8, name: text, by: uuid }),
    `UPDATE channels k SET failing_since = coalesce(k.failing_since, :now)
     WHERE k.tenant_id = $1 AND k.id = $2 AND k.state = '${channelState.code.active}'
     RETURNING ${epoch('k.failing_since')} AS since, k.name, k.made_by AS by`,
    [tenant, channel],
  )
  return rows[0]
}
/** How many causes a channel was told in the last minutes, and whether they were told as a sum. */
export async function lately(tx: Tx, tenant: string, channel: string, minutes: number) {
  const { rows } = await tx.query(
    'channels.lately',
    row({ n: int4, sum: float8.null }),
    `SELECT count(*)::int AS n, ${epoch('max(m.sent_at) FILTER (WHERE m.sent_as IS NOT NULL)')} AS sum
     FROM channel_messages m
     WHERE m.tenant_id = $1 AND m.channel_id = $2 AND m.state = '${sent}'
       AND m.sent_at > :now - interval '1 minute' * $3::int`,
    [tenant, channel, minutes],
  )
  return rows[0]!
}
/** Gives back what waits for the next sum. */
export const giveBack = (tx: Tx, tenant: string, ids: readonly string[], until: number) =>
  tx.run(
    'channels.giveback',
    `UPDATE channel_messages m SET held_until = NULL, tries = m.tries - 1, next_at = to_timestamp($3)
     WHERE m.tenant_id = $1 AND m.id = ANY ($2::uuid[])`,
    [tenant, ids, until],
  )

/** What waits to be tried again is tried now. */
export const dueNow = (tx: Tx, tenant: string, channel: string) =>
  tx.run(
    'channels.duenow',
    `UPDATE channel_messages m SET next_at = :now
     WHERE m.tenant_id = $1 AND m.channel_id = $2 AND m.state = '${queued}' AND m.next_at > :now`,
    [tenant, channel],
  )

/** Stopped: what waits is not sent. */
export async function stopIt(tx: Tx, tenant: string, id: string, why: string): Promise<void> {
  await tx.run(
    'channels.stop',
    `UPDATE channels k SET state = '${channelState.code.stopped}', why = $3, version = k.version + 1
     WHERE k.tenant_id = $1 AND k.id = $2`,
    [tenant, id, why],
  )
  await tx.run(
    'channels.dropall',
    `UPDATE channel_messages m SET state = '${dropped}', said = '通道已停用'
     WHERE m.tenant_id = $1 AND m.channel_id = $2 AND m.state = '${queued}'`,
    [tenant, id],
  )
}

/** Messages that were sent or given up a month ago, so many rows at once. */
export const forgetMessages = (tx: Tx, tenant: string, most: number) =>
  tx.run(
    'channels.forget',
    `DELETE FROM channel_messages m
     WHERE m.tenant_id = $1 AND m.id = ANY (ARRAY(
       SELECT o.id FROM channel_messages o
       WHERE o.tenant_id = $1 AND o.state <> '${queued}' AND o.at < :now - interval '${KEPT_DAYS.channelMessages} days'
       ORDER BY o.at
       LIMIT $2))`,
    [tenant, most],
  )
