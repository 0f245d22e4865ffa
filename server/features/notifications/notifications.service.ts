import type { CauseKind } from '@zhuguan/contract/features/notifications/notifications.record.ts'
import type { RoleCode } from '@zhuguan/contract/kit/page.ts'
import type { Link } from '@zhuguan/contract/links.ts'
import { isPage, type PageName, PAGES } from '@zhuguan/contract/pages.ts'

import type { Tx } from '../../database/connect.ts'
import { uuidv7 } from '../../kit/ids.ts'
import { row, uuid } from '../../kit/row.ts'
import { CHANNELS } from './notice-channels.ts'
import { type Able, ableTo, addNotices, standInsOf, type TurnPlace } from './notifications.queries.ts'

export interface Cause {
  kind: CauseKind
  id: string
}
export interface Notice {
  tenant: string
  /** Who hears it; of these, nobody whose account is closed and nobody who may not open the page of the link. */
  user: string | readonly (string | null)[]
  title: string
  link: Link | ''
  /** The site of what is told: only those whose role reaches it there hear of it. */
  site?: string | undefined
  /** The branch of what is told, where that is about no site or people were chosen before: for groups of a branch. */
  place?: Pick<TurnPlace, 'bc_id' | 'site_id'> | undefined
  /** It waits for no quiet hour to end. */
  urgent?: boolean | undefined
  /** Nobody has to act on it: groups and other systems hear nothing of it. */
  informed?: boolean
  /** One cause, one message a person: told again while it is unread, the message is renewed and counts. */
  cause?: Cause | undefined
  /** Who did it, and needs no telling. */
  actor?: string | undefined
  /** It is for these people themselves, not for who stands in for one who is away. */
  personal?: true
  /** Whose it is, where those who hear it were chosen before: who stands in for one of them reads so. */
  whose?: readonly string[]
}

/** The person who leads a branch. */
const LEADER: RoleCode = 'branch_gm'

const NAMES = new Map(
  Object.keys(PAGES)
    .filter(isPage)
    .map((name): [string, PageName] => [PAGES[name].path, name]),
)

/** The page that a link opens: whoever may not open it is not told. What leads nowhere is for whoever is named. */
export const pageOf = (link: Link | ''): PageName | null => NAMES.get(link.split('?')[0]!) ?? null

/** Who leads the branch where this is, may read it and is not away today. */
export async function leadersOf(
  tx: Tx,
  { page, place, tenant }: Pick<Able, 'page' | 'place' | 'tenant'>,
): Promise<string[]> {
  const asked = { tenant, place, page, among: null, except: [], label: null, receiver: false }
  const { near, wide } = await ableTo(tx, { ...asked, role: LEADER })
  const leaders = near.length ? near : wide
  const away = await standInsOf(tx, tenant, leaders)
  return leaders.filter((id) => !away.has(id))
}

/** Tells people of something, by every channel; who is away has it told to who stands in. Answers who could be told. */
export async function notify(tx: Tx, { actor, personal, user, ...of }: Notice): Promise<string[]> {
  const asked = typeof user === 'string' ? [user] : user.filter((id) => id !== null)
  const users = [...new Set(asked)].filter((id) => id !== actor)
  const n = { whose: asked, ...of }
  const away = personal ? new Map<string, string | null>() : await standInsOf(tx, n.tenant, users)
  const told = await write(
    tx,
    n,
    users.map((id) => (away.has(id) ? away.get(id)! : id)).filter((id) => id !== null && id !== actor),
  )
  // Whose deputy may not open it: who leads the branch hears, else they themselves, so that it is not lost.
  const left = users.filter((id) => {
    const deputy = away.get(id)
    return away.has(id) && deputy !== actor && !told.includes(deputy!)
  })
  if (left.length === 0) return told
  const place = { bc_id: null, site_id: n.site ?? null }
  const leaders = n.site ? await leadersOf(tx, { tenant: n.tenant, page: pageOf(n.link), place }) : []
  const others = (leaders.length ? leaders : left).filter((id) => id !== actor && !told.includes(id))
  return [...told, ...(await write(tx, n, others))]
}

/** A message to each of these who may read it, and a word of it by every channel. */
async function write(
  tx: Tx,
  n: Omit<Notice, 'actor' | 'personal' | 'user'> & { whose: readonly string[] },
  users: readonly string[],
) {
  if (users.length === 0) return []
  const { cause, informed = false, link, tenant, urgent = false } = n
  const page = pageOf(link)
  const site = n.site ?? n.place?.site_id ?? undefined
  const told = await addNotices(tx, {
    ...n,
    page,
    about: site,
    people: [...new Set(users)].map((id) => ({ id, notice: uuidv7() })),
  })
  const one = { tenant, cause, site, bc: n.place?.bc_id ?? undefined, informed, link, page, urgent, told }
  for (const channel of CHANNELS) channel.tell(tx, one)
  return told.map((t) => t.user_id)
}

/** Whoever is told of many causes as one has no message of this one; groups and systems hear of it all the same. */
export function tellSummed(
  tx: Tx,
  n: Pick<Notice, 'cause' | 'link' | 'site' | 'tenant'>,
  summed: readonly string[],
): void {
  const { cause, link, site, tenant } = n
  const one = {
    tenant,
    cause,
    site,
    bc: undefined,
    informed: false,
    link,
    page: null,
    urgent: false,
    told: [],
    summed,
  }
  for (const channel of CHANNELS) channel.tell(tx, one)
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
  const people = new Set(rows.map((r) => r.user_id))
  for (const channel of CHANNELS) channel.settle(tx, tenant, causes, people)
}
