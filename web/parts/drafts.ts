import { createStore, del, delMany, get, keys, set } from 'idb-keyval'

/** What somebody has typed and not saved, kept in this browser under their name until it is, or they sign out. */
const store = createStore('zhuguan-quotations', 'unsaved')
const key = (user: string, what: string) => `${user}/${what}`

// Where the browser keeps nothing (a private window), what is typed is still saved by the server.
export const readDraft = <T>(user: string, what: string): Promise<T | undefined> =>
  get<T>(key(user, what), store).catch(() => undefined)
export const keepDraft = <T>(user: string, what: string, draft: T): Promise<void> =>
  set(key(user, what), draft, store).catch(() => {})
export const dropDraft = (user: string, what: string): Promise<void> =>
  del(key(user, what), store).catch(() => {})

/** Everybody's, or everybody else's. */
export async function forgetDrafts(but?: string): Promise<void> {
  const all = await keys<string>(store).catch(() => [])
  const gone = all.filter((one) => but === undefined || !one.startsWith(key(but, '')))
  if (gone.length) await delMany(gone, store).catch(() => {})
}

const savers = new Set<() => Promise<unknown>>()
/** Saves something of its own before whoever sits here signs out; undone by what it answers. */
export function beforeLeaving(save: () => Promise<unknown>): () => void {
  savers.add(save)
  return () => savers.delete(save)
}
const MOST_MS = 3_000
/** All of it saved, or not within a moment. */
export const savedAll = (): Promise<unknown> =>
  Promise.race([
    Promise.allSettled([...savers].map((save) => save())),
    new Promise((resolve) => setTimeout(resolve, MOST_MS)),
  ])
