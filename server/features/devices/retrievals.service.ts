import type { Tx } from '../../database/connect.ts'
import { int4, row, text, uuid, uuids } from '../../kit/row.ts'
import type { Call } from '../../kit/serve.ts'
import { addDays, shanghaiDay } from '../../kit/shanghai.ts'
import type { LivingSite } from '../../kit/site-life.ts'
import { tell } from '../live/live.service.ts'
import { notify } from '../notifications/notifications.service.ts'
import { settingOf } from '../settings/settings.reads.ts'

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
  if (person.id && person.id !== call.user.id)
    await notify(tx, {
      tenant,
      user: person.id,
      title: `${site.ws_name} 的 ${rows.length} 台设备请在 ${person.due} 前收回`,
      link: `/device/DeviceList?retrieval=true&site_id=${site.id}`,
      id: call.newId(),
    })
  tell(tx, call, { topic: 'device', bc: site.bc_id, site: site.id, id: '' })
}

/** Unbound: it is back. */
export const closeRetrieval = (tx: Tx, call: Call, device: string) =>
  tx.run(
    'retrievals.close',
    `UPDATE retrievals
     SET closed_at = :now, closed_by = $3
     WHERE tenant_id = $1 AND device_id = $2 AND closed_at IS NULL`,
    [call.user.tenant, device, call.user.nickname],
  )

/** Each is told once when its day has passed: to the person, and to those of the branch who keep devices. */
export async function tellRetrievals(
  tx: Tx,
  tenant: string,
  today: string,
  newId: () => string,
): Promise<number> {
  const { rows } = await tx.query(
    'retrievals.late',
    row({ site: uuid, ws_name: text, n: int4, due: text, people: uuids }),
    `WITH late AS (
       UPDATE retrievals SET told_at = :now
       WHERE tenant_id = $1 AND closed_at IS NULL AND told_at IS NULL AND due < $2::date
       RETURNING tenant_id, site_id, bc_id, person_id, due)
     SELECT l.site_id AS site, w.ws_name, count(*)::int AS n, min(l.due)::text AS due,
       ARRAY(SELECT u.id FROM users u WHERE u.tenant_id = $1 AND u.status = 1 AND u.deleted_at IS NULL
         AND (u.id = ANY (array_agg(l.person_id)) OR u.bc_id = l.bc_id AND EXISTS (
           SELECT 1 FROM user_roles ur
           JOIN roles r ON r.tenant_id = ur.tenant_id AND r.id = ur.role_id AND r.status = 1
           JOIN role_powers p ON p.tenant_id = r.tenant_id AND p.role_id = r.id AND p.label = 'device:bind'
           WHERE ur.tenant_id = u.tenant_id AND ur.user_id = u.id))) AS people
     FROM late l
     JOIN sites w ON w.tenant_id = l.tenant_id AND w.id = l.site_id
     GROUP BY l.site_id, l.bc_id, w.ws_name`,
    [tenant, today],
  )
  for (const late of rows)
    for (const user of late.people)
      await notify(tx, {
        tenant,
        user,
        title: `${late.ws_name} 还有 ${late.n} 台设备没有收回，应在 ${late.due} 前收回`,
        link: `/device/DeviceList?retrieval=true&site_id=${late.site}`,
        id: newId(),
      })
  return rows.length
}
