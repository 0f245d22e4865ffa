import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { threadsApi } from '@zhuguan/contract/features/threads/threads.api.ts'
import type { ThreadDetail } from '@zhuguan/contract/features/threads/threads.record.ts'
import { hasPermission } from '@zhuguan/contract/kit/permits.ts'
import { useState } from 'react'

import { recordBy } from '../../kit/ahead.ts'
import { call } from '../../kit/api.ts'
import { withControls } from '../../kit/Controls.tsx'
import { lazyPart } from '../../kit/lazyPart.tsx'
import { LinkTo } from '../../kit/LinkTo.tsx'
import { ExportButton } from '../../kit/list/ExportButton.tsx'
import { Failed } from '../../kit/list/ListPage.tsx'
import { useLive } from '../../kit/live.ts'
import { NoSubject } from '../../kit/NoSubject.tsx'
import { usePageName, useParam } from '../../kit/page.tsx'
import { RowActions } from '../../kit/RowActions.tsx'
import { State } from '../../kit/State.tsx'
import { lasting, nowSeconds, short } from '../../kit/time.ts'
import { useGranted } from '../../parts/granted.tsx'
import { LogLink } from '../../parts/LogLink.tsx'
import { useActor } from '../../parts/session.ts'
import type { Opened } from './ThreadDrawers.tsx'
import { ThreadLines } from './ThreadLines.tsx'
import { ThreadReply } from './ThreadReply.tsx'

import './threads.css'

const ThreadDrawers = lazyPart(() => import('./ThreadDrawers.tsx'))
const ProgressDrawer = lazyPart(() => import('../../parts/ProgressDrawer.tsx'))
const PrintDrawer = lazyPart(() => import('./PrintDrawer.tsx'))
const PAGE = 50

/** The time that the home has waited, and whether that is too long. */
function Waiting({ of: { dueAt, waitingSince } }: { of: ThreadDetail }) {
  if (waitingSince === null || dueAt === null) return <State tone="ok">没有待回复</State>
  const now = nowSeconds()
  const waited = now - waitingSince < 60 ? '刚刚留言' : `已等 ${lasting(now - waitingSince)}`
  return dueAt < now ? (
    <State tone="bad">{`${waited}，${short(dueAt)} 已到期限`}</State>
  ) : (
    <State tone="wait">{`${waited}，请在 ${short(dueAt)} 前回复`}</State>
  )
}

/** The files that leave the house: as a table, and as a paper for a dispute. */
function Outside({ of: { site_id, siteName }, total }: { of: ThreadDetail; total: number }) {
  const [isPrinting, setPrinting] = useState(false)
  return (
    <>
      <ExportButton endpoint={threadsApi.export} filters={{ site_id }} name="业主互动" total={total} />
      <button className="button" onClick={() => setPrinting(true)}>
        打印
      </button>
      {isPrinting && <PrintDrawer site_id={site_id} name={siteName} onClose={() => setPrinting(false)} />}
    </>
  )
}

/** Fetched when a link to the record is pressed. */
export const ahead = recordBy(threadsApi.details, 'site_id')

/** What a home and we have said to each other, and what waits for an answer. */
function OwnerInteractPage() {
  const site_id = useParam('site_id') ?? ''
  const actor = useActor()
  const granted = useGranted()
  const [opened, setOpened] = useState<Opened | null>(null)
  const [isTelling, setTelling] = useState(false)
  const detail = useQuery({
    queryKey: [threadsApi.details.path, site_id],
    enabled: site_id !== '',
    queryFn: ({ signal }) => call(threadsApi.details, { query: { site_id } }, signal),
  })
  const lines = useInfiniteQuery({
    queryKey: [threadsApi.list.path, site_id],
    enabled: site_id !== '',
    initialPageParam: 1,
    queryFn: ({ pageParam, signal }) =>
      call(threadsApi.list, { query: { site_id, pageNo: pageParam, pageSize: PAGE } }, signal),
    getNextPageParam: (last, pages) => (pages.length * PAGE < last.totalCount ? pages.length + 1 : undefined),
  })
  const refresh = async () => {
    await Promise.all([detail.refetch(), lines.refetch()])
  }
  const { data } = detail
  usePageName(data?.ownerName || data?.siteName)
  useLive(['thread', 'site'], () => void refresh(), { only: (e) => e.site_id === site_id })
  if (!site_id) return <NoSubject what="业主" from="业主列表" />
  const error = detail.error ?? lines.error
  if (error) return <Failed error={error} again={() => void refresh()} />
  if (!data || !lines.data) return <div className="page-wait" aria-busy="true" />
  // A line that comes while older ones are read moves the pages on: each line is shown once.
  const known = new Map(lines.data.pages.flatMap((p) => p.list).map((m) => [m.id, m]))
  const messages = [...known.values()].sort((a, b) => a.seq - b.seq)
  const mayReply = hasPermission(actor, 'thread:reply') && data.contacts.length > 0
  const actions = granted([
    { needs: 'thread:reply', key: 'progress', label: '今日进度', open: () => setTelling(true) },
    { needs: 'thread:reply', key: 'hear', label: '代录业主的话', open: () => setOpened({ kind: 'hear' }) },
    ...(data.waitingSince === null
      ? []
      : [
          {
            needs: 'thread:reply',
            key: 'silence',
            label: '标为无需回复',
            reason: true,
            confirm: '业主的留言不需要回复：请写明原因',
            run: (reason: string) =>
              call(threadsApi.silence, { body: { site_id, after: data.newest, reason } }),
          },
        ]),
    {
      needs: 'thread:templates',
      key: 'templates',
      label: '改常用语',
      open: () => setOpened({ kind: 'templates' }),
    },
  ])
  return (
    <section className="card thread">
      <header className="thread-head">
        <h2>
          <LinkTo page="OwnerInfo" query={{ site_id }}>
            {data.ownerName || '还没有业主'}
          </LinkTo>{' '}
          <small>{data.siteName}</small>
        </h2>
        <Waiting of={data} />
        <span className="thread-tools">
          {data.contacts.length > 0 && <RowActions actions={actions} onDone={() => void refresh()} />}
          {hasPermission(actor, 'thread:export') && <Outside of={data} total={messages.length} />}
          <LogLink object="thread" id={site_id} />
        </span>
      </header>
      <ThreadLines
        site={site_id}
        messages={messages}
        outcomes={data.outcomes}
        more={lines.hasNextPage}
        isFetching={lines.isFetching}
        onMore={() => void lines.fetchNextPage()}
        since={data.since}
        onMake={mayReply ? (kind, message) => setOpened({ kind, message }) : undefined}
        onDone={() => void refresh()}
      />
      {mayReply && <ThreadReply key={site_id} thread={data} refresh={refresh} />}
      {data.contacts.length === 0 && (
        <p className="thread-none">这个工地还没有业主：在业主列表点“新增”登记以后，才能在这里互动。</p>
      )}
      {isTelling && (
        <ProgressDrawer site_id={site_id} onClose={() => setTelling(false)} onDone={() => void refresh()} />
      )}
      {opened && (
        <ThreadDrawers
          opened={opened}
          thread={data}
          onClose={() => setOpened(null)}
          onDone={() => void refresh()}
        />
      )}
    </section>
  )
}

export default withControls(OwnerInteractPage)
