import { alarmType } from '@zhuguan/contract/features/alarms/alarms.record.ts'
import { caseWhere, type PublicCase } from '@zhuguan/contract/features/cases/cases.record.ts'
import {
  type ArrangementDetail,
  holidayLight,
  isStaffOnly,
  type Scene,
  type SceneKind,
} from '@zhuguan/contract/features/screens/arrangements.record.ts'
import {
  MOST_CASES,
  MOST_RAILS,
  type PaintedScene,
  type WallContent,
} from '@zhuguan/contract/features/screens/walls-content.record.ts'

import type { Database } from '../../database/connect.ts'
import { keptAnswers } from '../../kit/kept-answers.ts'
import { wholeGroup } from '../../kit/scoped.ts'
import { addDays, shanghaiDay } from '../../kit/shanghai.ts'
import type { Scope, Tx } from '../../kit/tx.ts'
import { publicCases, publicPicture } from '../cases/cases.reads.ts'
import { type FileStore, smaller } from '../files/files.service.ts'
import { daysOff } from '../settings/business-time.reads.ts'
import {
  alarmsOf,
  type Branch,
  communitiesOf,
  countsOf,
  stagesOf,
  tidyOf,
  workedToday,
} from './wall-figures.queries.ts'
import {
  communityOf,
  craftOf,
  paintedCase,
  paintedPraise,
  paintedRail,
  placesOf,
  type Ranked,
  rankedBy,
  ringsOf,
} from './wall-scenes.ts'

/** Figures are read once a branch in so long, for all walls that show them. */
const FIGURES_MS = 15_000
/** Who takes a consent back is gone from every wall in five seconds, a look of three among them. */
const CASES_MS = 1_000
/** Days ahead for which a wall knows the days off, should nobody answer for so long. */
const DARK_DAYS = 14
/** A code that was taken back is another one after so long. */
const CODES_MS = 30_000

/** The scene to be shown, and its audience. */
export interface Showing {
  tenant: string
  bc: string
  group: string
  store: string
  arrangement: Pick<ArrangementDetail, 'name' | 'scenes' | 'opens' | 'closes' | 'holidays'> | null
  /** The scenes for the house that may be seen, and the branches of a ranking: null for all of them. */
  may: (kind: SceneKind) => boolean
  ranked: readonly string[] | null
  /** The wall on which it stands; a person who looks sees no codes. */
  wall?: Wall & { newId: () => string }
}
interface Wall {
  tenant: string
  bc: string
  id: string
  name: string
  store_id: string
}
/** The secrets that a wall shows beside these cases: `app/` gives them, for links lead back to walls. */
export type CodesOf = (
  tx: Tx,
  wall: Wall,
  cases: { ids: readonly string[]; newId: () => string },
) => Promise<Map<string, string>>

const { screen: onScreen } = caseWhere.code
/** Everything that walls show, formed from answers that are kept for a moment. */
export function wallContents({
  codesOf: ask,
  db,
  files,
}: {
  codesOf: CodesOf
  db: Database
  files: FileStore
}) {
  const seconds = (now: Date) => Math.floor(now.getTime() / 1_000)
  const ofBranch = ({ bc, tenant }: Branch): Scope => ({ tenant, bcs: [bc], sites: null, user: null })
  /** One statement's figures of a branch, with their time, asked once for all walls. */
  function keptOf<T extends object>(ask: (tx: Tx, b: Branch) => Promise<T>) {
    const kept = keptAnswers<T & { at: number }>(FIGURES_MS)
    return (b: Branch, now: Date) =>
      kept.of(`${b.bc} ${b.day}`, now, async () => ({
        ...(await db.tx(ofBranch(b), (tx) => ask(tx, b), { readOnly: true })),
        at: seconds(now),
      }))
  }
  const figures = keptOf(countsOf)
  const worked = keptOf(async (tx, b) => {
    const rows = await workedToday(tx, b)
    const sum = (of: 'sites' | 'people') => rows.reduce((n, r) => n + r[of], 0)
    return { sites: sum('sites'), people: sum('people'), places: placesOf(rows) }
  })
  const alarms = keptOf(async (tx, b) => {
    const rows = await alarmsOf(tx, b)
    const none = { open: 0, today: 0 }
    return {
      types: alarmType.values.map((type) => ({ ...none, ...rows.find((r) => r.type === type), type })),
    }
  })
  const stages = keptOf(async (tx, b) => ({ stages: craftOf(await stagesOf(tx, b)) }))
  const communities = keptOf(async (tx, b) => ({ rows: await communitiesOf(tx, b) }))
  const off = keptOf(async (tx, { bc, day, tenant }) => ({
    days: await daysOff(tx, { tenant, bc, from: day, to: addDays(day, DARK_DAYS) }),
  }))
  const ranks = keptAnswers<{ at: number; branches: Ranked[] }>(FIGURES_MS)
  const ranking = ({ ranked, tenant }: Showing, now: Date) =>
    ranks.of(`${tenant} ${ranked?.join() ?? '*'}`, now, async () => ({
      at: seconds(now),
      branches: rankedBy(
        await db.tx(wholeGroup(tenant), (tx) => tidyOf(tx, tenant, ranked), { readOnly: true }),
      ),
    }))

  const cases = keptAnswers<PublicCase[]>(CASES_MS)
  const shownCases = async ({ bc, tenant }: Branch, now: Date) =>
    (
      await cases.of(bc, now, () =>
        db.tx(wholeGroup(tenant), (tx) => publicCases(tx, tenant, onScreen, now, { bcIds: [bc] }), {
          readOnly: true,
        }),
      )
    ).slice(0, MOST_CASES)

  const codes = keptAnswers<Map<string, string>>(CODES_MS)
  /** The secrets of a wall's codes, by case: looked up, or made, once in a while and not at each look. */
  const codesOf = ({ wall }: Showing, shown: readonly PublicCase[], now: Date) => {
    const ids = shown.map((k) => k.id)
    if (!wall || ids.length === 0) return new Map<string, string>()
    const { newId, tenant } = wall
    return codes.of(`${wall.id} ${ids.join()}`, now, () =>
      db
        .tx(wholeGroup(tenant), (tx) => ask(tx, wall, { ids, newId }))
        // A disk that takes no writes takes the codes away, not the wall.
        .catch(() => new Map<string, string>()),
    )
  }

  async function paint(s: Showing, scene: Scene, place: number, now: Date): Promise<PaintedScene[]> {
    const { kind } = scene
    // Asked again here, whatever was checked when it was saved and sent.
    if (isStaffOnly(kind) && !s.may(kind)) return []
    const base = { key: `${place}-${kind}`, seconds: scene.seconds }
    const day = shanghaiDay(now)
    const branch = { tenant: s.tenant, bc: s.bc, day }
    switch (kind) {
      case 'notice': {
        const isOff = (scene.from && day < scene.from) || (scene.to && day > scene.to)
        return isOff ? [] : [{ ...base, kind, words: scene.words }]
      }
      case 'figures':
        return [{ ...base, kind, ...(await figures(branch, now)) }]
      case 'now':
        return [{ ...base, kind, ...(await worked(branch, now)) }]
      case 'alarms':
        return [{ ...base, kind, ...(await alarms(branch, now)) }]
      case 'ranking':
        return [{ ...base, kind, ...(await ranking(s, now)) }]
      case 'case': {
        const shown = await shownCases(branch, now)
        const tokens = await codesOf(s, shown, now)
        return shown.map((k) => ({
          ...base,
          kind,
          ...paintedCase(k, { key: base.key, token: tokens.get(k.id) ?? null }),
        }))
      }
      case 'rail':
        return (await shownCases(branch, now)).flatMap((k) => paintedRail(k, base)).slice(0, MOST_RAILS)
      case 'craft':
        return [{ ...base, kind, ...(await stages(branch, now)) }]
      case 'rings': {
        const { at, rows } = await communities(branch, now)
        const rings = ringsOf(rows, communityOf(scene.words))
        return rings ? [{ ...base, kind, at, ...rings }] : []
      }
      case 'praise':
        return (await shownCases(branch, now)).flatMap((k) => paintedPraise(k, base))
    }
  }

  async function contentOf(s: Showing, now: Date): Promise<WallContent> {
    const { arrangement, group, store } = s
    const all = await Promise.all(
      (arrangement?.scenes ?? []).map((scene, place) => paint(s, scene, place, now)),
    )
    const isDark = arrangement?.holidays === holidayLight.code.dark
    const day = shanghaiDay(now)
    const { days } = isDark ? await off({ tenant: s.tenant, bc: s.bc, day }, now) : { days: [] }
    return {
      at: seconds(now),
      group,
      store,
      arrangement: arrangement?.name ?? null,
      opens: arrangement?.opens ?? null,
      closes: arrangement?.closes ?? null,
      darkDays: days,
      scenes: all.flat(),
    }
  }
  /** The bytes of a picture of a case that a wall of this branch may show now. */
  async function pictureOf(
    { bc, tenant }: { tenant: string; bc: string },
    asked: { case_id: string; key: string },
    now: Date,
  ): Promise<Buffer | undefined> {
    const found = await db.tx(
      wholeGroup(tenant),
      async (tx) => {
        const narrow = { ids: [asked.case_id], bcIds: [bc] }
        if ((await publicCases(tx, tenant, onScreen, now, narrow)).length === 0) return undefined
        return publicPicture(tx, tenant, asked.case_id, asked.key, onScreen, now)
      },
      { readOnly: true },
    )
    return found && smaller(files, found.file, 'medium')
  }
  return { contentOf, pictureOf }
}
export type Contents = ReturnType<typeof wallContents>
export type ContentOf = Contents['contentOf']
