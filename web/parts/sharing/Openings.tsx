import { useQuery, useQueryClient } from '@tanstack/react-query'
import { sharesApi } from '@zhuguan/contract/features/shares/shares.api.ts'

import { call } from '../../kit/api.ts'
import { Failed } from '../../kit/list/ListPage.tsx'
import { useLive } from '../../kit/live.ts'
import { State } from '../../kit/State.tsx'
import { full, short } from '../../kit/time.ts'
import { lookedText } from './shareText.ts'

import './sharing.css'

/** Openings of one link as they happen: when, what was looked at, how long. */
export function Openings({ id, brief = false }: { id: string; brief?: boolean }) {
  const client = useQueryClient()
  const key = [sharesApi.openings.path, id]
  const { data, error, refetch } = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => call(sharesApi.openings, { query: { id } }, signal),
  })
  useLive(['share'], () => client.invalidateQueries({ queryKey: key }), { only: (e) => e.id === id })
  if (error) return <Failed error={error} again={() => void refetch()} />
  if (!data) return <p className="quiet" aria-busy="true" />
  if (data.list.length === 0)
    return (
      <p className="quiet" role="status">
        {data.link.openings > 0
          ? '浏览记录只保留 180 天，已经清理。'
          : '还没有打开过。客户打开时这里会马上显示。'}
      </p>
    )
  const [newest] = data.list
  return (
    <>
      <p role="status" className="share-opened">
        <State tone="ok">已打开</State> {data.link.openings} 次，最近 {short(newest!.at)}
        {data.link.otherDevice && (
          <span className="share-other" title="从另一部手机或另一个浏览器打开，可能是转发给了别人，只是猜测">
            {' '}
            <State tone="wait">另一台设备打开</State>
          </span>
        )}
      </p>
      <ol className="log">
        {data.list.slice(0, brief ? 3 : undefined).map((o) => (
          <li key={o.id}>
            <b title={full(o.at)}>{short(o.at)}</b> {lookedText(o)}
            {'　'}
            <small>{o.device === null ? '这个浏览器不保存数据，分不出设备' : `第 ${o.device} 台设备`}</small>
          </li>
        ))}
      </ol>
    </>
  )
}
