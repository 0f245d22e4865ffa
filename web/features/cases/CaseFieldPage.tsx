import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { casesApi } from '@zhuguan/contract/features/cases/cases.api.ts'
import type { FieldCase } from '@zhuguan/contract/features/cases/cases.record.ts'
import { nearbyApi } from '@zhuguan/contract/features/nearby/nearby.api.ts'
import type { DataOf } from '@zhuguan/contract/kit/api.ts'
import { useEffect, useState } from 'react'

import { call } from '../../kit/api.ts'
import { fullScreen } from '../../kit/fullScreen.ts'
import { Failed } from '../../kit/list/ListPage.tsx'
import { useLive } from '../../kit/live.ts'
import { useParam } from '../../kit/page.tsx'
import { Picture } from '../../kit/Picture.tsx'
import { clock } from '../../kit/time.ts'
import { useKeys } from '../../kit/useKeys.ts'
import { casePictureAt } from '../../parts/casePicture.ts'
import { daysOf, looksOf, sizeOf } from './caseFacts.ts'
import { CaseFilters, type Chosen, fields } from './CaseFilters.tsx'
import { CaseNow, farText } from './CaseNow.tsx'
import { CaseStory } from './CaseStory.tsx'

import '../../kit/board.css'
import './caseField.css'

/** What is taken back is gone here as well, heard or not. */
const REFRESH_MS = 10_000
type Away = DataOf<typeof nearbyApi.cases>

/** What is shown and how far each is from where the customer lives, or from the store. */
function useField(place: { community: string; city: string }, isNow: boolean) {
  const said = { community: place.community || undefined, city: place.city }
  const field = useQuery({
    queryKey: [casesApi.field.path],
    refetchInterval: REFRESH_MS,
    queryFn: ({ signal }) => call(casesApi.field, { query: {} }, signal),
  })
  const away = useQuery({
    queryKey: [nearbyApi.cases.path, said],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => call(nearbyApi.cases, { query: said }, signal),
  })
  const now = useQuery({
    queryKey: [nearbyApi.now.path, said],
    enabled: isNow,
    refetchInterval: REFRESH_MS,
    queryFn: ({ signal }) => call(nearbyApi.now, { query: said }, signal),
  })
  useLive(['case'], () => {
    void field.refetch()
    void away.refetch()
    if (isNow) void now.refetch()
  })
  return { field, away, now }
}

/** Those that fit what was chosen; the nearest first where somebody said from where. */
function fitting(all: readonly FieldCase[], chosen: Chosen, away: Away | undefined): FieldCase[] {
  const far = new Map(away?.list.map((c) => [c.id, c.metres]))
  const metresOf = (k: FieldCase) => far.get(k.id) ?? Infinity
  const fit = all.filter(
    (k) =>
      fields.every((f) => !chosen[f] || k[f] === chosen[f]) &&
      (!chosen.within || metresOf(k) <= chosen.within),
  )
  if (away?.middle.kind !== 'community' && !chosen.within) return fit
  return fit.toSorted((a, b) => (metresOf(a) === metresOf(b) ? 0 : metresOf(a) - metresOf(b)))
}

/** Homes of the group whose people agreed to be shown in a store: found by what a visitor asks, told as a story. */
export default function CaseFieldPage() {
  const [place, setPlace] = useState({ community: useParam('community') ?? '', city: useParam('city') ?? '' })
  const [chosen, setChosen] = useState<Chosen>({})
  const [open, setOpen] = useState<string | null>(null)
  const begun = useParam('now')
  const [nth, setNth] = useState<number | null>(begun === '1' ? 0 : null)
  const { away, field, now } = useField(place, nth !== null)
  const { data, error, refetch } = field
  const all = data?.list ?? []
  const shown = fitting(all, chosen, away.data)
  const at = shown.findIndex((k) => k.id === open)
  const opened = shown[at]
  // Its people took it back while it stood on the screen.
  const isGone = open !== null && data !== undefined && !opened
  useEffect(() => {
    if (isGone) setOpen(null)
  }, [isGone])
  const many = now.data?.homes.length ?? 0
  const which = nth === null || many === 0 ? 0 : nth % many
  const next = () => setNth(nth === null ? 0 : which + 1)
  const back = () => {
    if (nth === null) setOpen(null)
    else setNth(null)
  }
  const isList = !opened && nth === null
  useKeys({
    Escape: back,
    n: next,
    Enter: () => isList && setOpen(shown[0]?.id ?? null),
    ArrowRight: () => nth !== null && next(),
    ArrowDown: () => opened && setOpen(shown[at + 1]?.id ?? open),
    ArrowUp: () => opened && setOpen(shown[at - 1]?.id ?? open),
    f: fullScreen,
  })
  if (error && !data) return <Failed error={error} again={() => void refetch()} />
  if (!data) return <div className="board case-field" data-theme="dark" aria-busy="true" />
  return (
    <div className="board case-field" data-theme="dark">
      <header>
        <h1>{nth === null ? '案例工地' : '现在'}</h1>
        {isList && (
          <CaseFilters
            all={all}
            chosen={chosen}
            onChoose={setChosen}
            place={place}
            onPlace={setPlace}
            middle={away.data?.middle}
          />
        )}
        {!isList && <button onClick={back}>返回（Esc）</button>}
        <Place
          at={nth === null ? at : which}
          of={nth === null ? shown.length : many}
          now={nth !== null && now.data}
        />
        {(nth === null || many > 1) && (
          <button className="case-now" onClick={next}>
            {nth === null ? '现在（N）' : '下一个（N）'}
          </button>
        )}
        <time>{clock(data.at)}</time>
        <button
          onClick={fullScreen}
          title="全屏（F）；Enter 打开，← → 换照片，T 时间轴，↑ ↓ 换案例，N 现在，Esc 返回"
        >
          全屏
        </button>
      </header>
      {nth !== null && now.error && !now.data && (
        <Failed error={now.error} again={() => void now.refetch()} />
      )}
      {nth !== null && now.data && <CaseNow of={now.data} nth={which} />}
      {nth === null && opened && <CaseStory key={opened.id} of={opened} />}
      {isList && <Cards list={shown} isEmpty={all.length === 0} away={away.data} onOpen={setOpen} />}
    </div>
  )
}

/** Which of how many is shown; nothing of none. */
function Place({
  at,
  of,
  now,
}: {
  at: number
  of: number
  now: DataOf<typeof nearbyApi.now> | false | undefined
}) {
  if (at < 0 || of === 0) return null
  if (!now)
    return (
      <span>
        第 {at + 1} 个，共 {of} 个
      </span>
    )
  return (
    <span>
      {now.middle.kind === 'none' ? '' : '最近的'}第 {at + 1} 个，共 {of} 个
    </span>
  )
}

function Cards({
  list,
  isEmpty,
  away,
  onOpen,
}: {
  list: readonly FieldCase[]
  isEmpty: boolean
  away: Away | undefined
  onOpen: (id: string) => void
}) {
  if (list.length === 0)
    return (
      <p className="case-none">
        {isEmpty ? '还没有业主同意在店内展示的案例' : '没有这样的案例，请换一个条件'}
      </p>
    )
  const far = (id: string) => (away ? farText(away.list.find((c) => c.id === id)?.metres, away.middle) : '')
  return (
    <div className="case-cards">
      {list.map((k) => (
        <button key={k.id} className="case-card" onClick={() => onOpen(k.id)}>
          <Picture
            plain
            at={casePictureAt}
            picture={k.pictures.at(-1)?.key ?? null}
            caption={k.title}
            width="100%"
            size="medium"
          />
          <b>{k.title}</b>
          <span title={looksOf(k)}>{looksOf(k)}</span>
          <span title={sizeOf(k)}>{sizeOf(k)}</span>
          <span>{[k.community ?? k.bc_name, daysOf(k)].filter(Boolean).join('，')}</span>
          {far(k.id) && <span>{far(k.id)}</span>}
        </button>
      ))}
    </div>
  )
}
