import { actionsOfSource } from '@zhuguan/contract/features/corrections/corrections.actions.ts'
import type {
  CorrectionSource,
  CorrectionTurn,
} from '@zhuguan/contract/features/corrections/corrections.record.ts'
import type { SettingKey } from '@zhuguan/contract/features/settings/settings.record.ts'
import { siteStatus } from '@zhuguan/contract/features/sites/sites.record.ts'
import { linkTo } from '@zhuguan/contract/links.ts'

import type { Tx } from '../../database/connect.ts'
import { invalid } from '../../kit/refuse.ts'
import { int2, row, text, uuid } from '../../kit/row.ts'
import type { Call } from '../../kit/serve.ts'
import { assignable } from '../users/users.reads.ts'
import type { LockedCorrection } from './corrections.queries.ts'

type Place = Pick<LockedCorrection, 'site_id' | 'source' | 'about_id'>

/** Where it is read, by whoever is told of it. */
export const linkOf = (c: { id: string; source: CorrectionSource }) =>
  c.source === 'alarm' ? linkTo('AlarmEvent', { id: c.id }) : linkTo('Correction', { id: c.id })
export const causeOf = (c: { id: string; source: CorrectionSource }) =>
  ({ kind: c.source === 'alarm' ? 'alarm' : 'correction', id: c.id }) as const
/** The person who has a part in it, by the words of the table of turns. */
export const namedIn = (c: {
  about_id: string | null
  assignee_id: string | null
  corrector_ids?: readonly string[]
}) => ({
  concerned: [c.about_id],
  assignee: c.assignee_id,
  relieved: c.assignee_id,
  correctors: c.corrector_ids ?? [],
})
/** The part that every message about it has in common. */
export const noticeOf = (c: Pick<Place, 'site_id' | 'source'> & { bc_id: string; id: string }) => ({
  link: linkOf(c),
  place: { bc_id: c.bc_id, site_id: c.site_id },
  cause: causeOf(c),
})
const URGES = {
  assign: 'urgeAssign',
  correct: 'urgeCorrect',
  verify: 'urgeVerify',
  answer: 'urgeAnswer',
} as const
/** The person who is urged, by whose turn it is. */
export const urgeOf = (turn: CorrectionTurn) => (turn === 'none' ? 'urgeCorrect' : URGES[turn])
/** The power that its corrector needs. */
export const correctPower = (source: CorrectionSource) => actionsOfSource(source).needs('submit')[0]!
/** The setting that says how long correcting it may take. */
export const correctionHours = (c: Pick<LockedCorrection, 'source' | 'alarmType'>): SettingKey =>
  c.source === 'alarm' ? `correctionHours.${c.alarmType!}` : `correctionHours.${c.source}`

/** Why nothing can be begun there any more: what is open on a site that ended is finished, nothing new comes to it. */
export async function whyOver(
  tx: Tx,
  tenant: string,
  site: string,
  what: string,
): Promise<string | undefined> {
  const { rows } = await tx.query(
    'corrections.over',
    row({ name: text, status: int2.of(siteStatus) }),
    `SELECT w.ws_name AS name, w.status FROM sites w
     WHERE w.tenant_id = $1 AND w.id = $2 AND w.status IN (${siteStatus.code.terminated}, ${siteStatus.code.finished})`,
    [tenant, site],
  )
  const over = rows[0]
  return over && `${over.name}${siteStatus.label(over.status)}，不能再${what}；开着的仍可整改和复核`
}

/** The person, if they can be given it: never one whom the feedback behind it is about. */
export const canCorrect = async (tx: Tx, call: Call, c: Place, id: string) =>
  id === c.about_id
    ? undefined
    : assignable(tx, call.user.scope, { id, site: c.site_id, power: correctPower(c.source) })
/** Why it is not given to this person, whoever may name them. */
export function unlessAbout(c: Pick<Place, 'about_id'>, id: string): void {
  if (id === c.about_id) throw invalid('assignee_id', '这张整改单来自一条说他的反馈，请交给别人')
}

/** The person who leads the site: the manager before the steward. */
export async function leadersOf(tx: Tx, call: Call, site: string): Promise<string[]> {
  const { rows } = await tx.query(
    'corrections.leaders',
    row({ id: uuid }),
    `SELECT u.id
     FROM sites w
     JOIN users u ON u.tenant_id = $1 AND u.id IN (w.manager_id, w.steward_id)
     WHERE w.tenant_id = $1 AND w.id = $2
     ORDER BY u.id = w.manager_id DESC`,
    [call.user.tenant, site],
  )
  return [...new Set(rows.map((r) => r.id))]
}
/** Who leads the site and can correct. */
export async function firstOf(tx: Tx, call: Call, c: Place) {
  for (const id of await leadersOf(tx, call, c.site_id)) {
    const person = await canCorrect(tx, call, c, id)
    if (person) return person
  }
  return undefined
}
/** Who had it, or who leads the site now where they have left it; nobody where none of them may correct. */
export async function whoCorrects(tx: Tx, call: Call, c: LockedCorrection): Promise<string | null> {
  if (c.assignee_id && (await canCorrect(tx, call, c, c.assignee_id))) return c.assignee_id
  return (await firstOf(tx, call, c))?.id ?? null
}
