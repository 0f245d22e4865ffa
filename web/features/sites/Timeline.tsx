import { useInfiniteQuery } from '@tanstack/react-query'
import { timelineApi, timelineKind } from '@zhuguan/contract/features/timeline/timeline.api.ts'
import { useState } from 'react'

import { callAddressed } from '../../kit/api.ts'
import { LinkTo } from '../../kit/LinkTo.tsx'
import { Failed } from '../../kit/list/ListPage.tsx'
import { useLive } from '../../kit/live.ts'
import { useParam } from '../../kit/page.tsx'
import { Picture } from '../../kit/Picture.tsx'
import { dayStart, full, short } from '../../kit/time.ts'

import './sites.css'

const DAY = 86_400

/** Everything that happened on the site, newest first; a bar a day, a click on it jumps there. */
export function Timeline({ site }: { site: string }) {
  const asked = useParam('kinds')
  const [kinds, setKinds] = useState<readonly string[]>(asked ? asked.split(',') : [])
  const [day, setDay] = useState<string | null>(null)
  const { data, error, refetch, fetchNextPage, hasNextPage, isFetching } = useInfiniteQuery({
    queryKey: [timelineApi.list.path, site, kinds, day],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ signal, pageParam }) =>
      callAddressed(
        timelineApi.list,
        {
          site_id: site,
          kinds,
          before: pageParam,
          ...(day ? { from: dayStart(day), to: dayStart(day) + DAY } : {}),
        },
        signal,
      ),
    getNextPageParam: (last) => last.next ?? undefined,
  })
  useLive(['site', 'alarm', 'device', 'attendance', 'tidiness'], () => refetch(), {
    only: (e) => e.site_id === site,
  })
  const events = data?.pages.flatMap((p) => p.list) ?? []
  const perDay = data?.pages[0]?.perDay ?? []
  const max = Math.max(1, ...perDay.map((d) => d.count))
  return (
    <section className="card section">
      <h2>
        时间线{' '}
        {day && (
          <button className="text-button" onClick={() => setDay(null)}>
            只看 {day.slice(5)}，看全部
          </button>
        )}
      </h2>
      <div className="scrub" role="group" aria-label="每天的事件数">
        {perDay.map((d) => (
          <button
            key={d.day}
            className={d.day === day ? 'on' : ''}
            // oxlint-disable-next-line react/forbid-dom-props -- as high as its figure
            style={{ height: `${Math.max(6, (d.count / max) * 100)}%` }}
            title={`${d.day}：${d.count} 件`}
            aria-label={`${d.day}，${d.count} 件`}
            onClick={() => setDay(d.day === day ? null : d.day)}
          />
        ))}
      </div>
      <div className="chips">
        {timelineKind.options.map((k) => (
          <button
            key={k.value}
            className={`chip${kinds.includes(k.value) ? ' on' : ''}`}
            aria-pressed={kinds.includes(k.value)}
            onClick={() =>
              setKinds((old) =>
                old.includes(k.value) ? old.filter((x) => x !== k.value) : [...old, k.value],
              )
            }
          >
            {k.label}
          </button>
        ))}
      </div>
      {error && <Failed error={error} again={() => void refetch()} />}
      {data && events.length === 0 && <p className="quiet">这段时间没有事件。</p>}
      <ol className="log events" data-gallery>
        {events.map((e) => (
          <li key={e.id}>
            <small title={full(e.at)}>
              {short(e.at)} · {timelineKind.label(e.kind)}
            </small>{' '}
            <b>
              {e.kind === 'alarm' || e.kind === 'correction' ? (
                <LinkTo page="AlarmEvent" query={{ id: e.ref_id }}>
                  {e.title}
                </LinkTo>
              ) : (
                e.title
              )}
            </b>{' '}
            {e.kind !== 'clockin' && !e.title.includes(e.actor) && <small>{e.actor}</small>}
            {e.picture && (
              <Picture picture={e.picture} caption={`${e.title} ${full(e.at)}`} width={80} height={46} />
            )}
          </li>
        ))}
      </ol>
      {hasNextPage && (
        <button className="button older" disabled={isFetching} onClick={() => void fetchNextPage()}>
          {isFetching ? '正在读取…' : '更早的事件'}
        </button>
      )}
    </section>
  )
}
