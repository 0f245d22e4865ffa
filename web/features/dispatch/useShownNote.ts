import { usePage, useParam } from '../../kit/page.tsx'

/** The note that is shown stands in the address: messages lead to `id`, and the way back closes what was opened. */
export function useShownNote(): [string | null, (id: string | null) => void] {
  const page = usePage()
  const opened = useParam('open')
  const shown = useParam('id')
  return [
    opened ?? shown,
    (id) => {
      const to = new URLSearchParams(page.search)
      if (id) to.set('open', id)
      else for (const name of ['open', 'id']) to.delete(name)
      const search = to.toString()
      page.go(page.path + (search && `?${search}`), { replace: !id || !!opened })
    },
  ]
}
