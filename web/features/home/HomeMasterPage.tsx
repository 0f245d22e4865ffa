import { useQuery, useQueryClient } from '@tanstack/react-query'
import { homeApi } from '@zhuguan/contract/features/home/home.api.ts'
import { type CardPlace, homeCard } from '@zhuguan/contract/features/home/home.record.ts'
import { useState } from 'react'

import { call } from '../../kit/api.ts'
import { Opener } from '../../kit/Floating.tsx'
import { Failed } from '../../kit/list/ListPage.tsx'
import { FIGURES_MS, useLive } from '../../kit/live.ts'
import { MenuList } from '../../kit/MenuList.tsx'
import { message } from '../../kit/notices.ts'
import { useRecent } from '../../parts/recent.ts'
import { FigureCard } from './FigureCard.tsx'

import './home.css'

const WIDTHS = [3, 4, 6, 12]
const PER_ROW = 12

/** Left to right, top to bottom, in the order the user gave. */
const ordered = (places: CardPlace[]) => [...places].sort((a, b) => a.y - b.y || a.x - b.x)
function laidOut(cards: Pick<CardPlace, 'card' | 'w'>[]): CardPlace[] {
  let x = 0
  let y = 0
  return cards.map(({ card, w }) => {
    if (x + w > PER_ROW) [x, y] = [0, y + 2]
    const place = { card, w, h: 2, x, y }
    x += w
    return place
  })
}

export default function HomeMasterPage() {
  const client = useQueryClient()
  const { data, error, refetch } = useQuery({
    queryKey: [homeApi.cards.path],
    queryFn: ({ signal }) => call(homeApi.cards, {}, signal),
  })
  const [edit, setEdit] = useState<Pick<CardPlace, 'card' | 'w'>[] | null>(null)
  const [dragged, setDragged] = useState<string | null>(null)
  useLive(['alarm', 'device', 'attendance', 'tidiness', 'site'], () => refetch(), { every: FIGURES_MS })
  if (error) return <Failed error={error} again={() => void refetch()} />
  if (!data) return <div className="page-wait" aria-busy="true" />
  if (data.figures.length === 0)
    return (
      <div className="empty">
        <h2>这里还没有您的数字</h2>
        <p className="quiet">卡片来自您能打开的清单；管理员给您的角色开通页面后，它们的数字会出现在这里。</p>
      </div>
    )
  const figures = new Map(data.figures.map((f) => [f.card, f]))
  const shown = edit ?? ordered(data.places)
  const missing = homeCard.options.filter(
    (o) => figures.has(o.value) && !shown.some((c) => c.card === o.value),
  )
  async function save(places: CardPlace[]) {
    try {
      await call(homeApi.saveCards, { body: { places } })
      await client.invalidateQueries({ queryKey: [homeApi.cards.path] })
      setEdit(null)
    } catch (e) {
      message.error((e as Error).message)
    }
  }
  const move = (from: number, to: number) => {
    if (to < 0 || to >= shown.length) return
    const next = [...shown]
    next.splice(to, 0, ...next.splice(from, 1))
    setEdit(next)
  }
  return (
    <>
      <div className="list-bar bare">
        <p className="quiet">数字随现场变化，点一下看背后的清单</p>
        <span className="grow" />
        {edit ? (
          <>
            {missing.length > 0 && (
              <Opener align="end" button={<button className="button">添加卡片</button>}>
                {(close) => (
                  <MenuList
                    entries={missing.map((m) => ({ key: m.value, label: m.label }))}
                    onPick={(key) => {
                      close()
                      setEdit([...shown, { card: key as CardPlace['card'], w: 4 }])
                    }}
                  />
                )}
              </Opener>
            )}
            <button className="button" onClick={() => void save([])}>
              恢复默认
            </button>
            <button className="button" onClick={() => setEdit(null)}>
              取 消
            </button>
            <button
              className="button primary"
              disabled={shown.length === 0}
              onClick={() => void save(laidOut(shown))}
            >
              保存
            </button>
          </>
        ) : (
          <button className="button" onClick={() => setEdit(shown)}>
            调整卡片
          </button>
        )}
      </div>
      <div className="home">
        <div className="cards">
          {shown.map((place, i) => (
            <div
              key={place.card}
              // oxlint-disable-next-line react/forbid-dom-props -- the width that the user chose
              style={{ gridColumn: `span ${place.w}` }}
              draggable={!!edit}
              onDragStart={() => setDragged(place.card)}
              onDragOver={(e) => edit && e.preventDefault()}
              onDrop={() => {
                const from = shown.findIndex((c) => c.card === dragged)
                if (from >= 0) move(from, i)
              }}
            >
              <FigureCard
                figure={figures.get(place.card)}
                title={homeCard.label(place.card)}
                tools={
                  edit && (
                    <span className="edit">
                      <button className="button small" aria-label="前移" onClick={() => move(i, i - 1)}>
                        ←
                      </button>
                      <button className="button small" aria-label="后移" onClick={() => move(i, i + 1)}>
                        →
                      </button>
                      <button
                        className="button small"
                        aria-label="宽度"
                        onClick={() =>
                          setEdit(
                            shown.map((c) =>
                              c === place
                                ? { ...c, w: WIDTHS[(WIDTHS.indexOf(c.w) + 1) % WIDTHS.length]! }
                                : c,
                            ),
                          )
                        }
                      >
                        宽
                      </button>
                      <button
                        className="button small"
                        aria-label={`移除${homeCard.label(place.card)}`}
                        onClick={() => setEdit(shown.filter((c) => c !== place))}
                      >
                        ×
                      </button>
                    </span>
                  )
                }
              />
            </div>
          ))}
        </div>
        <Recent />
      </div>
    </>
  )
}

function Recent() {
  const entries = useRecent()
  if (entries.length === 0) return null
  return (
    <aside className="card recent">
      <h2>最近访问</h2>
      {entries.map((e) => (
        <a key={e.item.path} href={`#${e.item.path}`}>
          {e.item.name}
        </a>
      ))}
    </aside>
  )
}
