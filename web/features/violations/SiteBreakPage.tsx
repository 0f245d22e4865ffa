import { useQuery } from '@tanstack/react-query'
import { sitesApi } from '@zhuguan/contract/features/sites/sites.api.ts'
import { tidinessResult } from '@zhuguan/contract/features/sites/sites.record.ts'
import { violationsApi } from '@zhuguan/contract/features/violations/violations.api.ts'

import { call } from '../../kit/api.ts'
import { Failed } from '../../kit/list/ListPage.tsx'
import { useList } from '../../kit/list/useList.ts'
import { useLive } from '../../kit/live.ts'
import { NoSubject } from '../../kit/NoSubject.tsx'
import { Picture } from '../../kit/Picture.tsx'
import { full, short } from '../../kit/time.ts'
import { Tidy } from '../../parts/Tidy.tsx'
import { Violations } from './Violations.tsx'

import './violations.css'

/** Violations of one site, and how tidy it was found to be. */
export default function SiteBreakPage() {
  const list = useList(violationsApi.list, { about: 'site_id' })
  const { site_id } = list.address.filters
  const { data: site } = useQuery({
    queryKey: [sitesApi.details.path, site_id],
    enabled: !!site_id,
    queryFn: ({ signal }) => call(sitesApi.details, { query: { id: site_id! } }, signal),
  })
  if (!site_id) return <NoSubject what="工地" from="工地信息" />
  return (
    <div className="site-break">
      <Violations
        list={list}
        of={{ site_id }}
        about={<b className="about">{site?.ws_name}</b>}
        empty="这个工地没有违规。"
      />
      <Checks site={site_id} />
    </div>
  )
}

function Checks({ site }: { site: string }) {
  const { data, error, refetch } = useQuery({
    queryKey: [violationsApi.tidiness.path, site],
    queryFn: ({ signal }) => call(violationsApi.tidiness, { query: { site_id: site } }, signal),
  })
  useLive(['tidiness'], () => refetch(), { only: (e) => e.site_id === site })
  return (
    <section className="card checks" aria-busy={!data && !error}>
      <h3>整洁度</h3>
      {error && <Failed error={error} again={() => void refetch()} />}
      {data?.length === 0 && <p className="quiet">摄像头还没有上报过整洁度。</p>}
      {data && data.length > 0 && (
        <ol>
          {data.map((t) => (
            <li key={t.id}>
              <Picture
                picture={t.picture}
                caption={`${t.deviceSn} ${full(t.at)} ${tidinessResult.label(t.result)}`}
                width={144}
                height={81}
              />
              <Tidy result={t.result} /> <small title={`${t.deviceSn} ${full(t.at)}`}>{short(t.at)}</small>
            </li>
          ))}
        </ol>
      )}
    </section>
  )
}
