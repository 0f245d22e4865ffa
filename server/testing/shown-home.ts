import type { CaseWhere } from '@zhuguan/contract/features/cases/cases.record.ts'
import sharp from 'sharp'

import { uploadPhoto } from './photo.ts'
import type { Person, TestServer } from './start.ts'

let count = 0
/** A home that is shown at these places, as its people agreed; nothing of its raw picture is public. */
export async function shownHome(
  server: TestServer,
  by: Person,
  {
    bc,
    filmDays = 0,
    places = ['screen'],
  }: {
    bc: string
    places?: readonly CaseWhere[]
    /** Pictures beside the first: one a day of the same camera at the same hour, up to yesterday. */
    filmDays?: number
  },
): Promise<{ id: string; key: string; raw: string; contact: string; film: string[] }> {
  const [home] = await server.sql<{ site: string; contact: string; bc_id: string; tenant_id: string }>(
    `SELECT w.id AS site, h.id AS contact, w.bc_id, w.tenant_id FROM sites w
     JOIN home_contacts h ON h.site_id = w.id AND h.owner_id IS NOT NULL AND h.ended_at IS NULL
     WHERE w.bc_id = $1 AND w.status = 1 AND NOT EXISTS (SELECT FROM cases k WHERE k.site_id = w.id) LIMIT 1`,
    [bc],
  )
  const picture = async (red: number) =>
    uploadPhoto(
      server.url,
      by,
      await sharp({ create: { width: 64, height: 48, channels: 3, background: { r: red, g: 9, b: 9 } } })
        .jpeg()
        .toBuffer(),
    )
  // Each picture is another one: two alike would be one file.
  count += 1
  const [raw, key] = [await picture(count), await picture(count + 99)]
  const [made] = await server.sql<{ id: string }>(
    `INSERT INTO cases (tenant_id, id, bc_id, site_id, title, words, state, scope, places, until, agreed, asked_by,
       asked_at, contact_id, made_by, made_at, changed_at)
     VALUES ($1, gen_random_uuid(), $2, $3, '南北通透的家', '小户型住出大空间', 'published', '{photos,community}',
       $6::text[], :today + 90, ARRAY[$4::text], '', :now - interval '1 day', $5, '', :now, :now) RETURNING id`,
    [home!.tenant_id, home!.bc_id, home!.site, key, home!.contact, places],
  )
  await server.sql(
    `INSERT INTO consents (tenant_id, id, kind, subject_type, subject_id, state, how, answered_on, scope, recorded_by,
       recorded_at)
     VALUES ($1, gen_random_uuid(), 'case', 'contact', $2, 1, 'electronic', :today, '', '', :now)`,
    [home!.tenant_id, home!.contact],
  )
  await server.sql(
    `INSERT INTO case_pictures (tenant_id, id, case_id, picture, taken_on, masked_picture, masked_id, state)
     VALUES ($1, gen_random_uuid(), $2, $3, :today, $4, gen_random_uuid(), 'released')`,
    [home!.tenant_id, made!.id, raw, key],
  )
  const film: string[] = []
  for (let day = filmDays; day > 0; day -= 1) {
    count += 1
    const [taken, shown] = [await picture(count), await picture(count + 99)]
    film.push(shown)
    await server.sql(
      `INSERT INTO case_pictures (tenant_id, id, case_id, picture, taken_on, taken_at, stage, device_id, masked_picture,
         masked_id, state)
       SELECT k.tenant_id, gen_random_uuid(), k.id, $2, :today - $3::int,
         (:today - $3::int + time '10:00') AT TIME ZONE 'Asia/Shanghai', 'plumbing',
         (SELECT d.id FROM devices d WHERE d.bc_id = k.bc_id AND d.type = 'camera' ORDER BY d.sn LIMIT 1), $4,
         gen_random_uuid(), 'released'
       FROM cases k WHERE k.id = $1`,
      [made!.id, taken, day, shown],
    )
  }
  await server.sql('UPDATE cases SET agreed = agreed || $2::text[] WHERE id = $1', [made!.id, film])
  return { id: made!.id, key, raw, contact: home!.contact, film }
}
