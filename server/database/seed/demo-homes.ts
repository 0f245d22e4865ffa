import { siteStatus } from '@zhuguan/contract/features/sites/sites.record.ts'

import { uuidv7 } from '../../kit/ids.ts'
import { addDays } from '../../kit/shanghai.ts'
import type { Tx } from '../connect.ts'
import { lottery, personName, phone } from './names.ts'
import { insert } from './rows.ts'

const SEED = 30_480_000
const OF_COUPLES = 3
const PARENTS_EVERY = 7
const LED_DAYS = 9

interface Home {
  id: string
  owner: string
  started: string
  status: number
  steward: { id: string; name: string }
  manager: { id: string }
}
/** The people in the demo's homes: the owner, of every third a spouse, of every seventh a father or mother. */
function homeContacts(of: { tenant: string; bc: string; sites: readonly Home[] }) {
  const l = lottery(SEED)
  return of.sites.flatMap(({ id, owner, started }, i) => {
    const ofHome = (more: object) => ({
      tenant_id: of.tenant,
      id: uuidv7(),
      bc_id: of.bc,
      site_id: id,
      since: `${started} 09:00:00+08`,
      ...more,
    })
    const other = (relation: string) =>
      ofHome({ owner_id: null, name: personName(l), phone: phone(l), relation })
    return [
      ofHome({ owner_id: owner, name: null, phone: null, relation: 'owner' }),
      ...(i % OF_COUPLES === 0 ? [other('spouse')] : []),
      ...(i % PARENTS_EVERY === 0 ? [other('parent')] : []),
    ]
  })
}

const CALLS = [
  {
    days: -6,
    time: '10:00',
    purpose: 'look',
    state: 'done',
    record: '看了水电，厨房加一个插座，已告诉项目经理',
  },
  { days: -3, time: '15:00', purpose: 'choose', state: 'missed', record: '电话说临时加班，改到周末' },
  { days: -1, time: '09:30', purpose: 'choose', state: 'cancelled', record: '瓷砖样品还没有到店' },
  { days: 1, time: '14:30', purpose: 'accept', state: 'planned', record: '' },
] as const
const CALLS_EVERY = 2
/** Who of the demo's homes has come to see the works, and who is expected. */
function homeReceptions(of: { tenant: string; bc: string; today: string; sites: readonly Home[] }) {
  return of.sites
    .filter(({ status }) => status === siteStatus.code.building)
    .filter((_, i) => i % CALLS_EVERY === 0)
    .flatMap(({ id, steward }, i) => {
      const { days, time, ...said } = CALLS[i % CALLS.length]!
      const at = `${addDays(of.today, days)} ${time}:00+08`
      return {
        tenant_id: of.tenant,
        id: uuidv7(),
        bc_id: of.bc,
        site_id: id,
        at,
        planned: true,
        entered_at: `${addDays(of.today, Math.min(days, 0) - 1)} 09:00:00+08`,
        arrived_at: said.state === 'done' ? at : null,
        ended_at: said.state === 'planned' ? null : at,
        host_id: steward.id,
        entered_by: steward.name,
        ...said,
      }
    })
}

/** The person who leads each site since it began, or since a while where that is still to come. */
const leadsOf = (of: { tenant: string; today: string; sites: readonly Home[] }) =>
  of.sites.flatMap(({ id, manager, started, steward }) =>
    [steward, manager].map((who, i) => ({
      tenant_id: of.tenant,
      of_site: id,
      post: i + 1,
      from_at: `${started < of.today ? started : addDays(of.today, -LED_DAYS)} 08:00:00+08`,
      user_id: who.id,
    })),
  )

/** The people of a branch's homes, when they come, and who leads them. */
export async function insertHomes(
  tx: Tx,
  of: { tenant: string; bc: string; today: string; sites: readonly Home[] },
): Promise<void> {
  await insert(tx, 'home_contacts', homeContacts(of))
  await insert(tx, 'receptions', homeReceptions(of))
  await insert(tx, 'site_leads', leadsOf(of))
}
