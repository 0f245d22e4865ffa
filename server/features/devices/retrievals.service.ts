import { linkTo } from '@zhuguan/contract/links.ts'

import type { Tx } from '../../database/connect.ts'
import { bool, int4, row, text, uuid, uuids } from '../../kit/row.ts'
import type { Call } from '../../kit/serve.ts'
import { addDays, shanghaiDay } from '../../kit/shanghai.ts'
import type { LivingSite } from '../../kit/site-life.ts'
import { tell } from '../live/live.service.ts'
import { notify, settle } from '../notifications/notifications.service.ts'
import type { ReminderSource } from '../notifications/reminders.service.ts'
import { settingOf } from '../settings/settings.reads.ts'

const linkOf = (site: string) => linkTo('DeviceList', { retrieval: true, site_id: site })

/** The manager of the site brings its devices back; without one its steward. */
export async function retrieverOf(
  tx: Tx,
  call: Call,
  site: LivingSite,
): Promise<{ id: string | null; nickname: string; due: string }> {
  const id = site.manager_id ?? site.steward_id
  const days = await settingOf<number>(tx, call.user.tenant, site.bc_id, 'retrievalDays')
  const { rows } = await tx.query(
    'retrievals.person',
    row({ nickname: text }),
    'SELECT nickname FROM users WHERE tenant_id = $1 AND id = $2',
    [call.user.tenant, id],
  )
  return { id, nickname: rows[0]?.nickname ?? '', due: addDays(shanghaiDay(call.now()), days) }
}

/** Every device of a site that ends is to be brought back (docs/states.md). */
export async function openRetrievals(tx: Tx, call: Call, site: LivingSite): Promise<void> {
  const { tenant } = call.user
  const person = await retrieverOf(tx, call, site)
  const { rows } = await tx.query(
    'retrievals.devices',
    row({ id: uuid }),
    'SELECT id FROM devices WHERE tenant_id = $1 AND site_id = $2 AND deleted_at IS NULL',
    [tenant, site.id],
  )
  if (rows.length === 0) return
  await tx.run(
    'retrievals.open',
    `INSERT INTO retrievals (tenant_id, id, bc_id, site_id, device_id, person_id, due, opened_at)
     SELECT $1, i, $2, $3, d, $6, $7, :now FROM unnest($4::uuid[], $5::uuid[]) AS x(i, d)
     ON CONFLICT (tenant_id, device_id) WHERE closed_at IS NULL DO NOTHING`,
    [tenant, site.bc_id, site.id, rows.map(() => call.newId()), rows.map((r) => r.id), person.id, person.due],
  )
  await notify(tx, {
    tenant,
    user: [person.id],
    title: `${site.ws_name} 的 ${rows.length} 台设备请在 ${person.due} 前收回`,
    link: linkOf(site.id),
    site: site.id,
    cause: { kind: 'retrieval', id: site.id },
    actor: call.user.id,
  })
  tell(tx, call, { topic: 'device', bc: site.bc_id, site: site.id, id: '' })
}

/** Unbound: it is back. With the last one of a site nobody needs to be reminded any more. */
export async function closeRetrieval(tx: Tx, call: Call, device: string): Promise<void> {
  const { nickname, tenant } = call.user
  const { rows } = await tx.query(
    'retrievals.close',
    row({ site: uuid, others: bool }),
    `UPDATE retrievals r
     SET closed_at = :now, closed_by = $3
     WHERE r.tenant_id = $1 AND r.device_id = $2 AND r.closed_at IS NULL
     RETURNING r.site_id AS site, EXISTS (
       SELECT 1 FROM retrievals o
       WHERE o.tenant_id = $1 AND o.site_id = r.site_id AND o.id <> r.id AND o.closed_at IS NULL) AS others`,
    [tenant, device, nickname],
  )
  const done = rows.filter(({ others }) => !others)
  await settle(tx, tenant, ...done.map(({ site }) => ({ kind: 'retrieval' as const, id: site })))
}

const REMIND_AT_MS = 490 * 60_000

/** What was not back by its day: at ten past eight the person hears, and who keeps devices in the branch. */
export const retrievalReminders: ReminderSource = {
  kind: 'retrieval',
  async due(tx, tenant, now) {
    // Those that the release before told of are marked in their row.
    const { rows } = await tx.query(
      'retrievals.late',
      row({ site: uuid, ws_name: text, n: int4, due: text, people: uuids }),
      `WITH late AS (
         SELECT r.tenant_id, r.site_id, r.bc_id, r.person_id, r.due
         FROM retrievals r
         WHERE r.tenant_id = $1 AND r.closed_at IS NULL AND r.told_at IS NULL AND r.due < $2::date
         FOR UPDATE SKIP LOCKED)
       SELECT l.site_id AS site, w.ws_name, count(*)::int AS n, l.due::text AS due,
         array_remove(array_agg(DISTINCT l.person_id), NULL) || ARRAY(
           SELECT u.id
           FROM users u
           WHERE u.tenant_id = $1 AND u.bc_id = l.bc_id AND EXISTS (
             SELECT 1
             FROM user_roles ur
             JOIN roles r ON r.tenant_id = $1 AND r.id = ur.role_id AND r.status = 1
             JOIN role_powers p ON p.tenant_id = $1 AND p.role_id = r.id AND p.label = 'device:bind'
             WHERE ur.tenant_id = $1 AND ur.user_id = u.id)) AS people
       FROM late l
       JOIN sites w ON w.tenant_id = $1 AND w.id = l.site_id
       GROUP BY l.site_id, l.bc_id, l.due, w.ws_name
       ORDER BY l.site_id, l.due`,
      [tenant, shanghaiDay(new Date(now.getTime() - REMIND_AT_MS))],
    )
    return rows.map((late) => ({
      id: late.site,
      step: late.due,
      user: late.people,
      title: `${late.ws_name} 还有 ${late.n} 台设备没有收回，应在 ${late.due} 前收回`,
      link: linkOf(late.site),
      site: late.site,
    }))
  },
}
