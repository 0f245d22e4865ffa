import type { CaseWhere } from '@zhuguan/contract/features/cases/cases.record.ts'
import sharp from 'sharp'

import { uploadPhoto } from './photo.ts'
import type { Person, TestServer } from './start.ts'

let count = 0
/** A home that is shown at these places, as its people agreed; nothing of its raw picture is public. */
export async function shownHome(
  server: TestServer,
  by: Person,
  { bc, places = ['screen'] }: { bc: string; places?: readonly CaseWhere[] },
): Promise<{ id: string; key: string; raw: string; contact: string }> {
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
  return { id: made!.id, key, raw, contact: home!.contact }
}
