import { useQuery } from '@tanstack/react-query'
import { patrolsApi } from '@zhuguan/contract/features/patrols/patrols.api.ts'
import {
  patrolKind,
  type PatrolRow,
  patrolStatus,
} from '@zhuguan/contract/features/patrols/patrols.record.ts'
import { patrolTasksApi, patrolTemplatesApi } from '@zhuguan/contract/features/patrols/plans.api.ts'
import { taskState, templateStatus } from '@zhuguan/contract/features/patrols/plans.record.ts'
import { linkTo } from '@zhuguan/contract/links.ts'
import { useState } from 'react'

import { call } from '../../kit/api.ts'
import { OneField } from '../../kit/form/fields.tsx'
import { FormDrawer } from '../../kit/form/FormDrawer.tsx'
import { useForm } from '../../kit/form/useForm.ts'
import { Failed } from '../../kit/list/ListPage.tsx'
import { locate } from '../../kit/locate.ts'
import { message } from '../../kit/notices.ts'
import { usePage, useParam } from '../../kit/page.tsx'
import { full, nowSeconds, short } from '../../kit/time.ts'
import { SiteField } from '../../parts/pickFields.tsx'
import { useActor } from '../../parts/session.ts'
import { type Draft, draftsOf, photosOf } from './draftStore.ts'

/** The person's begun patrols, those that are due for them, and the way to one of their own. */
export function PatrolStart() {
  const { go } = usePage()
  const { id: user } = useActor()
  // A site that was chosen elsewhere, to begin with.
  const site = useParam('site_id')
  const [starting, setStarting] = useState(!!site)
  const [busy, setBusy] = useState<string | null>(null)
  const { data, error, refetch } = useQuery({
    queryKey: [patrolTasksApi.list.path, 'mine', user],
    queryFn: async ({ signal }) => {
      const [tasks, begun] = await Promise.all([
        call(
          patrolTasksApi.list,
          {
            query: {
              user_id: user,
              state: [taskState.code.due],
              kind: [patrolKind.code.scene, patrolKind.code.plan],
              sort: ['closesAt'],
              pageSize: 100,
            },
          },
          signal,
        ),
        call(
          patrolsApi.list,
          { query: { user_id: user, status: [patrolStatus.code.begun], pageSize: 50 } },
          signal,
        ),
      ])
      return { tasks: tasks.list, begun: begun.list }
    },
  })
  const { data: drafts = [] } = useQuery({
    queryKey: ['patrolDrafts', user],
    staleTime: 0,
    queryFn: () => draftsOf(user),
  })
  const resume = (id: string) => go(linkTo('PatrolDo', { id }))
  async function begin(task: string) {
    setBusy(task)
    try {
      const patrol = await call(patrolsApi.begin, { body: { task_id: task, ...(await locate()) } })
      resume(patrol.id)
    } catch (failure) {
      message.error((failure as Error).message)
      void refetch()
    } finally {
      setBusy(null)
    }
  }
  // What stands in this browser is there without a network too.
  const begun: Pick<PatrolRow, 'id' | 'siteName' | 'templateName' | 'begunAt' | 'task_id'>[] = [
    ...drafts.map((d) => d.patrol).filter((p) => !data?.begun.some((b) => b.id === p.id)),
    ...(data?.begun ?? []),
  ]
  const tasks = (data?.tasks ?? []).filter((t) => !begun.some((p) => p.task_id === t.id))
  return (
    <div className="patrol-start" aria-busy={!data && !error}>
      <button className="button primary big" onClick={() => setStarting(true)}>
        新的现场巡检
      </button>
      {begun.length > 0 && (
        <section className="card section">
          <h2>进行中</h2>
          {begun.map((p) => (
            <button key={p.id} className="patrol-line" onClick={() => resume(p.id)}>
              <b>{p.siteName}</b>
              <small>
                {p.templateName} · {short(p.begunAt)} 开始
                {heldText(drafts.find((d) => d.id === p.id))}
              </small>
              <span className="go">继续</span>
            </button>
          ))}
        </section>
      )}
      {error && <Failed error={error} again={() => void refetch()} />}
      <section className="card section">
        <h2>
          待巡检 <b>{tasks.length}</b>
        </h2>
        {data && tasks.length === 0 && <p className="quiet">没有到时间的巡检任务。</p>}
        {tasks.map((t) => (
          <button
            key={t.id}
            className="patrol-line"
            disabled={busy !== null}
            onClick={() => void begin(t.id)}
          >
            <b>{t.siteName}</b>
            <small className={t.closesAt < nowSeconds() ? 'late' : undefined} title={full(t.closesAt)}>
              {t.planName} · {short(t.closesAt)} 前{t.closesAt < nowSeconds() && '，已逾期'}
            </small>
            <span className="go">{busy === t.id ? '正在定位…' : '开始'}</span>
          </button>
        ))}
      </section>
      {starting && <StartDrawer site={site} onClose={() => setStarting(false)} onDone={resume} />}
    </div>
  )
}

/** The part of it that stands in this browser only. */
function heldText(draft: Draft | undefined): string {
  if (!draft) return '，草稿在别的设备上'
  const unsent = photosOf(draft).filter((p) => p.key === null).length
  return unsent ? `，${unsent} 张照片未上传` : ''
}

/** A site and what is to be looked at there. */
function StartDrawer({
  site,
  onClose,
  onDone,
}: {
  site: string | null
  onClose: () => void
  onDone: (id: string) => void
}) {
  const form = useForm(patrolsApi.begin, { site_id: site, template_id: null })
  const { data } = useQuery({
    queryKey: [patrolTemplatesApi.list.path, 'active'],
    queryFn: ({ signal }) =>
      call(patrolTemplatesApi.list, { query: { status: [templateStatus.code.active] } }, signal),
  })
  const [place, setPlace] = useState<'asking' | 'known' | 'unknown' | null>(null)
  async function ask() {
    setPlace('asking')
    const where = await locate()
    for (const [name, value] of Object.entries(where)) form.raw.put(name, value)
    setPlace(where.lng === undefined ? 'unknown' : 'known')
  }
  if (place === null) void Promise.resolve().then(ask)
  const WORDS = {
    asking: '正在定位…',
    known: '已定位，签到时记录与工地的距离',
    unknown: '没有定位，签到会标记为“未定位”',
  }
  return (
    <FormDrawer
      narrow
      form={form}
      may={place !== 'asking'}
      title="新的现场巡检"
      ok="签到并开始"
      done={() => undefined}
      onClose={onClose}
      onDone={(patrol) => onDone(patrol.id)}
    >
      <SiteField of={form} name="site_id" />
      <OneField
        of={form}
        name="template_id"
        options={(data ?? []).map((t) => ({ value: t.id, label: `${t.name}（${t.items.length} 项）` }))}
      />
      <p className="quiet">{WORDS[place ?? 'asking']}</p>
    </FormDrawer>
  )
}
