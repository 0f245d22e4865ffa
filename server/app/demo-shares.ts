import { randomBytes, randomUUID } from 'node:crypto'

import { casesApi } from '@zhuguan/contract/features/cases/cases.api.ts'
import { linksApi } from '@zhuguan/contract/features/links/links.api.ts'
import { quotationsApi } from '@zhuguan/contract/features/quotations/quotations.api.ts'
import { quotationStatus } from '@zhuguan/contract/features/quotations/quotations.record.ts'
import { previewsApi } from '@zhuguan/contract/features/shares/previews.api.ts'
import { previewItemKind } from '@zhuguan/contract/features/shares/previews.record.ts'
import { sharePageApi } from '@zhuguan/contract/features/shares/share-page.api.ts'
import { shareSection } from '@zhuguan/contract/features/shares/shares.record.ts'
import type { BodyOf } from '@zhuguan/contract/kit/api.ts'

import { hourOf } from '../database/seed/stories.ts'
import { addDays, shanghaiDay } from '../kit/shanghai.ts'
import type { Door } from './demo-door.ts'
import type { Branch } from './demo-people.ts'
import { after, type Story } from './demo-timeline.ts'

type Link = BodyOf<typeof linksApi.create>
type Section = (typeof shareSection.values)[number]
const PHONE =
  'Mozilla/5.0 (Linux; Android 15; PLK110) AppleWebKit/537.36 Chrome/130.0.0.0 Mobile Safari/537.36 MicroMessenger/8.0'
const PASSWORD = 'zg2026'
const A_MINUTE_H = 1 / 60
const { cases, contact, lines, pictures, total } = shareSection.code
/** The visits of each link in turn, with their length in ten seconds; the third is somebody else's. */
const LOOKS = [[3, 9], [1], [6, 2, 4], [2], [12], [5], []] as const
/** Previews among the first ones say what it costs. */
const PRICED = 6
const NAMES = ['陈女士', '刘先生', '何先生', '徐女士', '马女士', '罗先生', '高女士', '郭先生']

interface Sender {
  door: Door
  branch: Branch
  until: Date
}

/** A telephone opens what was sent to it, looks for a while, and comes back another time. */
async function* looked(
  { door, until }: Sender,
  link: { token: string; password: string; looked: readonly Section[] },
  times: readonly number[],
  leaves: { name: string; phone: string } | undefined,
): Story {
  const { password, token } = link
  for (const [nth, tens] of times.entries()) {
    yield after(door, nth === 0 ? 1 : 5)
    if (door.now() >= until) return
    // Whoever it was passed on to has another telephone.
    const of = nth < 2 ? 'own' : 'passed on'
    const device = await door.once(async () => ({ of, id: randomBytes(16).toString('hex') }))
    const who = door.guest(PHONE)
    const { pass } = await who.call(linksApi.open, { body: { token, pass: '', device: device.id, password } })
    const bearer = { token, pass, device: device.id }
    await who.call(sharePageApi.state, { body: bearer })
    for (let i = 0; i < tens; i += 1) {
      yield after(door, A_MINUTE_H / 6)
      await who.call(sharePageApi.seen, { body: { ...bearer, seconds: 10, looked: [...link.looked] } })
    }
    if (leaves && nth === times.length - 1) {
      const act = await door.once(async () => randomUUID())
      await who.call(sharePageApi.interest, { body: { ...bearer, act, ...leaves, agreed: true } })
      await who.call(sharePageApi.seen, { body: { ...bearer, seconds: 5, looked: [contact] } })
    }
  }
}

/** A link that was sent, and its fate; `i` is its place among the links of the branch. */
async function* sent(s: Sender, i: number, most: number): Story {
  const { branch, door, until } = s
  const today = shanghaiDay(until)
  yield hourOf(addDays(today, -2 + Math.floor((2 * i) / most)), 10 + (i % 7))
  if (door.now() >= until) return
  const { quoter } = branch
  const make = (body: Partial<Link> & Pick<Link, 'kind' | 'target_id'>) =>
    quoter.call(linksApi.create, {
      body: { person: '', customer_id: null, hours: null, most: null, password: null, ...body },
    })
  const shown = (await quoter.call(casesApi.field, { query: {} })).list
  const day = shanghaiDay(door.now())
  const { list } = await quoter.call(quotationsApi.list, {
    query: { status: [quotationStatus.code.approved] },
  })
  const approved = list.filter((q) => q.validUntil >= day)
  const times = LOOKS[i % LOOKS.length]!
  const one = shown[i % Math.max(1, shown.length)]
  const q = approved[Math.floor(i / 3) % Math.max(1, approved.length)]
  if (i % 3 === 0 && one) {
    const { token } = await make({ kind: 'share', target_id: one.id, person: NAMES[i % NAMES.length]! })
    const leaves = i === 0 ? { name: NAMES[0]!, phone: '13900007001' } : undefined
    yield* looked(s, { token, password: '', looked: [cases, pictures] }, times, leaves)
  } else if (q && (i % 3 === 1 || !one)) {
    const { version_id } = await quoter.call(quotationsApi.details, { query: { id: q.id } })
    const { token } = await make({ kind: 'quotation', target_id: version_id, password: PASSWORD })
    yield* looked(s, { token, password: PASSWORD, looked: [total, lines] }, times, undefined)
  } else if (one && q) {
    const kinds = previewItemKind.code
    const isPriced = i < PRICED
    const { version_id } = await quoter.call(quotationsApi.details, { query: { id: q.id } })
    const { id } = await quoter.call(previewsApi.add, {
      body: {
        customer_id: q.customer_id,
        title: '',
        words: '这几套和您家户型差不多，您先看看，周末来店里我给您细讲。',
        items: [
          { kind: kinds.case, target_id: one.id },
          ...(isPriced ? [{ kind: kinds.quotation, target_id: version_id }] : []),
        ],
      },
    })
    const password = isPriced ? PASSWORD : ''
    const { token } = await make({ kind: 'preview', target_id: id, password: password || null })
    const seen = isPriced ? [cases, total, lines] : [cases]
    yield* looked(s, { token, password, looked: seen }, times, undefined)
  }
}

/** Links that a branch has sent to its customers in the last days, and their visits. */
export const sharesOf = (s: Sender, most: number): Story[] =>
  Array.from({ length: most }, (_, i) => sent(s, i, most))
