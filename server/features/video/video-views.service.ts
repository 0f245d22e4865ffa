import { LOOK_LOST_S } from '@zhuguan/contract/features/owners/looks.record.ts'
import { LOST_S } from '@zhuguan/contract/features/streams/streams.record.ts'
import { viewPurpose } from '@zhuguan/contract/features/video/purposes.record.ts'
import type { Code } from '@zhuguan/contract/kit/codes.ts'

import type { Tx } from '../../database/connect.ts'
import { invalid } from '../../kit/refuse.ts'
import { row, uuid } from '../../kit/row.ts'
import type { Call } from '../../kit/serve.ts'
import { tellChange } from '../live/live.service.ts'
import { isWorkTime } from '../settings/business-time.reads.ts'

/** The reason why somebody looks; `said` where the person said it and not the page. */
interface ViewReason {
  purpose: Code<typeof viewPurpose>
  words: string
  said: boolean
}
interface Viewed {
  device_id: string
  site_id: string
  bc_id: string
  /** The recorded seconds between two; without it the view is live and begins now. */
  recorded?: { id: string; from: number; to: number }
}

const place = row({ id: uuid, bc_id: uuid, site_id: uuid })
/** Lists of who looked show what begins and ends while they are open. */
function told(
  tx: Tx,
  tenant: string,
  views: readonly { id: string; bc_id: string; site_id: string }[],
): void {
  for (const { bc_id, id, site_id } of views)
    tellChange(tx, tenant, { topic: 'view', bc: bc_id, site: site_id, id })
}

/**
 * Writes down who looks at what and what for, once that is said; answers the view's number, and for the line of the log
 * that it was out of hours by the hours of that day: what is set later judges nobody.
 */
export async function beginView(
  tx: Tx,
  call: Call,
  viewed: Viewed,
  why: ViewReason,
): Promise<{ view: string; hours: { offHours?: true } }> {
  const { user } = call
  const { device_id, site_id, bc_id, recorded } = viewed
  const atWork = await isWorkTime(tx, user.tenant, bc_id, call.now())
  if (!why.said && !atWork)
    throw invalid('purpose', `现在不是上班时间，查看${recorded ? '录像' : '直播'}请先选择目的`)
  if (why.purpose === viewPurpose.code.other && why.words.length < 2)
    throw invalid('words', '请写明查看目的（至少 2 个字）')
  const id = call.newId()
  const begins = recorded ? new Date(recorded.from * 1000) : call.now()
  const ends = recorded ? new Date(recorded.to * 1000) : begins
  await tx.run(
    'video.view',
    `INSERT INTO video_views (tenant_id, id, bc_id, site_id, device_id, recording_id, live, user_id, user_name,
       from_at, to_at, purpose, words, at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`,
    [
      user.tenant,
      id,
      bc_id,
      site_id,
      device_id,
      recorded?.id ?? null,
      !recorded,
      user.id,
      user.nickname,
      begins,
      ends,
      why.purpose,
      why.words,
      call.now(),
    ],
  )
  told(tx, user.tenant, [{ id, bc_id, site_id }])
  return { view: id, hours: atWork ? {} : { offHours: true } }
}

/** That a person sees this camera live at this moment. */
export async function seesLive(
  tx: Tx,
  seen: { tenant: string; user: string; view: string; device: string; site: string },
): Promise<boolean> {
  const { rows } = await tx.query(
    'video.sees',
    row({ id: uuid }),
    `SELECT v.id
     FROM video_views v
     WHERE v.tenant_id = $1 AND v.user_id = $2 AND v.id = $3 AND v.device_id = $4 AND v.site_id = $5 AND v.live
       AND v.ended_at IS NULL AND v.to_at > :now - interval '${LOST_S} seconds'`,
    [seen.tenant, seen.user, seen.view, seen.device, seen.site],
  )
  return rows.length > 0
}

/** Moves the end of live views of a person that go on. */
export const keepViews = async (tx: Tx, tenant: string, user: string, views: readonly string[]) =>
  tx.run(
    'video.keep',
    `UPDATE video_views v
     SET to_at = :now
     WHERE v.tenant_id = $1 AND v.user_id = $2 AND v.id = ANY ($3::uuid[]) AND v.live AND v.ended_at IS NULL`,
    [tenant, user, views],
  )
/** Ends live views of a person for good; answers which of them had not ended before. */
export async function endViews(
  tx: Tx,
  tenant: string,
  user: string,
  views: readonly string[],
): Promise<string[]> {
  const { rows } = await tx.query(
    'video.end',
    place,
    `UPDATE video_views v
     SET to_at = greatest(v.to_at, :now), ended_at = :now
     WHERE v.tenant_id = $1 AND v.user_id = $2 AND v.id = ANY ($3::uuid[]) AND v.live AND v.ended_at IS NULL
     RETURNING v.id, v.bc_id, v.site_id`,
    [tenant, user, views],
  )
  told(tx, tenant, rows)
  return rows.map((r) => r.id)
}

/** Somebody of a home, by a link of their own on a device that was let in. */
export interface Looking {
  contact_id: string
  link_id: string
  home_device_id: string
  name: string
}
/** A look by link stands in the same log; it goes on while its page says so. */
export async function beginLook(
  tx: Tx,
  call: Pick<Call, 'newId' | 'user'>,
  viewed: Pick<Viewed, 'bc_id' | 'device_id' | 'site_id'>,
  who: Looking,
): Promise<string> {
  const id = call.newId()
  await tx.run(
    'video.look',
    `INSERT INTO video_views (tenant_id, id, bc_id, site_id, device_id, live, user_name, contact_id, link_id,
       home_device_id, from_at, to_at, purpose, words, at)
     VALUES ($1, $2, $3, $4, $5, true, $6, $7, $8, $9, :now, :now, 'look', '', :now)`,
    [
      call.user.tenant,
      id,
      viewed.bc_id,
      viewed.site_id,
      viewed.device_id,
      who.name,
      who.contact_id,
      who.link_id,
      who.home_device_id,
    ],
  )
  told(tx, call.user.tenant, [{ ...viewed, id }])
  return id
}
export const keepLooks = (tx: Tx, tenant: string, views: readonly string[]) =>
  tx.run(
    'video.keeplooks',
    `UPDATE video_views v SET to_at = :now
     WHERE v.tenant_id = $1 AND v.id = ANY ($2::uuid[]) AND v.user_id IS NULL AND v.ended_at IS NULL`,
    [tenant, views],
  )
/** Ends running looks of these views, contacts, sites or on these devices for good, and says why. @returns which */
export async function endLooks(
  tx: Tx,
  tenant: string,
  of: Partial<Record<'views' | 'contacts' | 'sites' | 'devices', readonly string[]>>,
  why: string,
): Promise<string[]> {
  const { rows } = await tx.query(
    'video.endlooks',
    place,
    `UPDATE video_views v
     SET to_at = CASE WHEN v.to_at > :now - interval '${LOOK_LOST_S} seconds' THEN greatest(v.to_at, :now)
         ELSE v.to_at END, ended_at = :now, ended_for = $6
     WHERE v.tenant_id = $1 AND v.user_id IS NULL AND v.ended_at IS NULL
       AND (v.id = ANY ($2::uuid[]) OR v.contact_id = ANY ($3::uuid[]) OR v.site_id = ANY ($4::uuid[])
         OR v.home_device_id = ANY ($5::uuid[]))
     RETURNING v.id, v.bc_id, v.site_id`,
    [tenant, of.views ?? [], of.contacts ?? [], of.sites ?? [], of.devices ?? [], why],
  )
  told(tx, tenant, rows)
  return rows.map((r) => r.id)
}
