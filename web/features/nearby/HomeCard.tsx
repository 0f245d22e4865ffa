import type { NearbyHome } from '@zhuguan/contract/features/nearby/nearby.record.ts'
import { previewsApi } from '@zhuguan/contract/features/shares/previews.api.ts'
import {
  type PreviewDetail,
  previewItemKind,
  previewState,
} from '@zhuguan/contract/features/shares/previews.record.ts'
import { siteStatus, stageTold } from '@zhuguan/contract/features/sites/sites.record.ts'

import { ApiError, call } from '../../kit/api.ts'
import { LinkTo } from '../../kit/LinkTo.tsx'
import { message } from '../../kit/notices.ts'
import { Picture } from '../../kit/Picture.tsx'
import { casePictureAt } from '../../parts/casePicture.ts'
import { Granted } from '../../parts/granted.tsx'
import { ageOf } from '../../parts/pictureAge.ts'

const kinds = previewItemKind.code
const daysOf = (h: NearbyHome): string | false =>
  h.days !== null && (h.status === siteStatus.code.finished ? `工期 ${h.days} 天` : `第 ${h.days} 天`)

/** A home as anybody may know it; with a picture where its people agreed to one. */
export function HomeCard({
  of: h,
  at,
  preview,
  onAdded,
}: {
  of: NearbyHome
  /** When it was read. */
  at: number
  /** The previews for a customer, and where this may be put in. */
  preview: PreviewDetail | undefined
  onAdded: () => void
}) {
  return (
    <article className="map-home">
      {h.case && (
        <Picture
          plain
          at={casePictureAt}
          picture={h.case.cover}
          caption={h.case.title}
          width={120}
          size="thumb"
        />
      )}
      <span className="map-home-words">
        <b>
          {h.case?.title ?? h.community} {h.working && <em>今天在施工</em>}
        </b>
        <small>
          {[
            h.case && h.community,
            h.metres === 0 ? '本小区' : `${h.metres} 米`,
            stageTold(h),
            daysOf(h),
            h.style,
            h.areaRange,
            h.case && ageOf(h.case.day, at).text,
          ]
            .filter(Boolean)
            .join(' · ')
            // What belongs together is not torn apart at the end of a line.
            .replaceAll(' ㎡', '\u00A0㎡')
            .replaceAll('–', '\u2060–\u2060')}
        </small>
      </span>
      {h.inReach && (
        <LinkTo page="SiteInfo" query={{ id: h.id }}>
          打开工地
        </LinkTo>
      )}
      {preview && preview.state !== previewState.code.ended && (
        <Granted needs="preview:edit">
          <Add home={h} to={preview} onAdded={onAdded} />
        </Granted>
      )}
    </article>
  )
}

/** Its case where there is one, otherwise the home without a picture. */
function Add({ home, to, onAdded }: { home: NearbyHome; to: PreviewDetail; onAdded: () => void }) {
  const item = home.case
    ? { kind: kinds.case, target_id: home.case.id }
    : { kind: kinds.site, target_id: home.id }
  const isIn = to.items.some((i) => i.kind === item.kind && i.target_id === item.target_id)
  async function add() {
    const { id, title, version, words } = to
    const items = [...to.items.filter((i) => i.droppedFor === ''), item].map(({ kind, target_id }) => ({
      kind,
      target_id,
    }))
    try {
      await call(previewsApi.save, { body: { id, version, title, words, items } })
      message.success(`已放进给${to.customerName}的预览`)
      onAdded()
    } catch (error) {
      const said = error instanceof ApiError ? Object.values(error.fields)[0] : undefined
      message.error(said ?? (error as Error).message)
    }
  }
  return (
    <button disabled={isIn} onClick={() => void add()}>
      {isIn ? '已放进预览' : '放进预览'}
    </button>
  )
}
