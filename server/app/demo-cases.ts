import { casesApi } from '@zhuguan/contract/features/cases/cases.api.ts'
import type { caseScope, caseWhere } from '@zhuguan/contract/features/cases/cases.record.ts'
import { consentAnswer, consentHow } from '@zhuguan/contract/features/consents/consents.record.ts'
import { ownersApi } from '@zhuguan/contract/features/owners/owners.api.ts'
import type { DataOf } from '@zhuguan/contract/kit/api.ts'

import { addDays } from '../kit/shanghai.ts'
import { momentOf, room, type Run } from './demo-promised.ts'
import type { Story } from './demo-timeline.ts'

type Scope = (typeof caseScope.values)[number]
type Where = (typeof caseWhere.values)[number]
type Possible = DataOf<typeof casesApi.possible>[number]
type Step =
  | 'agreed'
  | 'asked'
  | 'disagreed'
  | 'expired'
  | 'masked'
  | 'published'
  | 'raw'
  | 'refused'
  | 'released'
  | 'takenDown'
  | 'withdrawn'
interface Told {
  /** One of the homes that the branch's steward keeps, counted from the last one. */
  home: number
  /** Days from today on which its pictures were taken. */
  day: number
  title: string
  words: string
  /** How far it has come: every step that follows the one before. */
  to: Step
  scope?: readonly Scope[]
  places?: readonly Where[]
  until?: number
}
const ALL = ['photos', 'community', 'layout', 'price', 'praise'] as const
const SOME = ['photos', 'layout'] as const
const NEAR = ['photos', 'community', 'price'] as const
const EVERYWHERE = ['screen', 'store', 'link'] as const
const BOTH = ['store', 'link'] as const
const STORE = ['store'] as const
const told = (
  home: number,
  day: number,
  to: Step,
  [title, words]: readonly [string, string],
  [scope, places, until]: readonly [readonly Scope[], readonly Where[], number] = [SOME, BOTH, 300],
): Told => ({ home, day, to, title, words, scope, places, until })
const BALCONY = ['把阳台还给客厅', '拆掉推拉门，阳台并进客厅，白天不用开灯。'] as const
const RENEWED = ['老房换新，水电全改', '二十年的老房，水电全部重做，墙地顶一次到位。'] as const
const STORED = ['一家四口的收纳', '玄关、走廊、卧室都做了到顶的柜子。'] as const
const KITCHEN = ['开放厨房', '厨房不做门，岛台当餐桌。'] as const
const BATHROOM = ['干湿分离的卫生间', '洗手台外置，早上不用排队。'] as const
const TILED = ['瓦工现场：薄贴与对缝', '墙砖薄贴，空鼓率全检。'] as const
const WOOD = ['木作进场', '吊顶与背景墙。'] as const
const WIRES = ['水电验收', '横平竖直，打压三十分钟。'] as const
const QUIET = ['安静的书房', '隔音棉加双层石膏板，关上门就听不见客厅。'] as const
const LIGHT = ['没有主灯的客厅', '磁吸轨道与灯带，按场景分组。'] as const
const OLD = ['给老人的家', '全屋无门槛，卫生间装了扶手，过道放宽。'] as const

/** Homes that are shown, were, or could be: every way that it can go; what ended may begin anew. */
const TOLD: Readonly<Record<string, readonly Told[]>> = {
  HZ: [
    // It is sold meanwhile: the new owners were never asked.
    told(0, -14, 'published', BALCONY, [ALL, BOTH, 300]),
    told(1, -4, 'published', RENEWED, [ALL, EVERYWHERE, 300]),
    told(2, -14, 'withdrawn', STORED, [ALL, BOTH, 180]),
    told(2, -4, 'masked', LIGHT),
    told(3, -13, 'refused', KITCHEN, [SOME, STORE, 365]),
    told(3, -9, 'disagreed', KITCHEN, [SOME, STORE, 365]),
    told(4, -9, 'agreed', BATHROOM, [ALL, ['screen', 'store'], 365]),
    told(5, -6, 'published', TILED, [NEAR, EVERYWHERE, 200]),
    told(6, -4, 'published', WOOD, [SOME, BOTH, 25]),
    told(7, -16, 'expired', WIRES, [SOME, BOTH, -5]),
    told(7, -3, 'raw', QUIET),
  ],
  NB: [
    told(0, -18, 'withdrawn', STORED, [ALL, BOTH, 180]),
    told(0, -8, 'published', BALCONY, [ALL, EVERYWHERE, 300]),
    told(1, -13, 'takenDown', RENEWED, [ALL, BOTH, 300]),
    told(2, -4, 'asked', BATHROOM, [NEAR, BOTH, 200]),
    told(3, -12, 'refused', KITCHEN, [SOME, STORE, 365]),
    told(4, -17, 'expired', TILED, [SOME, BOTH, -7]),
    told(4, -4, 'released', OLD),
  ],
  SZ: [
    told(0, -14, 'published', BALCONY, [ALL, BOTH, 300]),
    told(1, -9, 'published', RENEWED, [ALL, EVERYWHERE, 300]),
    told(2, -16, 'withdrawn', STORED, [ALL, BOTH, 180]),
    told(2, -5, 'asked', LIGHT, [ALL, BOTH, 365]),
    told(3, -12, 'refused', KITCHEN, [SOME, STORE, 365]),
    told(4, -7, 'published', OLD, [NEAR, BOTH, 25]),
    told(5, -6, 'raw', WIRES),
  ],
}

const SHOTS = 8
/**
 * The corners where these cameras write their number and the time: covered for good, and cut off where it is shown.
 */
const LETTERING = { x: 0, y: 0, w: 10_000, h: 640 }
const BELOW_IT = { x: 0, y: 640, w: 10_000, h: 9_360 }
/** Pictures of the camera that has the most up to that day: the first, the last, and some in between. */
function chosen(possible: readonly Possible[], until: string): string[] {
  const taken = possible.filter((p) => p.camera && p.day <= until).toReversed()
  const of = (camera: string) => taken.filter((p) => p.camera === camera)
  const [most] = [...new Set(taken.map((p) => p.camera))]
    .map(of)
    .toSorted((one, other) => other.length - one.length)
  if (!most) return []
  const at = Array.from({ length: SHOTS }, (_, i) => Math.round((i * (most.length - 1)) / (SHOTS - 1)))
  return [...new Set(at)].map((i) => most[i]!.key)
}

async function* shown(run: Run, told: Told, i: number): Story {
  const { cast, sites, today } = run
  const site_id = sites.at(-1 - told.home)
  if (!site_id || told.home >= sites.length) return
  const { gm, steward } = cast
  yield momentOf(today, told.day, i)
  const possible = await steward.call(casesApi.possible, { query: { site_id } })
  const pictures = chosen(possible, addDays(today, told.day))
  // Where no camera has looked yet, there is nothing to show.
  if (pictures.length < 2) return
  const { title, words } = told
  const { id } = await steward.call(casesApi.add, { body: { site_id, title, words, pictures } })
  if (told.to === 'raw') return
  const now = (who = steward) => who.call(casesApi.details, { query: { id } })
  for (const { id: shot } of (await now()).pictures) {
    const p = (await now()).pictures.find((o) => o.id === shot)!
    const seen = { id: p.id, version: p.version }
    // A camera that was moved in between has its lettering covered anew.
    if (p.fixed.length === 0) await steward.call(casesApi.zones, { body: { ...seen, masks: [LETTERING] } })
    await steward.call(casesApi.mask, { body: { ...seen, turn: 0, masks: [], crop: BELOW_IT } })
  }
  if (told.to === 'masked') return
  for (const p of (await now()).pictures)
    await gm.call(casesApi.release, { body: { id: p.id, version: p.version } })
  if (told.to === 'released') return
  await steward.call(casesApi.ask, {
    body: {
      id,
      version: (await now()).version,
      scope: [...told.scope!],
      places: [...told.places!],
      until: addDays(today, told.until!),
    },
  })
  if (told.to === 'asked') return
  yield momentOf(today, told.day + 2, i)
  const { given, refused } = consentAnswer.code
  /** Written down by the steward, with what proves it: telephones of these homes are other stories'. */
  const onPaper = async (contact_id: string, said: typeof given | typeof refused) =>
    steward.call(casesApi.answer, {
      body: {
        id,
        version: (await now()).version,
        contact_id,
        answer: said,
        how: consentHow.code.written,
        answeredOn: addDays(today, told.day + 2),
        proof: await steward.send(await room(run.first + 700 + i)),
      },
    })
  const signatory = (await now()).contacts.find((c) => c.signatory)!.id
  if (told.to === 'disagreed') {
    // Whoever signed says yes; the other one's no of before stands.
    await onPaper(signatory, given)
    return
  }
  if (told.to === 'refused') {
    const phone = `1390000${4_000 + run.first + i}`
    const spouse = await steward.call(ownersApi.addContact, {
      body: { site_id, name: '沈女士', relation: 'spouse', phone },
    })
    await onPaper(spouse.id, refused)
    return
  }
  await onPaper(signatory, given)
  if (told.to === 'agreed') return
  yield momentOf(today, told.day + 3, i)
  await gm.call(casesApi.publish, { body: { id, version: (await now(gm)).version } })
  // Its last day comes by itself.
  if (told.to === 'published' || told.to === 'expired') return
  yield momentOf(today, told.day + 9, i)
  if (told.to === 'takenDown') {
    const { version } = await now(gm)
    await gm.call(casesApi.takeDown, { body: { id, version, reason: '业主说客厅换了沙发，拍好再上' } })
    return
  }
  await steward.call(casesApi.withdraw, {
    body: { id, version: (await now()).version, reason: '业主来电收回，说孩子要上学了' },
  })
}

/** Homes of a branch that are shown, were, or could be, as far as it has such homes. */
export const casesOf = (run: Run, code: string): Story[] => TOLD[code]!.map((told, i) => shown(run, told, i))
