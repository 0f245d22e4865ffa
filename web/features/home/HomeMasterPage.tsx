import { useQuery, useQueryClient } from '@tanstack/react-query'
import { homeApi } from '@zhuguan/contract/features/home/home.api.ts'
import { type CardPlace, homeCard } from '@zhuguan/contract/features/home/home.record.ts'
import type { DataOf } from '@zhuguan/contract/kit/api.ts'
import { useState } from 'react'

import { call } from '../../kit/api.ts'
import { barePart } from '../../kit/barePart.tsx'
import { Opener } from '../../kit/Floating.tsx'
import { Failed } from '../../kit/list/ListPage.tsx'
import { FIGURES_MS, useLive } from '../../kit/live.ts'
import { MenuList } from '../../kit/MenuList.tsx'
import { message } from '../../kit/notices.ts'
import { useRecent } from '../../parts/recent.ts'
import { FigureCard } from './FigureCard.tsx'
import { Morning } from './Morning.tsx'
import { added, packed } from './places.ts'
import { Waits } from './Waits.tsx'

import './home.css'

// The grid that can be dragged comes when cards are arranged (docs/decisions/0200).
const Arrange = barePart(() => import('./Arrange.tsx'))
const place = ({ x, y, w, h }: CardPlace) => ({
  gridColumn: `${x + 1} / span ${w}`,
  gridRow: `${y + 1} / span ${h}`,
})

export default function HomeMasterPage() {
  const client = useQueryClient()
  const key = [homeApi.cards.path]
  const { data, error, refetch } = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => call(homeApi.cards, {}, signal),
  })
  const [edit, setEdit] = useState<CardPlace[] | null>(null)
  useLive(
    [
      'alarm',
      'correction',
      'device',
      'attendance',
      'tidiness',
      'site',
      'patrol',
      'examine',
      'contract',
      'order',
      'dispatch',
      'goods',
      'question',
    ],
    () => refetch(),
    {
      every: FIGURES_MS,
    },
  )
  // What waits for one is few rows, and is asked for at once; the figures are sums over many.
  useLive(['alarm', 'correction'], async () => {
    const waiting = await call(homeApi.waiting, {})
    client.setQueryData<DataOf<typeof homeApi.cards>>(key, (old) => old && { ...old, waiting })
  })
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
  const shown = edit ?? packed(data.places)
  const missing = homeCard.options.filter(
    (o) => figures.has(o.value) && !shown.some((c) => c.card === o.value),
  )
  async function save(places: CardPlace[]) {
    try {
      await call(homeApi.saveCards, { body: { places } })
      await client.invalidateQueries({ queryKey: key })
      setEdit(null)
    } catch (e) {
      message.error((e as Error).message)
    }
  }
  const cardOf = (p: CardPlace) => (
    <FigureCard
      figure={figures.get(p.card)}
      title={homeCard.label(p.card)}
      height={p.h}
      still={edit !== null}
    />
  )
  return (
    <>
      <div className="list-bar bare">
        {edit ? (
          <>
            <p className="quiet grow">拖动卡片换位置，拖右下角改大小；也可以用卡片上的按钮</p>
            {missing.length > 0 && (
              <Opener align="end" button={<button className="button">添加卡片</button>}>
                {(close) => (
                  <MenuList
                    entries={missing.map((m) => ({ key: m.value, label: m.label }))}
                    onPick={(name) => {
                      close()
                      setEdit(added(edit, name as CardPlace['card']))
                    }}
                  />
                )}
              </Opener>
            )}
            <button className="button" onClick={() => void save([])}>
              恢复默认
            </button>
            <button className="button" onClick={() => setEdit(null)}>
              取消
            </button>
            <button
              className="button primary"
              disabled={edit.length === 0}
              onClick={() => void save(packed(edit))}
            >
              保存
            </button>
          </>
        ) : (
          <>
            <Recent />
            <button className="button" onClick={() => setEdit(shown)}>
              调整卡片
            </button>
          </>
        )}
      </div>
      {!edit && (data.morning || data.waiting.length > 0) && (
        <div className="home-top">
          {data.morning && <Morning lines={data.morning} />}
          <Waits waiting={data.waiting} />
        </div>
      )}
      {edit ? (
        <Arrange places={edit} onChange={setEdit}>
          {cardOf}
        </Arrange>
      ) : (
        <div className="cards placed">
          {shown.map((p) => (
            // oxlint-disable-next-line react/forbid-dom-props -- the place that the user chose
            <div key={p.card} style={place(p)}>
              {cardOf(p)}
            </div>
          ))}
        </div>
      )}
    </>
  )
}

function Recent() {
  const entries = useRecent()
  return (
    <nav className="recent" aria-label="最近访问">
      {entries.length > 0 && <h2>最近访问</h2>}
      {entries.map((e) => (
        <a key={e.item.path} href={`#${e.item.path}`}>
          {e.item.name}
        </a>
      ))}
    </nav>
  )
}
