import type { goodsApi } from '@zhuguan/contract/features/goods/goods.api.ts'
import {
  finding,
  goodsOutcome,
  type SheetDetail,
  splitTooFar,
} from '@zhuguan/contract/features/goods/goods.record.ts'
import type { BodyOf } from '@zhuguan/contract/kit/api.ts'
import * as money from '@zhuguan/contract/kit/money.ts'

import { randomKey } from '../../kit/api.ts'
import { shelf } from '../../kit/shelf.ts'
import { type DraftPhoto, dropPhotos } from '../../parts/photoStore.ts'

export type Judged = BodyOf<(typeof goodsApi)['judge']>
type Finding = Judged['findings'][number]
/** What was found of a line, as it is being filled in. */
export type DraftFinding = Omit<Finding, 'line_id' | 'photos'> & { id: string; photos: DraftPhoto[] }
/** A sheet that is being judged: kept in this browser until the server has answered. */
export interface SheetDraft {
  id: string
  /** Nobody else who signs in to this browser sees it. */
  user: string
  sheet: SheetDetail
  /** The findings of each line; a line that is not named waits on. */
  findings: Record<string, DraftFinding[]>
  /** Handed in and not yet answered: sent again it is the same, under the same name. */
  sending: { key: string; body: Judged | null } | null
  /** The sheet as it was filled in, where somebody has changed it since. */
  before: SheetDetail | null
  /** Why the server did not take it. */
  fault: string
  savedAt: number
}
export type SheetLine = SheetDetail['lineList'][number]

const drafts = shelf<SheetDraft>('sheets')
export const keepDraft = (draft: SheetDraft): Promise<void> => drafts.put(draft.id, draft)
export const draftsOf = async (user: string): Promise<SheetDraft[]> =>
  (await drafts.all().catch(() => [])).filter((d) => d.user === user)
export const photosOf = (draft: SheetDraft): DraftPhoto[] =>
  Object.values(draft.findings)
    .flat()
    .flatMap((f) => f.photos)
export async function dropDraft(draft: SheetDraft): Promise<void> {
  await dropPhotos(photosOf(draft).map((p) => p.id))
  await drafts.remove(draft.id)
}

const { accepted, return: returned } = finding.code
export const isWaiting = (line: SheetLine): boolean => !money.isZero(line.waiting)
export const newFinding = (
  quantity: string,
  result: DraftFinding['result'] = accepted,
  id = randomKey(),
): DraftFinding => ({
  id,
  result,
  quantity,
  reasonCode: 'broken',
  reason: '',
  photos: [],
  outcome: goodsOutcome.code.none,
  outcomeReason: '',
  scrap: false,
})
/** All that waits is taken to be fine until somebody says otherwise. */
export const begin = (sheet: SheetDetail, user: string): SheetDraft => ({
  id: sheet.id,
  user,
  sheet,
  findings: Object.fromEntries(
    sheet.lineList.filter(isWaiting).map((l) => [l.line_id, [newFinding(l.waiting, accepted, l.line_id)]]),
  ),
  sending: null,
  before: null,
  fault: '',
  savedAt: 0,
})

const isNumber = (text: string): boolean => /^\d{1,12}(\.\d{1,3})?$/.test(text)
/** The quantity that it is a part of; nothing where something that was typed is no number. */
export const sumOf = (findings: readonly DraftFinding[]): string | null =>
  findings.every((f) => isNumber(f.quantity)) ? money.total(findings.map((f) => f.quantity)) : null
/** What of a line nobody has said anything about yet. */
export function leftOf(line: SheetLine, findings: readonly DraftFinding[]): string | null {
  const said = sumOf(findings)
  return said === null ? null : money.less(line.waiting, said)
}

function lackOf(f: DraftFinding): string | undefined {
  if (!isNumber(f.quantity) || money.isZero(f.quantity)) return '请填写数量，应大于 0'
  if (f.result === accepted) return undefined
  const bad = f.photos.find((p) => p.why)
  if (bad) return `有照片不能用：${bad.why}，请去掉`
  if (f.photos.length === 0) return '不合格的必须拍照'
  if (f.result !== returned) return undefined
  if (f.outcome === goodsOutcome.code.none) return '退货请选择再订还是不要'
  const isBorne = f.outcome === goodsOutcome.code.borne
  return isBorne && f.outcomeReason.trim() === '' ? '由公司承担请写明原因' : undefined
}
/** The reason why it cannot be handed in like this, by line. */
export function lacksOf({ sheet, findings }: SheetDraft): Record<string, string> {
  const lacks: Record<string, string> = {}
  for (const line of sheet.lineList) {
    const said = findings[line.line_id] ?? []
    const lack = said.map(lackOf).find(Boolean) ?? splitTooFar(said)
    const left = leftOf(line, said)
    if (lack) lacks[line.line_id] = lack
    else if (left !== null && left.startsWith('-'))
      lacks[line.line_id] = `一共填了 ${sumOf(said)} ${line.unit}，待验收只有 ${line.waiting} ${line.unit}`
  }
  return lacks
}
/** The form that is handed in; every picture has been sent by then. */
export const bodyOf = ({ sheet, findings }: SheetDraft): Judged => ({
  id: sheet.id,
  version: sheet.version,
  findings: Object.entries(findings).flatMap(([line_id, list]) =>
    list.map(({ id: _id, photos, ...f }) => ({
      ...f,
      line_id,
      photos: f.result === accepted ? [] : photos.flatMap((p) => p.key ?? []),
      ...(f.result === returned ? {} : { outcome: goodsOutcome.code.none, outcomeReason: '' }),
      scrap: f.result === returned || f.result === finding.code.exchange ? f.scrap : false,
    })),
  ),
})

/** The same draft over the sheet as it is now. */
export const rebased = (draft: SheetDraft, sheet: SheetDetail): SheetDraft => ({
  ...draft,
  sheet,
  before: draft.before ?? draft.sheet,
  sending: null,
  fault: '',
})
/** The changes of the lines while the draft was filled in, in words. */
export function changesOf({ before, sheet }: SheetDraft): string[] {
  if (!before) return []
  return sheet.lineList.flatMap((line) => {
    const was = before.lineList.find((l) => l.line_id === line.line_id)
    if (!was || was.waiting === line.waiting) return []
    const known = new Set(was.judgements.map((j) => j.id))
    const done = line.judgements
      .filter((j) => !known.has(j.id))
      .map((j) => `${j.who} 判 ${j.quantity} ${line.unit}${finding.label(j.result)}`)
    const why = done.length ? `（${done.join('，')}）` : ''
    return [`“${line.name}”待验收 ${was.waiting} → ${line.waiting} ${line.unit}${why}`]
  })
}
