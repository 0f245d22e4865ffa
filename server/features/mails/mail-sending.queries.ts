import { messageState } from '@zhuguan/contract/features/channels/channels.record.ts'
import { mailEvent, noticeWay } from '@zhuguan/contract/features/mails/mails.record.ts'

import type { Tx } from '../../database/connect.ts'
import { personReaches } from '../../kit/person-reach.ts'
import { float8, int4, row, text, uuid } from '../../kit/row.ts'
import { epoch } from '../../kit/statement.ts'
import { dueOfCause } from '../deadlines/cause-due.reads.ts'
import { USUALLY_NOW } from './mail-box.service.ts'

const { dropped, givenUp, queued, sent } = messageState.code
const { digest, told } = mailEvent.code
/** What one look takes of a group at most. */
const MOST = 500
/** Whoever took mails and died has them taken from it after so long. */
const HELD = '2 minutes'
/** What a digest tells at most is more than anybody reads. */
const MOST_TOLD = 500

/** A cause as a letter tells it. */
const CAUSE = {
  kind: text,
  cause: text,
  siteCode: text.null,
  number: text.null,
  link: text,
  due: float8.null,
}

/** Groups that have something to send. */
export async function groupsToMail(tx: Tx): Promise<string[]> {
  const { rows } = await tx.query(
    'mails.groups',
    row({ tenant: uuid }),
    'SELECT g AS tenant FROM groups_to_mail(:now) g',
    [],
  )
  return rows.map((r) => r.tenant)
}

/** Somebody's role opens the page `page`, where the thing is about a site there; `u` is the person. */
const opens = (page: string, site: string) => `EXISTS (
  SELECT 1
  FROM user_roles ur
  JOIN roles ro ON ro.tenant_id = $1 AND ro.id = ur.role_id AND ro.status = 1
  JOIN role_pages rp ON rp.tenant_id = $1 AND rp.role_id = ro.id
  JOIN pages p ON p.tenant_id = $1 AND p.id = rp.page_id AND (${page} = '' OR p.component_name = ${page})
  WHERE ur.tenant_id = $1 AND ur.user_id = u.id AND (${site} IS NULL OR EXISTS (
    SELECT 1 FROM sites w WHERE w.tenant_id = $1 AND w.id = ${site} AND ${personReaches('$1', 'u', 'ro', 'w')})))`

/** The number that a record goes by, of a title that may say more: nothing else of it goes into a mail. */
const numberIn = (title: string) => `substring(${title} FROM '[A-Z]{2,6}[0-9]{6}-?[0-9]{2,6}')`
/**
 * Takes what is due: whoever takes it sends it and says what came of it, and nobody else meanwhile. Whose account or
 * right is gone, and what was read in the bell meanwhile, is not sent; quiet hours hold all but what is urgent.
 * `clock`: HH:MM of Shanghai.
 */
export async function takeMails(tx: Tx, tenant: string, clock: string) {
  await tx.run(
    'mails.gone',
    `UPDATE mails m SET state = '${dropped}', said = '账号已停用，或已不能打开'
     FROM users u
     WHERE m.tenant_id = $1 AND m.state = '${queued}' AND m.next_at <= :now AND u.tenant_id = $1 AND u.id = m.user_id
       AND (u.status <> 1 OR u.deleted_at IS NOT NULL OR NOT ${opens('m.page', 'm.of_site')})`,
    [tenant],
  )
  await tx.run(
    'mails.seen',
    `UPDATE mails m SET state = '${dropped}', said = '已在系统里看过'
     FROM notifications n
     WHERE m.tenant_id = $1 AND m.state = '${queued}' AND m.event = '${told}' AND m.next_at <= :now
       AND n.tenant_id = $1 AND n.id = m.notice_id AND n.read_at IS NOT NULL`,
    [tenant],
  )
  const { rows } = await tx.query(
    'mails.take',
    row({
      id: uuid,
      user: uuid,
      address: text,
      event: text.of(mailEvent),
      ...CAUSE,
      at: float8,
      tries: int4,
      since: float8,
    }),
    `WITH due AS (
       SELECT q.id FROM mails q
       JOIN mail_addresses qa ON qa.tenant_id = $1 AND qa.user_id = q.user_id AND qa.address <> ''
       LEFT JOIN notice_rules r ON r.tenant_id = $1 AND r.user_id = q.user_id
       WHERE q.tenant_id = $1 AND q.state = '${queued}' AND q.next_at <= :now
         AND (q.held_until IS NULL OR q.held_until <= :now)
         AND (q.urgent OR q.event = '${digest}' OR coalesce(r.quiet_from, '') = '' OR NOT
           CASE WHEN r.quiet_from <= r.quiet_to THEN $2 >= r.quiet_from AND $2 < r.quiet_to
             ELSE $2 >= r.quiet_from OR $2 < r.quiet_to END)
       ORDER BY q.at, q.id
       LIMIT ${MOST}
       FOR UPDATE OF q SKIP LOCKED)
     UPDATE mails m SET held_until = :now + interval '${HELD}', tries = m.tries + 1
     FROM due, mail_addresses a
     WHERE m.tenant_id = $1 AND m.id = due.id AND a.tenant_id = $1 AND a.user_id = m.user_id
     RETURNING m.id, m.user_id AS user, a.address, m.event, m.kind, m.cause_id AS cause,
       (SELECT w.code FROM sites w WHERE w.tenant_id = $1 AND w.id = m.of_site) AS "siteCode",
       (SELECT ${numberIn('n.title')} FROM notifications n WHERE n.tenant_id = $1 AND n.id = m.notice_id) AS number,
       m.link, ${dueOfCause('m.kind', 'm.cause_id')} AS due,
       ${epoch('m.at')} AS at, m.tries, ${epoch('m.since')} AS since`,
    [tenant, clock],
  )
  return rows
}
export type Due = Awaited<ReturnType<typeof takeMails>>

/** How many causes somebody was written of in the last minutes, and when several went in one. */
export async function writtenLately(tx: Tx, tenant: string, user: string, minutes: number) {
  const { rows } = await tx.query(
    'mails.lately',
    row({ n: int4, sum: float8.null }),
    `SELECT count(*)::int AS n, ${epoch('max(m.sent_at) FILTER (WHERE m.sent_as IS NOT NULL)')} AS sum
     FROM mails m
     WHERE m.tenant_id = $1 AND m.user_id = $2 AND m.state = '${sent}' AND m.event = '${told}'
       AND m.sent_at > :now - interval '1 minute' * $3::int`,
    [tenant, user, minutes],
  )
  return rows[0]!
}
/** These arrived as one; what was settled meanwhile was sent all the same. */
export const noteMailed = (tx: Tx, tenant: string, ids: readonly string[], as: string) =>
  tx.run(
    'mails.sent',
    `UPDATE mails m SET state = '${sent}', sent_at = :now, sent_as = CASE WHEN $4 THEN $3::uuid END,
       held_until = NULL, said = '邮件服务器已收下'
     WHERE m.tenant_id = $1 AND m.id = ANY ($2::uuid[])`,
    [tenant, ids, as, ids.length > 1],
  )
/** These did not: tried again after so many minutes, or never. */
export const noteUnsent = (
  tx: Tx,
  tenant: string,
  o: { ids: readonly string[]; said: string; minutes: number | null },
) =>
  tx.run(
    'mails.unsent',
    `UPDATE mails m SET held_until = NULL, said = $3,
       state = CASE WHEN $4::float8 IS NULL THEN '${givenUp}' ELSE m.state END,
       next_at = CASE WHEN $4::float8 IS NULL THEN m.next_at ELSE :now + interval '1 minute' * $4::float8 END
     WHERE m.tenant_id = $1 AND m.id = ANY ($2::uuid[]) AND m.state = '${queued}'`,
    [tenant, o.ids, o.said, o.minutes],
  )
/** Gives back what was taken and not tried, until then. */
export const giveBackMails = (tx: Tx, tenant: string, ids: readonly string[], until: number) =>
  tx.run(
    'mails.giveback',
    `UPDATE mails m SET held_until = NULL, tries = m.tries - 1, next_at = to_timestamp($3)
     WHERE m.tenant_id = $1 AND m.id = ANY ($2::uuid[])`,
    [tenant, ids, until],
  )
/** A digest of nothing is not sent. */
export const dropDigest = (tx: Tx, tenant: string, id: string) =>
  tx.run(
    'mails.nothing',
    `UPDATE mails m SET state = '${dropped}', held_until = NULL, said = '没有要汇总的'
     WHERE m.tenant_id = $1 AND m.id = $2`,
    [tenant, id],
  )

/** In a statement with the kinds of USUALLY_NOW as the value `now`: the unread message `n` is for the digest of `r`. */
const inDigest = (now: string) => `n.read_at IS NULL AND n.cause_kind IS NOT NULL
  AND coalesce(r.ways ->> n.cause_kind, CASE WHEN n.cause_kind = ANY (${now}::text[]) THEN '${noticeWay.code.now}'
    ELSE '${noticeWay.code.digest}' END) = '${noticeWay.code.digest}'
  AND (n.of_site IS NULL OR r.sites = '{}' OR n.of_site = ANY (r.sites))`
/** What somebody has not read and wants to hear of once a day, the oldest first; nothing of a site that they lost. */
export async function unreadOf(tx: Tx, tenant: string, user: string) {
  const { rows } = await tx.query(
    'mails.unread',
    row({
      ...CAUSE,
      days: int4,
    }),
    `SELECT n.cause_kind AS kind, n.cause_id AS cause, s.code AS "siteCode", ${numberIn('n.title')} AS number, n.link,
       ${dueOfCause('n.cause_kind', 'n.cause_id')} AS due,
       floor(extract(epoch FROM :now - n.at) / 86400)::int AS days
     FROM notifications n
     JOIN users u ON u.tenant_id = $1 AND u.id = n.user_id
     JOIN notice_rules r ON r.tenant_id = $1 AND r.user_id = n.user_id
     LEFT JOIN sites s ON s.tenant_id = $1 AND s.id = n.of_site
     WHERE n.tenant_id = $1 AND n.user_id = $2 AND ${inDigest('$3')} AND ${opens(`''`, 'n.of_site')}
     ORDER BY n.at, n.id
     LIMIT ${MOST_TOLD}`,
    [tenant, user, USUALLY_NOW],
  )
  return rows
}
/** Whose hour has come has a digest ready where anything waits: after a day without a mail server one, of today. */
export async function queueDigests(tx: Tx, tenant: string, o: { day: string; hour: number }) {
  const { rowCount } = await tx.run(
    'mails.digests',
    `WITH due AS (
       UPDATE notice_rules r SET digested_on = $2
       FROM mail_addresses a
       WHERE r.tenant_id = $1 AND r.hour <= $3 AND coalesce(r.digested_on < $2, true) AND a.tenant_id = $1
         AND a.user_id = r.user_id AND a.address <> ''
       RETURNING r.tenant_id, r.user_id, r.ways, r.sites)
     INSERT INTO mails AS m (tenant_id, id, user_id, event, at, since, next_at)
     SELECT r.tenant_id, gen_random_uuid(), r.user_id, '${digest}', :now, :now, :now
     FROM due r
     WHERE EXISTS (SELECT 1 FROM notifications n
       WHERE n.tenant_id = $1 AND n.user_id = r.user_id AND ${inDigest('$4')})
     ON CONFLICT (tenant_id, user_id, event, kind, cause_id) WHERE state = '${queued}'
     DO UPDATE SET at = :now, since = :now, next_at = :now`,
    [tenant, o.day, o.hour, USUALLY_NOW],
  )
  return rowCount ?? 0
}
