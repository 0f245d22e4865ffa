import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { arrangementsApi } from '@zhuguan/contract/features/screens/arrangements.api.ts'
import { siteStatus } from '@zhuguan/contract/features/sites/sites.record.ts'
import { hasPermission } from '@zhuguan/contract/kit/permits.ts'
import { useState } from 'react'

import { call, callForBytes } from '../../kit/api.ts'
import { fullScreen } from '../../kit/fullScreen.ts'
import { hrefOf, LinkTo } from '../../kit/LinkTo.tsx'
import { Failed } from '../../kit/list/ListPage.tsx'
import { useParam, usePage } from '../../kit/page.tsx'
import { dayOf, nowSeconds } from '../../kit/time.ts'
import { useKeys } from '../../kit/useKeys.ts'
import { useNow } from '../../kit/useNow.ts'
import { useActor, useMayReach } from '../../parts/session.ts'
import type { SceneLinks } from './Scenes.tsx'
import { type FetchPicture, usePictures } from './usePictures.ts'
import { useRotation } from './useRotation.ts'
import { WallFrame } from './WallFrame.tsx'

const REFRESH_MS = 4_000
const SECOND_MS = 1_000
const NONE: readonly never[] = []

/** The lists that count the same, where one may open them. */
function useLinks(bc_id: string | null | undefined, now: number): SceneLinks {
  const [sites, attend, alarms, cases] = [
    useMayReach('SiteList'),
    useMayReach('WorkerAttend'),
    useMayReach('AlarmEvent'),
    useMayReach('CaseList'),
  ]
  const bc = bc_id ?? undefined
  const day = dayOf(now)
  return {
    ...(sites && {
      building: hrefOf('SiteList', { status: [siteStatus.code.building], bc_id: bc }),
      finished: hrefOf('SiteList', { status: [siteStatus.code.finished], bc_id: bc }),
    }),
    ...(attend && { present: hrefOf('WorkerAttend', { from: day, to: day, bc_id: bc }) }),
    ...(alarms && { alarms: hrefOf('AlarmEvent', { correctionStatus: [1, 2], bc_id: bc }) }),
    ...(cases && { cases: hrefOf('CaseList', { bc_id: bc }) }),
  }
}

/** The walls in a person's own tab: by their own rights, every figure a link, arrow keys, space to pause. */
export default function ExhibitionBoardPage() {
  const { go, path } = usePage()
  const id = useParam('id') ?? undefined
  const [paused, setPaused] = useState(false)
  const seconds = useNow(SECOND_MS)
  const mayArrange = hasPermission(useActor(), 'board:arrange')
  const { data, dataUpdatedAt, error, refetch } = useQuery({
    queryKey: [arrangementsApi.show.path, id],
    refetchInterval: REFRESH_MS,
    refetchIntervalInBackground: true,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => call(arrangementsApi.show, { query: { id } }, signal),
  })
  const content = data?.content
  const scenes = content?.scenes ?? NONE
  const chosen = data?.chosen ?? ''
  const fetchPicture: FetchPicture = (of) =>
    callForBytes(arrangementsApi.picture, { body: { id: chosen, ...of } })
  const pictures = usePictures(scenes, fetchPicture)
  const { go: turn, place, scene } = useRotation(scenes, pictures, { paused })
  const links = useLinks(data?.bc_id, content?.at ?? nowSeconds())
  useKeys({
    ArrowLeft: () => turn(-1),
    ArrowRight: () => turn(1),
    ' ': () => setPaused((p) => !p),
    f: fullScreen,
  })
  if (error && !data) return <Failed error={error} again={() => void refetch()} />
  if (!data) return <div className="wall" data-theme="dark" aria-busy="true" />
  if (!content)
    return (
      <main className="empty">
        <h2>还没有看板可以播放</h2>
        {mayArrange ? (
          <p>
            先在 <LinkTo page="BoardSetting">看板设置</LinkTo> 新建一个编排，再回到这里。
          </p>
        ) : (
          <p>请分公司总经理在看板设置里新建一个编排。</p>
        )}
      </main>
    )
  const age = Math.max(0, seconds - Math.round(dataUpdatedAt / SECOND_MS))
  return (
    <WallFrame
      age={age}
      content={content}
      count={scenes.length}
      links={links}
      now={content.at + age}
      pictures={pictures}
      place={place}
      scene={scene}
    >
      <span className="wall-controls">
        <select
          aria-label="编排"
          value={data.chosen ?? ''}
          onChange={(e) => go(`${path}?id=${e.target.value}`, { replace: true })}
        >
          {data.list.map((a) => (
            <option key={a.id} value={a.id}>
              {a.storeName} · {a.name}
            </option>
          ))}
        </select>
        <button aria-label="前一个" onClick={() => turn(-1)}>
          ‹
        </button>
        <button aria-pressed={paused} title="空格" onClick={() => setPaused(!paused)}>
          {paused ? '继续' : '暂停'}
        </button>
        <button aria-label="后一个" onClick={() => turn(1)}>
          ›
        </button>
        <button title="F" onClick={fullScreen}>
          全屏
        </button>
      </span>
    </WallFrame>
  )
}
