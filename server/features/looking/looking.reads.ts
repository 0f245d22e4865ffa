import { isOver, livedInText, overText } from '@zhuguan/contract/features/looking/looking.record.ts'
import { siteStatus } from '@zhuguan/contract/features/sites/sites.record.ts'

import { found } from '../../kit/refuse.ts'
import { bool, int2, row, type RowOf, uuid } from '../../kit/row.ts'
import { shanghaiTime } from '../../kit/shanghai.ts'
import type { Tx } from '../../kit/tx.ts'
import { clocksOf } from '../settings/business-time.reads.ts'

/** In a statement where the site is `w`: what decides whether somebody looks through its cameras. */
export const HOME_COLUMNS = `w.status AS "siteStatus", w.lived_in AS "livedIn", w.bc_id AS "homeBc"`
export const homeColumns = { siteStatus: int2.of(siteStatus), livedIn: bool, homeBc: uuid }
const homeRow = row(homeColumns)
export type HomeRow = RowOf<typeof homeRow>

export interface Looking {
  /** The reason why nobody looks now; empty where somebody may. */
  why: string
  /** When nobody may any more; null where no end is known. */
  until: number | null
}
const MAY: Looking = { why: '', until: null }

/**
 * Whether somebody looks through the cameras of these homes at a moment. After its end a site is somebody's home and
 * nobody looks; where people live while it is built, nobody does outside of working hours.
 */
export async function lookings(
  tx: Tx,
  tenant: string,
  homes: readonly HomeRow[],
  at: Date,
): Promise<(home: HomeRow) => Looking> {
  const lived = homes.filter((h) => h.livedIn && !isOver(h))
  const clocks = lived.length
    ? await clocksOf(
        tx,
        'answerHours',
        lived.map((h) => ({ tenant, bc: h.homeBc })),
      )
    : undefined
  return (home) => {
    if (isOver(home)) return { why: overText(home), until: null }
    if (!home.livedIn || !clocks) return MAY
    const { from, to } = clocks.span(home.homeBc, at)
    return from > at
      ? { why: livedInText(shanghaiTime(from).slice(5, 16)), until: null }
      : { why: '', until: Math.floor(to.getTime() / 1000) }
  }
}

/** The home of a site, whoever asks. */
export async function homeAt(tx: Tx, tenant: string, site: string): Promise<HomeRow | undefined> {
  const { rows } = await tx.query(
    'video.home',
    homeRow,
    `SELECT ${HOME_COLUMNS} FROM sites w WHERE w.tenant_id = $1 AND w.id = $2`,
    [tenant, site],
  )
  return rows[0]
}

/** Whether somebody looks through the cameras of a site that the caller has found in reach. */
export async function lookingAt(tx: Tx, tenant: string, site: string, at: Date): Promise<Looking> {
  const home = found(await homeAt(tx, tenant, site))
  return (await lookings(tx, tenant, [home], at))(home)
}

/** A camera of a list as it is shown: without its picture while nobody looks. */
export const shownOf = <C extends { picture: string | null; pictureAt: number | null }>(
  camera: C,
  { why }: Looking,
): C & { noLook: string } =>
  why ? { ...camera, picture: null, pictureAt: null, noLook: why } : { ...camera, noLook: '' }
