import {
  type CaseMask,
  type CasePicture,
  casePictureState,
} from '@zhuguan/contract/features/cases/cases.record.ts'
import { siteStage } from '@zhuguan/contract/features/sites/sites.record.ts'

import type { Scope, Tx } from '../../database/connect.ts'
import { bool, float8, int2, int4, jsonb, row, text, uuid } from '../../kit/row.ts'
import { scoped } from '../../kit/scoped.ts'
import type { Call } from '../../kit/serve.ts'
import { epoch } from '../../kit/statement.ts'
import { dropFiles, type FileStore } from '../files/files.service.ts'
import { LIVING } from './living.ts'
import { FIXED, IS_MOVED } from './zones.queries.ts'

interface Chosen {
  key: string
  at: number
  day: string
  stage: string | null
  device_id: string | null
}
export async function addPictures(
  tx: Tx,
  call: Call,
  id: string,
  pictures: readonly Chosen[],
): Promise<void> {
  for (const p of pictures)
    await tx.run(
      'cases.addpicture',
      `INSERT INTO case_pictures (tenant_id, id, case_id, picture, taken_on, stage, device_id, taken_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, to_timestamp($8))`,
      [call.user.tenant, call.newId(), id, p.key, p.day, p.stage, p.device_id, p.at],
    )
}
export async function keysOf(tx: Tx, tenant: string, id: string): Promise<string[]> {
  const { rows } = await tx.query(
    'cases.keys',
    row({ key: text }),
    'SELECT p.picture AS key FROM case_pictures p WHERE p.tenant_id = $1 AND p.case_id = $2',
    [tenant, id],
  )
  return rows.map((r) => r.key)
}
/** They leave the case, and what was made of them the disk; the pictures of the site stay the site's. */
export async function dropPictures(
  tx: Tx,
  call: Call,
  files: FileStore,
  id: string,
  keys: readonly string[],
): Promise<void> {
  if (keys.length === 0) return
  const { rows } = await tx.query(
    'cases.drop',
    row({ made: text.null }),
    `DELETE FROM case_pictures WHERE tenant_id = $1 AND case_id = $2 AND picture = ANY ($3)
     RETURNING masked_picture AS made`,
    [call.user.tenant, id, keys],
  )
  const made = rows.map((r) => r.made).filter((key) => key !== null)
  if (made.length) await dropFiles(tx, files, call.user.tenant, made)
}

/** Of the newest other picture of the same camera, as it came: a proposal for whoever masks this one. */
const PROPOSED = `coalesce((SELECT o.masks
       FROM case_pictures o
       WHERE o.tenant_id = $1 AND o.device_id = p.device_id AND o.id <> p.id AND o.turn = 0 AND o.masked_at IS NOT NULL
         AND o.state <> 'pulled'
       ORDER BY o.masked_at DESC, o.id DESC
       LIMIT 1), '[]')`
export async function picturesOf(tx: Tx, tenant: string, id: string): Promise<CasePicture[]> {
  const { rows } = await tx.query(
    'cases.pictures',
    row({
      id: uuid,
      source: text,
      rendition: text.null,
      state: text.of(casePictureState),
      stage: text.of(siteStage).null,
      day: text,
      camera: text,
      turn: int2,
      masks: jsonb<CaseMask[]>(),
      crop: jsonb<CaseMask>().null,
      fixed: jsonb<CaseMask[]>(),
      moved: bool,
      proposed: jsonb<CaseMask[]>(),
      maskedBy: text,
      masked_by: uuid.null,
      releasedBy: text,
      agreed: bool,
      version: int4,
    }),
    `SELECT p.id, p.picture AS source, CASE WHEN ${LIVING} THEN p.masked_picture END AS rendition, p.state, p.stage,
       p.taken_on::text AS day, coalesce(v.sn, '') AS camera, p.turn, p.masks, p.crop, ${FIXED} AS fixed,
       ${IS_MOVED} AS moved, ${PROPOSED} AS proposed, p.masked_by AS "maskedBy", p.masked_id AS masked_by,
       p.released_by AS "releasedBy",
       p.masked_picture IS NOT NULL AND p.masked_picture = ANY (k.agreed) AS agreed, p.version
     FROM case_pictures p
     JOIN cases k ON k.tenant_id = $1 AND k.id = p.case_id
     LEFT JOIN devices v ON v.tenant_id = $1 AND v.id = p.device_id
     WHERE p.tenant_id = $1 AND p.case_id = $2
     ORDER BY p.taken_on, p.id`,
    [tenant, id],
  )
  return rows
}

const onePicture = row({
  id: uuid,
  case_id: uuid,
  source: text,
  rendition: text.null,
  state: text.of(casePictureState),
  masked_id: uuid.null,
  maskedBy: text,
  changedBy: text,
  changedAt: float8.null,
  fixed: jsonb<CaseMask[]>(),
  camera: text.null,
  timed: bool,
  version: int4,
})
/** One picture of a case in reach. */
export async function pictureIn(tx: Tx, scope: Scope, id: string) {
  const where = scoped(scope, 'k').add((p) => `p.id = ${p}::uuid`, id)
  const { rows } = await tx.query(
    'cases.onepicture',
    onePicture,
    `SELECT p.id, p.case_id, p.picture AS source, p.masked_picture AS rendition, p.state, p.masked_id,
       p.masked_by AS "maskedBy",
       CASE WHEN p.state IN ('masked', 'released') THEN coalesce(nullif(p.released_by, ''), p.masked_by) ELSE '' END
         AS "changedBy",
       CASE WHEN p.state IN ('masked', 'released') THEN ${epoch('coalesce(p.released_at, p.masked_at)')} END
         AS "changedAt", ${FIXED} AS fixed, v.sn AS camera, p.taken_at IS NOT NULL AS timed,
       p.version
     FROM case_pictures p
     JOIN cases k ON k.tenant_id = $1 AND k.id = p.case_id
     LEFT JOIN devices v ON v.tenant_id = $1 AND v.id = p.device_id
     WHERE p.tenant_id = $1 AND ${where.text}`,
    where.values,
  )
  return rows[0]
}
/** Whether this rendition is of a case in reach that is not over: what was taken back is looked at by nobody. */
export async function isInReach(tx: Tx, scope: Scope, key: string): Promise<boolean> {
  const where = scoped(scope, 'k')
    .add((p) => `p.masked_picture = ${p}`, key)
    .plain(LIVING)
  const { rows } = await tx.query(
    'cases.inreach',
    row({ id: uuid }),
    `SELECT p.id FROM case_pictures p JOIN cases k ON k.tenant_id = $1 AND k.id = p.case_id
     WHERE p.tenant_id = $1 AND ${where.text}`,
    where.values,
  )
  return rows.length > 0
}

/** The number of a case's pictures that wait for masks, and for another person's eyes. */
export async function waitingIn(tx: Tx, tenant: string, id: string) {
  const { rows } = await tx.query(
    'cases.waiting',
    row({ raw: int4, masked: int4 }),
    `SELECT count(*) FILTER (WHERE p.state = 'raw')::int AS raw,
       count(*) FILTER (WHERE p.state = 'masked')::int AS masked
     FROM case_pictures p
     WHERE p.tenant_id = $1 AND p.case_id = $2`,
    [tenant, id],
  )
  return rows[0]!
}
