import { isPage, type PageName, PAGES } from '@zhuguan/contract/pages.ts'

import type { Tx } from '../../database/connect.ts'
import { uuidv7 } from '../../kit/ids.ts'
import { row, uuid } from '../../kit/row.ts'
import { CHANNELS } from './notice-channels.ts'
import { addNotices } from './notifications.queries.ts'

/** What a message may be about. Who tells of a new kind of record adds its word. */
export type CauseKind =
  | 'alarm'
  | 'contract'
  | 'correction'
  | 'dailySheet'
  | 'dispatch'
  | 'examine'
  | 'feedback'
  | 'finalBill'
  | 'goods'
  | 'homeDevice'
  | 'homeVideo'
  | 'order'
  | 'owner'
  | 'owedBack'
  | 'patrol'
  | 'promise'
  | 'question'
  | 'reception'
  | 'retrieval'
  | 'standstill'
  | 'statement'
  | 'thread'
  | 'visit'
  | 'violation'
  | 'face'
export interface Cause {
  kind: CauseKind
  id: string
}
export interface Notice {
  tenant: string
  /** Who hears it; of these, nobody whose account is closed and nobody who may not open the page of the link. */
  user: string | readonly (string | null)[]
  title: string
  /** A page of ours with its filter. */
  link: string
  /** The site of what is told: only those whose role reaches it there hear of it. */
  site?: string | undefined
  /** One cause, one message a person: told again while it is unread, the message is renewed and counts. */
  cause?: Cause | undefined
  /** Who did it, and needs no telling. */
  actor?: string | undefined
}

const NAMES = new Map(
  Object.keys(PAGES)
    .filter(isPage)
    .map((name): [string, PageName] => [PAGES[name].path, name]),
)

/** The page of ours that a link opens. */
export const pageOf = (link: string): PageName | null => NAMES.get(link.split('?')[0]!) ?? null

/** Tells people of something, by every channel; answers who could be told. */
export async function notify(tx: Tx, { actor, user, ...n }: Notice): Promise<string[]> {
  const asked = typeof user === 'string' ? [user] : user.filter((id) => id !== null)
  const users = [...new Set(asked)].filter((id) => id !== actor)
  if (users.length === 0) return []
  const told = await addNotices(tx, {
    ...n,
    page: pageOf(n.link),
    people: users.map((id) => ({ id, notice: uuidv7() })),
  })
  for (const { id, user_id } of told) for (const channel of CHANNELS) channel.tell(tx, n.tenant, user_id, id)
  return told.map((t) => t.user_id)
}

/** Somebody has acted on these: what anybody was told about them waits no longer. */
export async function settle(tx: Tx, tenant: string, ...causes: Cause[]): Promise<void> {
  if (causes.length === 0) return
  const { rows } = await tx.query(
    'notifications.settle',
    row({ user_id: uuid }),
    `UPDATE notifications n SET read_at = :now
     FROM json_to_recordset($2::json) AS x(kind text, id text)
     WHERE n.tenant_id = $1 AND n.cause_kind = x.kind AND n.cause_id = x.id AND n.read_at IS NULL
     RETURNING n.user_id`,
    [tenant, JSON.stringify(causes)],
  )
  for (const user of new Set(rows.map((r) => r.user_id)))
    for (const channel of CHANNELS) channel.tell(tx, tenant, user, '')
}
