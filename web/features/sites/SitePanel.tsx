import { useInfiniteQuery } from '@tanstack/react-query'
import { sitesApi } from '@zhuguan/contract/features/sites/sites.api.ts'
import { noWork, type SiteRow, siteStage, siteStatus } from '@zhuguan/contract/features/sites/sites.record.ts'

import { call, callAddressed } from '../../kit/api.ts'
import { LinkTo, hrefOf } from '../../kit/LinkTo.tsx'
import { Failed } from '../../kit/list/ListPage.tsx'
import { Sign } from '../../kit/map/MapBox.tsx'
import { useMayOpen } from '../../parts/session.ts'
import { SiteCard } from './SiteCard.tsx'
import type { SiteFilter } from './SiteFilters.tsx'
import { SITE_KINDS } from './sitePoints.ts'

const PAGE = 20
/** More ids than this make an address too long to hand on. */
const MOST_IDS = 100

export interface Chosen {
  title: string
  /** These sites in this order, or whatever the filters give. */
  ids?: readonly string[]
  filters?: Partial<Record<SiteFilter, string>>
}
interface Props {
  chosen: Chosen
  /** The kind of a site on the map, of SITE_KINDS; nothing where it has no place there. */
  kindOf: (id: string) => number | undefined
  mayMove: boolean
  mayList: boolean
  onShow: (ids: readonly string[]) => void
  onMove: (site: SiteRow) => void
  onClose: () => void
}

/** The sites that were clicked or circled, as a list. */
export function SitePanel({ chosen, kindOf, mayMove, mayList, onShow, onMove, onClose }: Props) {
  const { ids } = chosen
  const onMap = (id: string) => kindOf(id) !== undefined
  const mayAlarm = useMayOpen('AlarmEvent')
  const { data, error, isFetching, fetchNextPage, hasNextPage, refetch } = useInfiniteQuery({
    queryKey: [sitesApi.list.path, 'panel', ids, chosen.filters],
    initialPageParam: 0,
    queryFn: async ({ pageParam, signal }) => {
      if (!ids)
        return callAddressed(
          sitesApi.list,
          { ...chosen.filters, pageNo: pageParam + 1, pageSize: PAGE },
          signal,
        )
      const some = ids.slice(pageParam * PAGE, (pageParam + 1) * PAGE)
      const page = await call(sitesApi.list, { query: { ids: some, pageSize: PAGE } }, signal)
      return {
        ...page,
        totalCount: ids.length,
        list: page.list.toSorted((a, b) => some.indexOf(a.id) - some.indexOf(b.id)),
      }
    },
    getNextPageParam: (last, pages) => (pages.length * PAGE < last.totalCount ? pages.length : undefined),
  })
  const sites = data?.pages.flatMap((p) => p.list) ?? []
  const tooMany = !!ids && ids.length > MOST_IDS
  const narrowed = ids ? { ids: ids.join(',') } : chosen.filters!
  const filters = tooMany ? null : narrowed
  return (
    <aside className="map-side" aria-label={chosen.title}>
      <header>
        <h2 title={chosen.title}>{chosen.title}</h2>
        <button className="icon-button" aria-label="关闭" onClick={onClose}>
          ×
        </button>
      </header>
      {error ? (
        <Failed error={error} again={() => void refetch()} />
      ) : (
        <ol aria-busy={isFetching}>
          {sites.map((s) => (
            <li key={s.id}>
              {ids?.length === 1 && <SiteCard id={s.id} />}
              <p>
                {onMap(s.id) && <Sign kind={SITE_KINDS[kindOf(s.id)!]!} />}
                <LinkTo page="SiteInfo" query={{ id: s.id }} title={s.ws_name}>
                  {s.ws_name}
                </LinkTo>
              </p>
              <small title={`${s.community} ${s.address}`}>
                {siteStatus.label(s.status)}
                {s.stage && s.status === 1 ? ` · ${siteStage.label(s.stage)} ${s.progress}%` : ''} ·{' '}
                {s.bc_name} · {s.managerName || '没有项目经理'}
              </small>
              <p className="line">
                {s.openAlarms > 0 && mayAlarm && (
                  <LinkTo page="AlarmEvent" query={{ site_id: s.id, correctionStatus: '1,2' }}>
                    未办结报警 {s.openAlarms}
                  </LinkTo>
                )}
                {s.noWork.length > 0 && (
                  <span>无人施工 {s.noWork.map((c) => noWork.label(c)).join('、')}</span>
                )}
                {s.devicesTotal > 0 && (
                  <span>
                    设备 {s.devicesOnline}/{s.devicesTotal}
                  </span>
                )}
                {onMap(s.id) && (
                  <button className="text-button" onClick={() => onShow([s.id])}>
                    定位
                  </button>
                )}
                {mayMove && (
                  <button className="text-button" onClick={() => onMove(s)}>
                    {onMap(s.id) ? '修正位置' : '放到地图上'}
                  </button>
                )}
              </p>
            </li>
          ))}
          {!data &&
            [0, 1, 2].map((i) => (
              <li key={i} className="skeleton-line">
                <span />
                <span />
              </li>
            ))}
          {data && sites.length === 0 && <li className="quiet">没有符合条件的工地。</li>}
          {hasNextPage && (
            <li>
              <button className="text-button more" disabled={isFetching} onClick={() => void fetchNextPage()}>
                再看 {PAGE} 个
              </button>
            </li>
          )}
        </ol>
      )}
      <div className="foot">
        {ids && ids.length > 1 && (
          <button className="button small" onClick={() => onShow(ids)}>
            放大到这些工地
          </button>
        )}
        {mayList && filters && (
          <a className="button small" href={hrefOf('SiteList', filters)}>
            在列表中查看
          </a>
        )}
      </div>
    </aside>
  )
}
