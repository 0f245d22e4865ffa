import { siteActions } from '@zhuguan/contract/features/sites/sites.actions.ts'
import { type SiteRow, siteStatus } from '@zhuguan/contract/features/sites/sites.record.ts'

import { actionsOf } from '../../kit/actionsOf.ts'
import type { RowAction } from '../../kit/RowActions.tsx'
import { useGranted } from '../../parts/granted.tsx'
import { useBranches } from '../../parts/places.tsx'
import { useActor } from '../../parts/session.ts'

export type SiteDrawerKind =
  | 'edit'
  | 'people'
  | 'bind'
  | 'ready'
  | 'lived'
  | 'move'
  | 'start'
  | 'finish'
  | 'terminate'
export interface OpenSiteDrawer {
  kind: SiteDrawerKind
  site: SiteRow | null
}
const { building, notStarted } = siteStatus.code
const lives = (site: SiteRow) => site.status === building || site.status === notStarted

/**
 * What this person may do to a site; each of it asks in a drawer, which says what will happen. What can never happen in
 * a site's state is left out; a site that is over is only corrected, on its own page.
 */
export function useSiteActions(
  open: (drawer: OpenSiteDrawer) => void,
  { ofOver = false }: { ofOver?: boolean } = {},
) {
  const actor = useActor()
  const branches = useBranches()
  const granted = useGranted()
  return (site: SiteRow): RowAction[] => {
    const drawer = (kind: SiteDrawerKind) => ({ open: () => open({ kind, site }) })
    const one = (needs: string, kind: SiteDrawerKind, label: string) => ({
      needs,
      key: kind,
      label,
      ...drawer(kind),
    })
    const edit = one('site:edit', 'edit', '编辑')
    if (!lives(site)) return granted(ofOver ? [edit] : [])
    const begun = site.status === building
    const states = actionsOf(siteActions, site, actor, {
      start: begun ? null : drawer('start'),
      finish: begun ? drawer('finish') : null,
      terminate: drawer('terminate'),
    })
    const of = (name: string) => states.filter((a) => a.key === name)
    return granted([
      edit,
      ...of('start'),
      one('order:ready', 'ready', '可以到货'),
      one('site:bind', 'bind', '绑定设备'),
      one('site:edit', 'people', '换管家/经理'),
      ...(branches.length > 1 ? [one('site:edit', 'move', '转分公司')] : []),
      // What is done once in a site's life, or cannot be taken back, is not beside what is done every day.
      ...of('finish'),
      one('site:lived', 'lived', site.livedIn ? '取消有人居住' : '有人居住'),
      ...of('terminate'),
    ])
  }
}
