import { homeVideo } from '@zhuguan/contract/features/owners/home-video-state.record.ts'
import { ownersApi } from '@zhuguan/contract/features/owners/owners.api.ts'
import { ownerColumns } from '@zhuguan/contract/features/owners/owners.columns.ts'
import { type HomeRow, homeWaits } from '@zhuguan/contract/features/owners/owners.record.ts'
import { questionWait } from '@zhuguan/contract/features/questions/questions.record.ts'
import { siteStatus } from '@zhuguan/contract/features/sites/sites.record.ts'
import { useState } from 'react'

import { rowsBy } from '../../kit/ahead.ts'
import { lazyPart } from '../../kit/lazyPart.tsx'
import { LinkTo } from '../../kit/LinkTo.tsx'
import { columnsOf } from '../../kit/list/columnsOf.tsx'
import { CodeFilter, GivenFilter, KeywordFilter } from '../../kit/list/filters.tsx'
import { ListPage } from '../../kit/list/ListPage.tsx'
import { useList } from '../../kit/list/useList.ts'
import { useLiveRows } from '../../kit/list/useLiveRows.ts'
import { State } from '../../kit/State.tsx'
import { dayOf, full, lasting, leftUntil, nowSeconds } from '../../kit/time.ts'
import { ContactPhone } from '../../parts/ContactPhone.tsx'
import { Granted, useGranted } from '../../parts/granted.tsx'
import { ListExport } from '../../parts/listButtons.tsx'
import { BranchFilter, PersonFilter } from '../../parts/places.tsx'
import type { Opened } from './OwnerDrawers.tsx'

import './owners.css'

const OwnerDrawers = lazyPart(() => import('./OwnerDrawers.tsx'))
const ProgressDrawer = lazyPart(() => import('../../parts/ProgressDrawer.tsx'))
const STEWARD = 1

const knownOf = (home: HomeRow) => ({
  id: home.contact_id,
  name: home.ownerName,
  phone: home.phone,
  relation: 'owner' as const,
  version: home.contactVersion,
})
const WAITS = [
  { value: 'true', label: '有' },
  { value: 'false', label: '没有' },
] as const
/** The time that there is until then, or that it is over. */
const Deadline = ({ at }: { at: number }) => (
  <span title={`${full(at)} 前`}>
    <State tone={at < nowSeconds() ? 'bad' : 'wait'}>{leftUntil(at)}</State>
  </span>
)
const table = columnsOf<typeof ownersApi.list>()(ownerColumns, {
  name: (h) => (
    <LinkTo page="OwnerInfo" query={{ site_id: h.id }}>
      {h.ownerName}
    </LinkTo>
  ),
  phone: (h) => <ContactPhone of={knownOf(h)} />,
  contacts: (h) => h.contacts || '',
  urgent: (h) => h.urgentAt !== null && <Deadline at={h.urgentAt} />,
  waiting: (h) =>
    h.waitingSince !== null && (
      <LinkTo page="OwnerInteract" query={{ site_id: h.id }}>
        <State tone={h.replyLate ? 'bad' : 'wait'}>{`等了 ${lasting(nowSeconds() - h.waitingSince)}`}</State>
      </LinkTo>
    ),
  questions: (h) =>
    h.openQuestions > 0 && (
      <>
        {h.openQuestions}
        {h.lateQuestions > 0 && <span className="owner-late">（逾期 {h.lateQuestions}）</span>}
      </>
    ),
  complaints: (h) =>
    h.openComplaints > 0 && (
      <LinkTo page="FeedbackList" query={{ site_id: h.id, kind: 'complaint', status: '1,2' }}>
        {h.lateComplaints > 0 ? (
          <State tone="bad">{`${h.openComplaints}（超期 ${h.lateComplaints}）`}</State>
        ) : (
          h.openComplaints
        )}
        {h.formerComplaints > 0 && <small className="quiet"> 前业主 {h.formerComplaints}</small>}
      </LinkTo>
    ),
  promises: (h) =>
    h.duePromises > 0 && (
      <LinkTo page="PromiseList" query={{ site_id: h.id, state: 'open,extended', to: dayOf(nowSeconds()) }}>
        <State tone="wait">{`${h.duePromises}`}</State>
      </LinkTo>
    ),
  score: (h) => h.score !== null && `${h.score} 分（${h.scores} 次）`,
  site: (h) => (
    <LinkTo page="SiteInfo" query={{ id: h.id }}>
      {h.ws_name}
    </LinkTo>
  ),
})

/** Fetched when a link to the list is pressed. */
export const ahead = rowsBy(ownersApi.list)

/** Every home with somebody whose it is. */
export default function OwnerListPage() {
  const list = useList(ownersApi.list)
  const [opened, setOpened] = useState<Opened | null>(null)
  const [isTelling, setTelling] = useState(false)
  const granted = useGranted()
  const refresh = () => void list.refresh()
  useLiveRows(list, ['site', 'thread', 'question', 'feedback', 'promise'], (e) => e.site_id)
  const actionsOf = (home: HomeRow) =>
    granted([
      {
        needs: 'owner:edit',
        key: 'correct',
        label: '更正',
        open: () => setOpened({ kind: 'correct', contact: knownOf(home) }),
      },
      {
        needs: 'owner:change',
        key: 'change',
        label: '更换业主',
        open: () => setOpened({ kind: 'change', contact: knownOf(home) }),
      },
    ])
  return (
    <>
      <ListPage
        name="业主"
        list={list}
        columns={table}
        order={['最急的在前', '留言、投诉、承诺、待决定里时限最早的一家在前；没有待处理的按登记时间']}
        empty="还没有业主。签约或登记工地时填了业主，这里就有。"
        filters={
          <>
            <KeywordFilter list={list} placeholder="姓名、工地、电话或尾号" />
            <CodeFilter single list={list} field="waits" label="待处理" options={homeWaits.options} />
            <BranchFilter list={list} />
            <PersonFilter list={list} field="steward_id" label="管家" post={STEWARD} />
            <CodeFilter list={list} field="status" label="工地状态" options={siteStatus.options} />
            <CodeFilter single list={list} field="video" label="视频授权" options={homeVideo.options} />
            <CodeFilter single list={list} field="waiting" label="未回复互动" options={WAITS} />
            <CodeFilter
              single
              list={list}
              field="question"
              label="待业主决定"
              options={questionWait.options}
            />
            <CodeFilter single list={list} field="complaint" label="未结投诉" options={WAITS} />
            <CodeFilter single list={list} field="promise" label="到期承诺" options={WAITS} />
            <GivenFilter list={list} field="id" label="业主" value={() => '指定的一家'} />
          </>
        }
        actions={
          <>
            <ListExport list={list} endpoint={ownersApi.export} name="业主列表" />
            <Granted needs="thread:reply">
              <button className="button" onClick={() => setTelling(true)}>
                今日进度
              </button>
            </Granted>
            <Granted needs="owner:edit">
              <button className="button primary" onClick={() => setOpened({ kind: 'add' })}>
                新增
              </button>
            </Granted>
          </>
        }
        actionsOf={actionsOf}
        onDone={refresh}
      />
      {isTelling && <ProgressDrawer onClose={() => setTelling(false)} onDone={refresh} />}
      {opened && <OwnerDrawers opened={opened} onClose={() => setOpened(null)} onDone={refresh} />}
    </>
  )
}
