import type { QuotationContent } from '@zhuguan/contract/features/quotations/quotations.record.ts'
import { createStore, del, get, set } from 'idb-keyval'

import type { Written } from './document.ts'

/** What has not been saved yet, with what it was begun from: a closed tab loses nothing. */
export interface Unsaved {
  version: number
  base: QuotationContent
  written: Written
}
const store = createStore('zhuguan-quotations', 'unsaved')
const key = (id: string, user: string) => `${user}/${id}`

// Where the browser keeps nothing (a private window), what is typed is still saved by the server.
export const readUnsaved = (id: string, user: string): Promise<Unsaved | undefined> =>
  get<Unsaved>(key(id, user), store).catch(() => undefined)
export const keepUnsaved = (id: string, user: string, unsaved: Unsaved): Promise<void> =>
  set(key(id, user), unsaved, store).catch(() => {})
export const dropUnsaved = (id: string, user: string): Promise<void> =>
  del(key(id, user), store).catch(() => {})
