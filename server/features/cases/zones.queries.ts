import { correctionStatus, alarmType } from '@zhuguan/contract/features/alarms/alarms.record.ts'
import { type CaseMask, casePictureState } from '@zhuguan/contract/features/cases/cases.record.ts'
import { tidinessResult } from '@zhuguan/contract/features/sites/sites.record.ts'

import type { Tx } from '../../database/connect.ts'
import { row, text } from '../../kit/row.ts'
import type { Call } from '../../kit/serve.ts'
import { backToRaw } from './back-to-raw.ts'

const { masked, released } = casePictureState.code
const { cancelled } = correctionStatus.code
const { skewed } = tidinessResult.code
/**
 * That the camera looked the same way at both moments, in a statement whose tenant is $1: it was not taken down or put
 * up in between, and nobody and nothing said that it was skewed or put right. What was said by mistake moved nothing.
 */
const sameView = (device: string, one: string, other: string) => {
  const [from, to] = [`least(${one}, ${other})`, `greatest(${one}, ${other})`]
  const between = (moment: string) => `(${moment} > ${from} AND ${moment} <= ${to})`
  return `NOT EXISTS (SELECT FROM device_stands s
           WHERE s.tenant_id = $1 AND s.device_id = ${device} AND (${between('s.from_at')} OR ${between('s.to_at')}))
         AND NOT EXISTS (SELECT FROM alarms a
           WHERE a.tenant_id = $1 AND a.device_id = ${device} AND a.type = '${alarmType.code.cameraproblem}'
             AND a.correction_status <> ${cancelled}
             AND (${between('a.at')} OR ${between('a.closed_at')}))
         AND NOT EXISTS (SELECT FROM tidiness_checks t
           WHERE t.tenant_id = $1 AND t.device_id = ${device} AND t.result = ${skewed} AND ${between('t.at')})`
}
/** What the camera of the picture `p` never shows: the newest that was said of the view that it was taken in. */
export const FIXED = `coalesce((SELECT z.masks FROM camera_zones z
       WHERE z.tenant_id = $1 AND z.device_id = p.device_id AND ${sameView('z.device_id', 'z.seen_at', 'p.taken_at')}
       ORDER BY z.made_at DESC, z.id DESC
       LIMIT 1), '[]')`
/** That something was said of its camera, and of this view nothing. */
export const IS_MOVED = `EXISTS (SELECT FROM camera_zones z
         WHERE z.tenant_id = $1 AND z.device_id = p.device_id AND z.masks <> '[]')
       AND NOT EXISTS (SELECT FROM camera_zones z
         WHERE z.tenant_id = $1 AND z.device_id = p.device_id
           AND ${sameView('z.device_id', 'z.seen_at', 'p.taken_at')})`

/**
 * Pictures of this camera on which something is open that is fixed by now: they wait for their masks again, shown
 * nowhere. Answers the files that were made of them.
 */
export async function unmaskOpen(tx: Tx, tenant: string, picture: string): Promise<string[]> {
  const { rows } = await tx.query(
    'cases.unmask',
    row({ made: text }),
    backToRaw(`JOIN case_pictures one ON one.tenant_id = $1 AND one.id = $2 AND one.device_id = p.device_id
       WHERE p.tenant_id = $1 AND p.state IN ('${masked}', '${released}') AND NOT p.fixed @> ${FIXED}
       FOR UPDATE OF p`),
    [tenant, picture],
  )
  return rows.map((r) => r.made)
}

/** From now on, for every picture of the view that this one was taken in; what was said before stays written down. */
export const addZones = (tx: Tx, call: Call, picture: string, masks: readonly CaseMask[]) =>
  tx.run(
    'cases.zones',
    `INSERT INTO camera_zones (tenant_id, id, device_id, masks, seen_at, made_id, made_by, made_at)
     SELECT $1, $2, p.device_id, $4, p.taken_at, $5, $6, :now
     FROM case_pictures p
     WHERE p.tenant_id = $1 AND p.id = $3`,
    [call.user.tenant, call.newId(), picture, JSON.stringify(masks), call.user.id, call.user.nickname],
  )
