import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { viewsApi } from '@zhuguan/contract/features/views/views.api.ts'

import { call } from './api.ts'

type Kept = Record<string, Record<string, unknown>>
/** What a user keeps with their account (columns, recent pages): one call brings all of it, once. */
const kept = {
  queryKey: [viewsApi.all.path],
  staleTime: Infinity,
  queryFn: ({ signal }: { signal?: AbortSignal }) => call(viewsApi.all, {}, signal) as Promise<Kept>,
}

/** undefined while it is being read, null when nothing was kept under this name. */
export function useKept(name: string): Record<string, unknown> | null | undefined {
  const { data } = useQuery(kept)
  return data && (data[name] ?? null)
}
export const readKept = async (client: QueryClient, name: string): Promise<Record<string, unknown> | null> =>
  (await client.ensureQueryData(kept))[name] ?? null

/** What is on its way, by name: saved one after the other, so that what was said last is what stays. */
const saving = new Map<string, Promise<unknown>>()

/** Shown at once and saved behind it; what could not be saved is shown no longer. */
export function useKeep(): (name: string, value: Record<string, unknown>) => Promise<unknown> {
  const client = useQueryClient()
  return (name, value) => {
    client.setQueryData<Kept>(kept.queryKey, (old) => old && { ...old, [name]: value })
    const save = () => call(viewsApi.save, { body: { name, value } })
    const saved = (saving.get(name) ?? Promise.resolve()).then(save, save)
    saving.set(name, saved)
    return saved.catch((error: Error) => {
      void client.invalidateQueries({ queryKey: kept.queryKey })
      throw error
    })
  }
}
