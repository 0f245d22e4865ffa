import type { patrolsApi } from '@zhuguan/contract/features/patrols/patrols.api.ts'
import {
  itemVerdict,
  type Lack,
  lackOf,
  type PatrolDetail,
} from '@zhuguan/contract/features/patrols/patrols.record.ts'
import type { BodyOf } from '@zhuguan/contract/kit/api.ts'
import { createStore, del, get, set, values } from 'idb-keyval'

import { type DraftPhoto, dropPhotos } from '../../parts/photoStore.ts'

export interface DraftItem {
  verdict: (typeof itemVerdict.values)[number] | null
  remark: string
  problem: string
  assignee_id: string | null
  photos: DraftPhoto[]
}
export type Handed = BodyOf<(typeof patrolsApi)['submit']>
/** A patrol that was begun, with what has been filled in and has not been handed in. */
export interface Draft {
  id: string
  /** Nobody else who signs in to this browser sees it. */
  user: string
  patrol: PatrolDetail
  /** Anybody who can be given the corrections. */
  people: { id: string; nickname: string }[]
  remark: string
  items: Record<string, DraftItem>
  savedAt: number
  /** What was sent and not yet answered: sent again it is the same. */
  sending: Handed | null
}

const drafts = createStore('zhuguan-patrols', 'drafts')

export const nothingYet: DraftItem = { verdict: null, remark: '', problem: '', assignee_id: null, photos: [] }
export const itemOf = (draft: Draft, id: string): DraftItem => draft.items[id] ?? nothingYet
export const photosOf = (draft: Draft): DraftPhoto[] => Object.values(draft.items).flatMap((i) => i.photos)

export async function readDraft(id: string, user: string): Promise<Draft | null> {
  const draft = await get<Draft>(id, drafts)
  return draft?.user === user ? draft : null
}
export const draftsOf = async (user: string): Promise<Draft[]> =>
  (await values<Draft>(drafts)).filter((d) => d.user === user).sort((a, b) => b.savedAt - a.savedAt)
export const keepDraft = (draft: Draft): Promise<void> => set(draft.id, draft, drafts)
export async function dropDraft(draft: Draft): Promise<void> {
  await dropPhotos(photosOf(draft).map((p) => p.id))
  await del(draft.id, drafts)
}

const LACKS: Readonly<Record<Lack, string>> = {
  verdict: '还没有判定',
  why: '请说明为什么不适用',
  problem: '请写明要整改的问题',
  photo: '必须拍照',
}
/** The reason why the draft cannot be handed in yet, item by item. */
export function missingOf(draft: Draft): { id: string; why: string }[] {
  return draft.patrol.items.flatMap((item) => {
    const { photos: taken, ...said } = itemOf(draft, item.id)
    const lack = lackOf(item, { ...said, photos: taken.length })
    if (lack) return [{ id: item.id, why: LACKS[lack] }]
    const bad = taken.find((p) => p.why)
    return bad ? [{ id: item.id, why: `有照片不能用：${bad.why}，请去掉` }] : []
  })
}

/** The form that is handed in; every picture has been sent by then. */
export const bodyOf = (draft: Draft): Handed => ({
  id: draft.id,
  remark: draft.remark.trim(),
  items: draft.patrol.items.map((item) => {
    const said = itemOf(draft, item.id)
    return {
      id: item.id,
      verdict: said.verdict!,
      remark: said.remark.trim(),
      pictures: said.photos.flatMap((p) => p.key ?? []),
      correction:
        said.verdict === itemVerdict.code.failed
          ? { problem: said.problem.trim(), assignee_id: said.assignee_id }
          : null,
    }
  }),
})
