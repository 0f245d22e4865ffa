import { siteActions } from '@zhuguan/contract/features/sites/sites.actions.ts'
import { type SiteRow, siteStatus } from '@zhuguan/contract/features/sites/sites.record.ts'

import { actionsOf } from '../../kit/actionsOf.ts'
import type { RowAction } from '../../kit/RowActions.tsx'
import { useGranted } from '../../parts/granted.tsx'
import { useBranches } from '../../parts/places.tsx'
import { useActor } from '../../parts/session.ts'

export type SiteDrawerKind = 'edit' | 'people' | 'bind' | 'move' | 'start' | 'finish' | 'terminate'
export interface OpenSiteDrawer {
  kind: SiteDrawerKind
  site: SiteRow | null
}
const { building, notStarted } = siteStatus.code
const lives = (site: SiteRow) => site.status === building || site.status === notStarted
const OVER = '工地已完工或合同已终止'

/** What this person may do to a site; each of it asks in a drawer, which says what will happen. */
export function useSiteActions(open: (drawer: OpenSiteDrawer) => void) {
  const actor = useActor()
  const branches = useBranches()
  const granted = useGranted()
  return (site: SiteRow): RowAction[] => {
    const drawer = (kind: SiteDrawerKind) => ({ open: () => open({ kind, site }) })
    const one = (needs: string, kind: SiteDrawerKind, label: string, why?: string) => ({
      needs,
      key: kind,
      label,
      why,
      ...drawer(kind),
    })
    const over = lives(site) ? undefined : OVER
    return granted([
      one('site:edit', 'edit', '编辑'),
      one('site:edit', 'people', '换管家/经理', over),
      one('site:bind', 'bind', '绑定设备', over),
      ...actionsOf(siteActions, site, actor, {
        start: drawer('start'),
        finish: drawer('finish'),
        terminate: drawer('terminate'),
      }),
      ...(branches.length > 1 ? [one('site:edit', 'move', '转分公司', over)] : []),
    ])
  }
}
