import { createStore, del, entries, get, set } from 'idb-keyval'

/** The store of a page in this browser while it has no network: records with pictures, by name. */
export interface Shelf<T> {
  get(key: string): Promise<T | undefined>
  put(key: string, value: T): Promise<void>
  remove(key: string): Promise<void>
  /** In the order of their keys. */
  all(): Promise<T[]>
}
const store = createStore('zhuguan-kept', 'kept')

/** Names of one shelf begin alike; shelves of different names know nothing of each other. */
export function shelf<T>(name: string): Shelf<T> {
  const keyOf = (key: string) => `${name}/${key}`
  return {
    // A browser without storage says so by throwing: like any other failure that is for whoever asks.
    get: async (key) => get<T>(keyOf(key), store),
    put: async (key, value) => set(keyOf(key), value, store),
    remove: async (key) => del(keyOf(key), store),
    all: async () =>
      (await entries<string, T>(store))
        .filter(([key]) => key.startsWith(keyOf('')))
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
        .map(([, value]) => value),
  }
}
