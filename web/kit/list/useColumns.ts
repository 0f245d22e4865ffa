import { viewsApi } from '@zhuguan/contract/features/views/views.api.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '../api.ts'

interface Choice {
  hidden: string[]
  order: string[]
}
interface Chosen {
  key: string
  fixed?: boolean
}
const NONE: Choice = { hidden: [], order: [] }

/** Fixed columns stay in front; the others stand as the user put them, new ones at their own place. */
export function arrange<C extends Chosen>(columns: readonly C[], order: readonly string[]): C[] {
  const place = (c: C, i: number) => (c.fixed ? -1 : order.includes(c.key) ? order.indexOf(c.key) : i)
  return columns.map((c, i) => ({ c, i, at: place(c, i) })).sort((a, b) => a.at - b.at || a.i - b.i).map(({ c }) => c)
}

/** Which columns a user sees, and in which order, is kept with the user, not with the machine. */
export function useColumns<C extends Chosen>(name: string, columns: readonly C[]) {
  const client = useQueryClient()
  const queryKey = [viewsApi.get.path, name]
  const { data } = useQuery({ queryKey, staleTime: Infinity, queryFn: ({ signal }) => call(viewsApi.get, { query: { name } }, signal) })
  const choice = { ...NONE, ...(data as Partial<Choice> | null) }
  const choose = (change: Partial<Choice>) => {
    const value = { ...choice, ...change }
    client.setQueryData(queryKey, value)
    void call(viewsApi.save, { body: { name, value } }).catch(() => {})
  }
  const all = arrange(columns, choice.order)
  return {
    all,
    shown: all.filter((c) => c.fixed || !choice.hidden.includes(c.key)),
    isHidden: (key: string) => choice.hidden.includes(key),
    toggle: (key: string) => choose({ hidden: choice.hidden.includes(key) ? choice.hidden.filter((k) => k !== key) : [...choice.hidden, key] }),
    /** Puts one column where another stands. */
    move: (key: string, to: string) => {
      const order = all.map((c) => c.key)
      const at = order.indexOf(to)
      order.splice(order.indexOf(key), 1)
      order.splice(at, 0, key)
      choose({ order })
    },
    reset: () => choose(NONE),
  }
}
