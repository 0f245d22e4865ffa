import { useQuery } from '@tanstack/react-query'
import { handoversApi } from '@zhuguan/contract/features/handovers/handovers.api.ts'
import { hasPermission } from '@zhuguan/contract/kit/permits.ts'
import { useState } from 'react'

import { call } from '../../kit/api.ts'
import { Fact } from '../../kit/Facts.tsx'
import { lazyPart } from '../../kit/lazyPart.tsx'
import { useLive } from '../../kit/live.ts'
import { HandoverState } from '../../parts/HandoverState.tsx'
import { useActor } from '../../parts/session.ts'

const HandoverDrawer = lazyPart(() => import('../../parts/HandoverDrawer.tsx'))

/** The handover of sales at the signature; nothing where nobody signed here. */
export function SiteHandover({ site_id }: { site_id: string }) {
  const may = hasPermission(useActor(), 'handover:read')
  const [open, setOpen] = useState(false)
  const { data, refetch } = useQuery({
    queryKey: [handoversApi.ofSite.path, site_id],
    enabled: may,
    queryFn: ({ signal }) => call(handoversApi.ofSite, { query: { site_id } }, signal),
  })
  useLive(['site'], () => refetch(), { only: (e) => e.site_id === site_id })
  const sheet = data?.sheet
  if (!sheet) return null
  return (
    <Fact name="销售交底">
      <HandoverState sheet={sheet} />{' '}
      <button className="text-button" onClick={() => setOpen(true)}>
        看交底单
      </button>
      {open && <HandoverDrawer sheet={sheet} onClose={() => setOpen(false)} onDone={() => void refetch()} />}
    </Fact>
  )
}
