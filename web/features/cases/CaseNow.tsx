import { useQuery } from '@tanstack/react-query'
import { nearbyApi } from '@zhuguan/contract/features/nearby/nearby.api.ts'
import {
  FARTHEST_NOW,
  type HomeNow,
  type NearbyMiddle,
} from '@zhuguan/contract/features/nearby/nearby.record.ts'
import { siteStage } from '@zhuguan/contract/features/sites/sites.record.ts'
import { workerType } from '@zhuguan/contract/features/workers/trades.record.ts'
import { distanceText } from '@zhuguan/contract/kit/places.ts'
import { useState } from 'react'

import { call } from '../../kit/api.ts'
import { fullScreen } from '../../kit/fullScreen.ts'
import { Failed } from '../../kit/list/ListPage.tsx'
import { useLive } from '../../kit/live.ts'
import { Picture } from '../../kit/Picture.tsx'
import { useKeys } from '../../kit/useKeys.ts'
import { casePictureAt } from '../../parts/casePicture.ts'
import { ageOf } from '../../parts/pictureAge.ts'
import { CaseBoard, type Place, REFRESH_MS, saidOf } from './CaseBoard.tsx'

/** 离良渚文化村 1.2 公里; nothing where the home did not agree to where it is. */
export const farText = (metres: number | null | undefined, { kind, name }: NearbyMiddle): string => {
  if (metres === null || metres === undefined) return ''
  return metres === 0 && kind === 'community' ? '就在本小区' : `离${name}${distanceText(metres)}`
}

/** The nearest homes in which somebody works now, one after the other; it says so where there is none. */
export function CaseNow({ place, onBack }: { place: Place; onBack: () => void }) {
  const [nth, setNth] = useState(0)
  const said = saidOf(place)
  const { data, error, refetch } = useQuery({
    queryKey: [nearbyApi.now.path, said],
    refetchInterval: REFRESH_MS,
    queryFn: ({ signal }) => call(nearbyApi.now, { query: said }, signal),
  })
  useLive(['case'], () => void refetch())
  const many = data?.homes.length ?? 0
  const next = () => setNth(many ? (nth + 1) % many : 0)
  useKeys({ Escape: onBack, n: next, ArrowRight: next, f: fullScreen })
  if (error && !data) return <Failed error={error} again={() => void refetch()} />
  if (!data) return <div className="board case-field" data-theme="dark" aria-busy="true" />
  const which = Math.min(nth, Math.max(0, many - 1))
  const h = data.homes[which]
  return (
    <CaseBoard
      title="现在"
      at={data.at}
      head={
        <>
          <button onClick={onBack}>返回（Esc）</button>
          {h && (
            <span>
              第 {which + 1} 个，共 {many} 个{h.metres !== null && '，由近到远'}
            </span>
          )}
          {many > 1 && <button onClick={next}>下一个（N）</button>}
        </>
      }
    >
      {h ? (
        <Home of={h} at={data.at} middle={data.middle} />
      ) : (
        <div className="case-none case-nobody">
          <b>现在没有可以看的工地</b>
          <p>
            {data.middle.kind !== 'none' && `${data.middle.name}${distanceText(FARTHEST_NOW)}以内，`}
            业主同意在店内展示、今天又有人打卡的工地，这会儿一个也没有。
          </p>
        </div>
      )}
    </CaseBoard>
  )
}

/** Somebody works there today: of which craft, and the newest picture that people have masked; no name, no address. */
function Home({ of: h, at, middle }: { of: HomeNow; at: number; middle: NearbyMiddle }) {
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
          <figcaption className={age.isStale ? 'case-stale' : undefined}>
            {age.text}（{h.picture.day}），人脸和门牌已遮住，不是实时画面
          </figcaption>
        </figure>
      </div>
      <aside className="board-panel">
        <h2>{h.title}</h2>
        <p className="case-trades">
          今天到场：<b>{h.trades.map(craftText).join('、')}</b>
        </p>
        {h.stage && <p>阶段：{siteStage.label(h.stage)}</p>}
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
