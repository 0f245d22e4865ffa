import {
  type OwnMessage,
  threadChannel,
  threadSide,
} from '@zhuguan/contract/features/threads/thread-page.record.ts'

import type { Tx } from '../../database/connect.ts'
import { homeSince } from '../../kit/home-time.ts'
import { bool, float8, int4, row, text, texts, uuid } from '../../kit/row.ts'
import { epoch } from '../../kit/statement.ts'

export interface Contact {
  id: string
  site_id: string
  bc_id: string
  name: string
}
/** What was said before the home was theirs is the owner's of before. */
const THEIRS = `m.tenant_id = $1 AND m.site_id = $2 AND m.kind <> 'silence'
  AND m.at >= ${homeSince('$2')}`
const SOME = 30

export async function ownMessages(
  tx: Tx,
  tenant: string,
  contact: Contact,
  before: number | null,
): Promise<{ messages: OwnMessage[]; more: boolean }> {
  const { rows } = await tx.query(
    'threads.own',
    row<OwnMessage>({
      id: uuid,
      seq: int4,
      side: text.of(threadSide),
      channel: text.of(threadChannel),
      who: text,
      words: text,
      pictures: texts,
      at: float8,
      isTaken: bool,
      mine: bool,
    }),
    `SELECT m.id, m.seq, m.side, m.channel, CASE WHEN m.side = 'staff' THEN m.post ELSE m.who END AS who, m.words,
       m.pictures, ${epoch('m.at')} AS at, m.taken_at IS NOT NULL AS "isTaken",
       coalesce(m.contact_id = $3 AND m.user_id IS NULL, false) AS mine
     FROM thread_messages m
     WHERE ${THEIRS} AND ($4::int IS NULL OR m.seq < $4)
     ORDER BY m.seq DESC
     LIMIT ${SOME + 1}`,
    [tenant, contact.site_id, contact.id, before],
  )
  return { messages: rows.slice(0, SOME).toReversed(), more: rows.length > SOME }
}

/** What they have seen now and had not before; false where there is nothing new. */
export async function markRead(tx: Tx, tenant: string, contact: Contact, seq: number): Promise<boolean> {
  const { rowCount } = await tx.run(
    'threads.saw',
    `INSERT INTO thread_reads (tenant_id, contact_id, seq, after, site_id, at)
     SELECT $1, $3, x.seq, x.after, $2, :now
     FROM (SELECT max(m.seq) AS seq, greatest(min(m.seq) - 1, coalesce((SELECT max(r.seq)
           FROM thread_reads r
           WHERE r.tenant_id = $1 AND r.contact_id = $3), 0)) AS after
         FROM thread_messages m
         WHERE ${THEIRS} AND m.seq <= $4) x
     WHERE x.seq > x.after
     ON CONFLICT DO NOTHING`,
    [tenant, contact.site_id, contact.id, seq],
  )
  return (rowCount ?? 0) > 0
}
