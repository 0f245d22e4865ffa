import { useQuery } from '@tanstack/react-query'
import { sitesApi } from '@zhuguan/contract/features/sites/sites.api.ts'

import { call } from '../../kit/api.ts'
import { Picture } from '../../kit/Picture.tsx'
import { ago, full, nowSeconds } from '../../kit/time.ts'
import { useMayOpen } from '../../parts/session.ts'

import './sites.css'

/** A picture older than this is not what stands there now. */
const OLD_SECONDS = 86_400

/** The newest picture of one site, and whom to call. */
export function SiteCard({ id }: { id: string }) {
  const mayOpen = useMayOpen('SiteList')
  const { data: site } = useQuery({
    queryKey: [sitesApi.details.path, id],
    enabled: mayOpen,
    queryFn: ({ signal }) => call(sitesApi.details, { query: { id } }, signal),
  })
  if (!site) return null
  const { picture, manager } = site
  return (
    <div className="site-card">
      {picture ? (
        <figure>
          <Picture
            picture={picture.key}
            caption={`${site.ws_name} ${full(picture.at)}`}
            width="100%"
            height={150}
            size="full"
          />
          <figcaption className={nowSeconds() - picture.at > OLD_SECONDS ? 'old' : undefined}>
            {ago(picture.at)}
          </figcaption>
        </figure>
      ) : (
        <p className="quiet">{site.noLook || '还没有现场画面'}。</p>
      )}
      <p>
        <span className="quiet">项目经理</span>{' '}
        {manager ? (
          <>
            {manager.nickname}{' '}
            {manager.phone.includes('*') ? (
              <span className="num">{manager.phone}</span>
            ) : (
              <a className="num" href={`tel:${manager.phone}`}>
                {manager.phone}
              </a>
            )}
          </>
        ) : (
          '没有'
        )}
      </p>
    </div>
  )
}
