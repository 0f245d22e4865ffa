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
import { useKeys } from '../../kit/useKeys.ts'
import { casePictureAt } from '../../parts/casePicture.ts'
import { CaseBoard, type Place, REFRESH_MS, saidOf } from './CaseBoard.tsx'
import { daysOf, looksOf, sizeOf } from './caseFacts.ts'
import { CaseFilters, type Chosen, fields } from './CaseFilters.tsx'
import { CaseNow, farText } from './CaseNow.tsx'
import { CaseStory } from './CaseStory.tsx'

type Away = DataOf<typeof nearbyApi.cases>

/** The cases that are shown, and the distance of each from where the customer lives, or from the store. */
function useField(place: Place) {
  const said = saidOf(place)
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
  useLive(['case'], () => {
    void field.refetch()
    void away.refetch()
  })
  return { field, away }
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
  const [isNow, setNow] = useState(useParam('now') === '1')
  const [chosen, setChosen] = useState<Chosen>({})
  const [open, setOpen] = useState<string | null>(null)
  if (isNow) return <CaseNow place={place} onBack={() => setNow(false)} />
  const toNow = () => setNow(true)
  return <Field {...{ place, setPlace, chosen, setChosen, open, setOpen, toNow }} />
}

function Field({
  place,
  setPlace,
  chosen,
  setChosen,
  open,
  setOpen,
  toNow,
}: {
  place: Place
  setPlace: (place: Place) => void
  chosen: Chosen
  setChosen: (chosen: Chosen) => void
  open: string | null
  setOpen: (id: string | null) => void
  toNow: () => void
}) {
  const { away, field } = useField(place)
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
  useKeys({
    Escape: () => setOpen(null),
    n: toNow,
    Enter: () => !opened && setOpen(shown[0]?.id ?? null),
    ArrowDown: () => opened && setOpen(shown[at + 1]?.id ?? open),
    ArrowUp: () => opened && setOpen(shown[at - 1]?.id ?? open),
    f: fullScreen,
  })
  if (error && !data) return <Failed error={error} again={() => void refetch()} />
  if (!data) return <div className="board case-field" data-theme="dark" aria-busy="true" />
  return (
    <CaseBoard
      title="案例工地"
      at={data.at}
      head={
        <>
          {opened ? (
            <>
              <button onClick={() => setOpen(null)}>返回（Esc）</button>
              <span>
                第 {at + 1} 个，共 {shown.length} 个
              </span>
            </>
          ) : (
            <CaseFilters
              all={all}
              chosen={chosen}
              onChoose={setChosen}
              place={place}
              onPlace={setPlace}
              middle={away.data?.middle}
            />
          )}
          <button onClick={toNow}>现在（N）</button>
        </>
      }
    >
      {opened ? (
        <CaseStory key={opened.id} of={opened} />
      ) : (
        <Cards list={shown} isEmpty={all.length === 0} away={away.data} onOpen={setOpen} />
      )}
    </CaseBoard>
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
