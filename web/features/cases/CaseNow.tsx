import { nearbyApi } from '@zhuguan/contract/features/nearby/nearby.api.ts'
import type { HomeNow, NearbyMiddle } from '@zhuguan/contract/features/nearby/nearby.record.ts'
import { siteStage } from '@zhuguan/contract/features/sites/sites.record.ts'
import { workerType } from '@zhuguan/contract/features/workers/trades.record.ts'
import type { DataOf } from '@zhuguan/contract/kit/api.ts'
import { distanceText } from '@zhuguan/contract/kit/places.ts'

import { Picture } from '../../kit/Picture.tsx'
import { dayOf, dayStart } from '../../kit/time.ts'
import { casePictureAt } from '../../parts/casePicture.ts'

const DAY = 86_400
/** A picture that is older says so in amber. */
const STALE_DAYS = 3

/** Days between a picture's own day and today, as the server has it. */
const ageOf = (day: string, at: number): number => Math.round((dayStart(dayOf(at)) - dayStart(day)) / DAY)
function ageText(days: number): string {
  if (days <= 0) return '今天的照片'
  return days === 1 ? '昨天的照片' : `${days} 天前的照片`
}
/** 离良渚文化村 1.2 公里; nothing where the home did not agree to where it is. */
export const farText = (metres: number | null | undefined, { kind, name }: NearbyMiddle): string => {
  if (metres === null || metres === undefined) return ''
  return metres === 0 && kind === 'community' ? '就在本小区' : `离${name}${distanceText(metres)}`
}

/** Somebody works there today: of which craft, and the newest picture that people have masked; no name, no address. */
export function CaseNow({
  of: { at, homes, middle },
  nth,
}: {
  of: DataOf<typeof nearbyApi.now>
  nth: number
}) {
  const h = homes[nth]
  if (!h)
    return (
      <div className="case-none case-nobody">
        <b>现在没有可以看的工地</b>
        <p>业主同意在店内展示、今天又有人打卡的工地，这会儿一个也没有。</p>
      </div>
    )
  const age = ageOf(h.picture.day, at)
  return (
    <div className="case-story">
      <div className="case-stage">
        <figure>
          <Picture
            plain
            at={casePictureAt}
            picture={h.picture.key}
            caption={`${h.picture.day} 的照片`}
            width="100%"
            size="full"
          />
          <figcaption className={age > STALE_DAYS ? 'case-stale' : undefined}>
            {ageText(age)}（{h.picture.day}），人脸和门牌已遮住，不是实时画面
          </figcaption>
        </figure>
      </div>
      <aside className="board-panel">
        <h2>{h.title}</h2>
        <p className="case-trades">
          今天有人施工：<b>{h.trades.map(craftText).join('、')}</b>
        </p>
        {h.stage && <p>正在做：{siteStage.label(h.stage)}</p>}
        <p>{whereOf(h, middle)}</p>
      </aside>
    </div>
  )
}
const craftText = (trade: HomeNow['trades'][number]) =>
  trade === workerType.code.other ? '其他工种' : workerType.label(trade)
const whereOf = (h: HomeNow, middle: NearbyMiddle) =>
  h.community === null
    ? '业主没有同意公开小区，所以不说在哪里'
    : [h.community, farText(h.metres, middle)].filter(Boolean).join('，')
