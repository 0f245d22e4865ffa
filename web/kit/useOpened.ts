import { usePage, useParam } from './page.tsx'

/** The panel that is open beside a list is in the address: it can be sent to somebody, and the way back closes it. */
export function useOpened(): [id: string | null, show: (id: string | null) => void] {
  const page = usePage()
  const opened = useParam('open') ?? useParam('id')
  function show(id: string | null) {
    const to = new URLSearchParams(page.search)
    for (const name of ['open', 'id']) to.delete(name)
    if (id) to.set('open', id)
    const search = to.toString()
    page.go(page.path + (search && `?${search}`), { replace: !id || !!opened })
  }
  return [opened, show]
}
