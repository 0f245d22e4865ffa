import { useQuery } from '@tanstack/react-query'
import { casesApi } from '@zhuguan/contract/features/cases/cases.api.ts'
import type { FieldCase } from '@zhuguan/contract/features/cases/cases.record.ts'
import { siteStage } from '@zhuguan/contract/features/sites/sites.record.ts'
import { workerType } from '@zhuguan/contract/features/workers/trades.record.ts'
import { useEffect, useRef, useState } from 'react'

import { call } from '../../kit/api.ts'
import { Compare } from '../../kit/Compare.tsx'
import { fullScreen } from '../../kit/fullScreen.ts'
import { LinkTo } from '../../kit/LinkTo.tsx'
import { Failed } from '../../kit/list/ListPage.tsx'
import { useLive } from '../../kit/live.ts'
import { Picture } from '../../kit/Picture.tsx'
import { clock } from '../../kit/time.ts'
import { useKeys } from '../../kit/useKeys.ts'
import { casePictureAt } from '../../parts/casePicture.ts'

import '../../kit/board.css'
import './caseField.css'

/** What is taken back is gone here as well, heard or not. */
const REFRESH_MS = 10_000
const FIELDS = {
  style: '风格',
  layout: '户型',
  areaRange: '面积',
  priceRange: '造价',
} as const
type Field = keyof typeof FIELDS
const fields = Object.keys(FIELDS) as Field[]
type Chosen = Readonly<Partial<Record<Field, string>>>

/** Homes of the group whose people agreed to be shown in a store: found by what a visitor asks, told as a story. */
export default function CaseFieldPage() {
  const [chosen, setChosen] = useState<Chosen>({})
  const [open, setOpen] = useState<string | null>(null)
  const { data, error, refetch } = useQuery({
    queryKey: [casesApi.field.path],
    refetchInterval: REFRESH_MS,
    queryFn: ({ signal }) => call(casesApi.field, { query: {} }, signal),
  })
  useLive(['case'], () => void refetch())
  const all = data?.list ?? []
  const shown = all.filter((k) => fields.every((f) => !chosen[f] || k[f] === chosen[f]))
  const at = shown.findIndex((k) => k.id === open)
  const opened = shown[at]
  // Its people took it back while it stood on the screen.
  const isGone = open !== null && data !== undefined && !opened
  useEffect(() => {
    if (isGone) setOpen(null)
  }, [isGone])
  useKeys({
    Escape: () => setOpen(null),
    Enter: () => !opened && setOpen(shown[0]?.id ?? null),
    ArrowDown: () => opened && setOpen(shown[at + 1]?.id ?? open),
    ArrowUp: () => opened && setOpen(shown[at - 1]?.id ?? open),
    f: fullScreen,
  })
  if (error && !data) return <Failed error={error} again={() => void refetch()} />
  if (!data) return <div className="board case-field" data-theme="dark" aria-busy="true" />
  return (
    <div className="board case-field" data-theme="dark">
      <header>
        <h1>案例工地</h1>
        {opened ? (
          <>
            <button onClick={() => setOpen(null)}>返回全部（Esc）</button>
            <span>
              第 {at + 1} 个，共 {shown.length} 个
            </span>
          </>
        ) : (
          <Filters all={all} chosen={chosen} onChoose={setChosen} />
        )}
        <time>{clock(data.at)}</time>
        <button onClick={fullScreen} title="全屏（F）；Enter 打开，← → 换照片，↑ ↓ 换案例，Esc 返回">
          全屏
        </button>
      </header>
      {opened ? (
        <Story key={opened.id} of={opened} />
      ) : (
        <Cards list={shown} isEmpty={all.length === 0} onOpen={setOpen} />
      )}
    </div>
  )
}

function Filters({
  all,
  chosen,
  onChoose,
}: {
  all: readonly FieldCase[]
  chosen: Chosen
  onChoose: (next: Chosen) => void
}) {
  return (
    <span className="case-filters">
      {fields.map((f) => {
        const values = [...new Set(all.map((k) => k[f]).filter((v): v is string => !!v))]
        return (
          <select
            key={f}
            aria-label={FIELDS[f]}
            value={chosen[f] ?? ''}
            onChange={(e) => {
              const { [f]: _old, ...rest } = chosen
              onChoose(e.target.value ? { ...rest, [f]: e.target.value } : rest)
            }}
          >
            <option value="">{FIELDS[f]}</option>
            {values
              .toSorted((a, b) => a.localeCompare(b, 'zh', { numeric: true }))
              .map((v) => (
                <option key={v} value={v}>
                  {v}
                </option>
              ))}
          </select>
        )
      })}
      {Object.keys(chosen).length > 0 && <button onClick={() => onChoose({})}>清除</button>}
    </span>
  )
}

const daysOf = (k: FieldCase): string =>
  k.days === null ? '' : `${k.finished ? '工期' : '已施工'} ${k.days} 天`
const factsOf = (k: FieldCase): string =>
  [k.style, k.layout, k.areaRange, k.priceRange].filter(Boolean).join(' · ')

function Cards({
  list,
  isEmpty,
  onOpen,
}: {
  list: readonly FieldCase[]
  isEmpty: boolean
  onOpen: (id: string) => void
}) {
  if (list.length === 0)
    return (
      <p className="case-none">
        {isEmpty ? '还没有业主同意在店内展示的案例' : '没有这样的案例，请换一个条件'}
      </p>
    )
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
          <span title={factsOf(k)}>{factsOf(k)}</span>
          <span>
            {k.community ?? k.bc_name}
            {daysOf(k) && `，${daysOf(k)}`}
          </span>
        </button>
      ))}
    </div>
  )
}

/** The first and the last picture of one camera, if there are two. */
function pairOf(k: FieldCase) {
  const pair = k.pictures.filter((p) => p.pair === 1)
  const [before, after] = [pair[0], pair.at(-1)]
  return before && after && before !== after ? { before, after } : undefined
}
function Story({ of: k }: { of: FieldCase }) {
  const pair = pairOf(k)
  const views = pair ? k.pictures.length + 1 : k.pictures.length
  const [view, setView] = useState(0)
  const stage = useRef<HTMLDivElement>(null)
  const go = (by: number) => setView((view + by + views) % views)
  useKeys({ ArrowLeft: () => go(-1), ArrowRight: () => go(1) })
  const shot = k.pictures[pair ? view - 1 : view]
  return (
    <div className="case-story">
      <div className="case-stage" ref={stage}>
        {pair && view === 0 ? (
          <Compare
            at={casePictureAt}
            before={{ picture: pair.before.key, caption: `${pair.before.day} 同一机位` }}
            after={{ picture: pair.after.key, caption: pair.after.day }}
          />
        ) : (
          shot && (
            <figure>
              <Picture
                plain
                at={casePictureAt}
                picture={shot.key}
                caption={shot.day}
                width="100%"
                size="full"
              />
              <figcaption>
                {shot.day} {shot.stage && siteStage.label(shot.stage)}
              </figcaption>
            </figure>
          )
        )}
        <div className="case-strip" role="group" aria-label="照片">
          <button aria-label="上一张" onClick={() => go(-1)}>
            ‹
          </button>
          <span>{pair && view === 0 ? '前后对比' : `${pair ? view : view + 1} / ${k.pictures.length}`}</span>
          <button aria-label="下一张" onClick={() => go(1)}>
            ›
          </button>
        </div>
      </div>
      <aside className="board-panel">
        <h2>{k.title}</h2>
        <p>{factsOf(k)}</p>
        {k.words && <p className="case-says">{k.words}</p>}
        <p>
          {k.community && `${k.community}，`}
          {daysOf(k)}
        </p>
        <table>
          <tbody>
            {k.stages.map((s) => (
              <tr key={s.name}>
                <th>{siteStage.label(s.name)}</th>
                <td>
                  {s.from.slice(5)} 至 {s.to ? s.to.slice(5) : '今'}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
        {k.team.length > 0 && (
          <p>{k.team.map((t) => `${workerType.label(t.trade)} ${t.surname}`).join('，')}</p>
        )}
        {k.praise && <blockquote>业主评价：{k.praise}</blockquote>}
        {k.inReach && (
          <LinkTo page="SiteInfo" query={{ id: k.site_id }}>
            打开工地
          </LinkTo>
        )}
      </aside>
    </div>
  )
}
