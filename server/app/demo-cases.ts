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
interface Told {
  /** Of the homes that the branch's steward keeps, counted from the last one. */
  home: number
  /** Days from today on which its pictures were taken. */
  day: number
  title: string
  words: string
  /** How far it has come: every step that follows the one before. */
  to: 'agreed' | 'asked' | 'masked' | 'published' | 'raw' | 'refused' | 'withdrawn'
  scope?: readonly Scope[]
  places?: readonly Where[]
  until?: number
}
const ALL = ['photos', 'community', 'layout', 'price', 'praise'] as const
const SOME = ['photos', 'layout'] as const
/** Homes that are shown, were, or could be: every way that it can go. */
const TOLD: readonly Told[] = [
  {
    home: 0,
    day: -14,
    title: '把阳台还给客厅',
    words: '拆掉推拉门，阳台并进客厅，白天不用开灯。',
    to: 'published',
    scope: ALL,
    places: ['screen', 'store', 'link'],
    until: 300,
  },
  {
    home: 1,
    day: -13,
    title: '老房换新，水电全改',
    words: '二十年的老房，水电全部重做，墙地顶一次到位。',
    to: 'published',
    scope: SOME,
    places: ['store', 'link'],
    until: 25,
  },
  {
    home: 2,
    day: -12,
    title: '一家四口的收纳',
    words: '玄关、走廊、卧室都做了到顶的柜子。',
    to: 'withdrawn',
    scope: ALL,
    places: ['store', 'link'],
    until: 180,
  },
  {
    home: 3,
    day: -11,
    title: '开放厨房',
    words: '厨房不做门，岛台当餐桌。',
    to: 'refused',
    scope: SOME,
    places: ['store'],
    until: 365,
  },
  {
    home: 4,
    day: -9,
    title: '干湿分离的卫生间',
    words: '洗手台外置，早上不用排队。',
    to: 'asked',
    scope: ALL,
    places: ['screen', 'store'],
    until: 365,
  },
  {
    home: 5,
    day: -7,
    title: '瓦工现场：薄贴与对缝',
    words: '墙砖薄贴，空鼓率全检。',
    to: 'agreed',
    scope: SOME,
    places: ['store', 'link'],
    until: 200,
  },
  { home: 6, day: -5, title: '木作进场', words: '吊顶与背景墙。', to: 'masked' },
  { home: 7, day: -4, title: '水电验收', words: '横平竖直，打压三十分钟。', to: 'raw' },
]

const SHOTS = 4
/** Of the camera with the most pictures up to that day: the first, the last, and some in between. */
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
  for (const p of (await now()).pictures)
    await steward.call(casesApi.mask, {
      body: {
        id: p.id,
        version: p.version,
        turn: 0,
        masks: [{ x: 1_200 + (i % 4) * 1_500, y: 5_600, w: 1_200, h: 1_100 }],
      },
    })
  if (told.to === 'masked') return
  for (const p of (await now()).pictures)
    await gm.call(casesApi.release, { body: { id: p.id, version: p.version } })
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
  if (told.to === 'refused') {
    const phone = `1390000${4_000 + run.first + i}`
    const spouse = await steward.call(ownersApi.addContact, {
      body: { site_id, name: '沈女士', relation: 'spouse', phone },
    })
    await onPaper(spouse.id, refused)
    return
  }
  await onPaper((await now()).contacts.find((c) => c.signatory)!.id, given)
  if (told.to === 'agreed') return
  yield momentOf(today, told.day + 3, i)
  await gm.call(casesApi.publish, { body: { id, version: (await now(gm)).version } })
  if (told.to === 'published') return
  yield momentOf(today, told.day + 9, i)
  await steward.call(casesApi.withdraw, {
    body: { id, version: (await now()).version, reason: '业主来电收回，说孩子要上学了' },
  })
}

/** Homes of a branch that are shown, or could be; the smaller branches have fewer. */
export const casesOf = (run: Run, most: number): Story[] =>
  TOLD.slice(0, most).map((told, i) => shown(run, told, i))
