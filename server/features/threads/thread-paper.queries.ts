import { contactRelation } from '@zhuguan/contract/features/owners/owners.record.ts'
import { threadChannel, threadSide } from '@zhuguan/contract/features/threads/thread-page.record.ts'
import { threadKind } from '@zhuguan/contract/features/threads/threads.record.ts'

import type { Scope, Tx } from '../../database/connect.ts'
import { addressText } from '../../kit/home-address.ts'
import { ownersTime, within } from '../../kit/home-time.ts'
import { phoneText } from '../../kit/masked.ts'
import { bool, int4, row, text, texts, timestamptz, uuid } from '../../kit/row.ts'
import { scoped } from '../../kit/scoped.ts'

/** So many lines stand in one paper; it says how many there are. */
const MOST = 500

/** The home in reach that the paper is of, and the owner's time in which the day `to` (today without it) lies. */
export async function paperHome(tx: Tx, scope: Scope, of: { site: string; to: Date }) {
  const where = scoped(scope, 'w', { site: 'id' })
    .add((p) => `w.id = ${p}::uuid`, of.site)
    .plain('w.deleted_at IS NULL')
  const address = addressText(where, scope, 'w.address', { bc: 'w.bc_id', site: 'w.id' }, 'w.community')
  const to = `$${where.values.push(of.to)}::timestamptz`
  const time = ownersTime('w.id', to)
  const { rows } = await tx.query(
    'threads.paperhome',
    row({
      id: uuid,
      bc_id: uuid,
      code: text,
      siteName: text,
      address: text,
      steward: text,
      from: timestamptz.null,
      to: timestamptz.null,
    }),
    `SELECT w.id, w.bc_id, w.code, w.ws_name AS "siteName", ${address} AS address,
       coalesce(s.nickname, '') AS steward,
       ${time.from} AS from, ${time.to} AS to
     FROM sites w
     LEFT JOIN users s ON s.tenant_id = $1 AND s.id = w.steward_id
     WHERE ${where.text}`,
    where.values,
  )
  return rows[0]
}

/** Who was of the home then, and what was said, in its order. */
export async function paperLines(
  tx: Tx,
  tenant: string,
  of: { site: string; from: Date | null; to: Date | null },
) {
  const values = [tenant, of.site, of.from, of.to]
  const [people, lines] = await Promise.all([
    tx.query(
      'threads.paperpeople',
      row({ name: text, relation: text.of(contactRelation), phone: text, isOwner: bool }),
      `SELECT coalesce(h.name, o.name) AS name, h.relation, ${phoneText('coalesce(h.phone, o.phone)', false)} AS phone,
         h.owner_id IS NOT NULL AS "isOwner"
       FROM home_contacts h
       LEFT JOIN owners o ON o.tenant_id = $1 AND o.id = h.owner_id
       WHERE h.tenant_id = $1 AND h.site_id = $2 AND ($4::timestamptz IS NULL OR h.since < $4)
         AND ($3::timestamptz IS NULL OR h.ended_at IS NULL OR h.ended_at > $3)
       ORDER BY h.owner_id IS NULL, h.since, h.id`,
      values,
    ),
    tx.query(
      'threads.paperlines',
      row({
        at: timestamptz,
        kind: text.of(threadKind),
        side: text.of(threadSide),
        channel: text.of(threadChannel),
        who: text,
        words: text,
        pictures: texts,
        isTaken: bool,
        n: int4,
      }),
      `SELECT m.at, m.kind, m.side, m.channel, m.who, m.words, m.pictures, m.taken_at IS NOT NULL AS "isTaken",
         count(*) OVER ()::int AS n
       FROM thread_messages m
       WHERE m.tenant_id = $1 AND m.site_id = $2 AND ${within('m.at', '$3', '$4')}
       ORDER BY m.seq
       LIMIT ${MOST}`,
      values,
    ),
  ])
  return { people: people.rows, lines: lines.rows }
}
