import { useQuery } from '@tanstack/react-query'
import { correctionStatus } from '@zhuguan/contract/features/alarms/alarms.record.ts'
import { feedbackApi } from '@zhuguan/contract/features/feedback/feedback.api.ts'
import {
  feedbackAbout,
  feedbackAct,
  feedbackCause,
  feedbackChannel,
  type FeedbackDetail,
  feedbackKind,
  feedbackPause,
  type FeedbackRow,
  feedbackStatus,
} from '@zhuguan/contract/features/feedback/feedback.record.ts'
import { hasPermission } from '@zhuguan/contract/kit/permits.ts'
import { Drawer } from 'antd'

import { callForBytes } from '../../kit/api.ts'
import { Fact, Facts } from '../../kit/Facts.tsx'
import { lazyPart } from '../../kit/lazyPart.tsx'
import { LinkTo } from '../../kit/LinkTo.tsx'
import { Failed } from '../../kit/list/ListPage.tsx'
import { useLive } from '../../kit/live.ts'
import { Picture } from '../../kit/Picture.tsx'
import { type RowAction, RowActions } from '../../kit/RowActions.tsx'
import { saveAs } from '../../kit/save.ts'
import { dayOf, full, lasting, short } from '../../kit/time.ts'
import { LogLink } from '../../parts/LogLink.tsx'
import { ScoreOf } from '../../parts/ScoreOf.tsx'
import { useActor, useMayOpen } from '../../parts/session.ts'
import { ObjectedOf, OwnerFact } from './feedbackFacts.tsx'
import { feedbackOf } from './feedbackOf.ts'
import { DueOf, LevelOf, nameOf, StatusOf } from './feedbackTable.tsx'

import './feedback.css'

/** One feedback, with all that its handler needs beside it. */
export default function FeedbackPanel({
  row,
  id,
  actionsOf,
  onDone,
  onClose,
}: {
  row: FeedbackRow | undefined
  id: string
  actionsOf: (f: FeedbackRow) => RowAction[]
  onDone: () => void
  onClose: () => void
}) {
  const { data, error, refetch } = useQuery(feedbackOf(id, row?.version))
  useLive(['correction', 'feedback'], () => refetch(), { only: (e) => e.site_id === data?.site_id })
  const f = data ?? row
  const actor = useActor()
  const dossier: RowAction[] =
    f && hasPermission(actor, 'feedback:dossier')
      ? [
          {
            key: 'dossier',
            label: '卷宗 PDF',
            run: async () =>
              saveAs(await callForBytes(feedbackApi.dossier, { query: { id: f.id } }), `卷宗-${f.no}.pdf`),
          },
        ]
      : []
  const actions = f ? actionsOf(f) : []
  return (
    <Drawer
      open
      title={f ? nameOf(f) : '反馈'}
      size="min(720px, 100vw)"
      mask={false}
      extra={dossier.length > 0 && <RowActions actions={dossier} onDone={() => {}} />}
      onClose={onClose}
      footer={actions.length > 0 && <RowActions bar actions={actions} onDone={onDone} />}
    >
      {error && <Failed error={error} again={() => void refetch()} />}
      {f && (
        <>
          <p className="feedback-words">{f.words}</p>
          {data && <Pictures keys={data.pictures} caption={`${nameOf(f)} ${full(f.enteredAt)}`} />}
          <FactsOf f={f} detail={data} />
        </>
      )}
      {data && <Held of={data} />}
      {data && <Beside of={data} />}
      {f && (
        <h3>
          经过 <LogLink object="feedback" id={f.id} />
        </h3>
      )}
      <ol className="log" aria-busy={!data && !error}>
        {data?.events.map((e) => (
          <li key={e.id}>
            <b>{feedbackAct.label(e.act)}</b>{' '}
            <small>
              {e.actor} · {short(e.at)}
            </small>
            {e.words && <p>{e.words}</p>}
            <Pictures keys={e.pictures} caption={`${e.actor} ${full(e.at)}`} />
          </li>
        ))}
      </ol>
    </Drawer>
  )
}

/** Comes only with a complaint that is open, for who may see its hour. */
function Held({ of: f }: { of: FeedbackDetail }) {
  const may = hasPermission(useActor(), 'feedback:film')
  const isOpen = f.status === feedbackStatus.code.open || f.status === feedbackStatus.code.handling
  if (!may || !isOpen || f.kind !== feedbackKind.code.complaint) return null
  return (
    <>
      <h3>留存的录像</h3>
      <HeldFilms id={f.id} />
    </>
  )
}
const HeldFilms = lazyPart(() => import('./HeldFilms.tsx'))

const Pictures = ({ keys, caption }: { keys: readonly string[]; caption: string }) =>
  keys.length > 0 && (
    <div className="feedback-pictures">
      {keys.map((key) => (
        <Picture key={key} picture={key} caption={caption} width={144} height={108} />
      ))}
    </div>
  )

/** Net of the time that it waited for others. */
function tookOf(f: FeedbackRow): string {
  const net = lasting(f.gross - f.paused)
  if (f.paused === 0) return net
  return `${net}（连暂停 ${lasting(f.gross)}，暂停占 ${Math.round((f.paused / Math.max(1, f.gross)) * 100)}%）`
}

const FactsOf = ({ f, detail }: { f: FeedbackRow; detail: FeedbackDetail | undefined }) => (
  <Facts>
    <Fact name="状态">
      <StatusOf of={f} />
    </Fact>
    <Fact name="等级">
      <LevelOf level={f.level} />
    </Fact>
    {f.dueAt !== null && (
      <Fact name="截止">
        <DueOf of={f} />
      </Fact>
    )}
    {f.pausedAt !== null && f.pausedUntil !== null && (
      <Fact name="暂停">
        {feedbackPause.label(f.pauseFor)}：{f.pauseText}，最晚到 {short(f.pausedUntil)}
      </Fact>
    )}
    <Fact name="用时">{tookOf(f)}</Fact>
    <Fact name="责任人">{f.assigneeName || '--'}</Fact>
    <OwnerFact of={f} detail={detail} />
    <Fact name="工地">
      <LinkTo page="SiteInfo" query={{ id: f.site_id }}>
        {f.siteName}
      </LinkTo>{' '}
      {detail?.site.address}
    </Fact>
    {detail && (
      <Fact name="经理/管家">
        {detail.site.manager || '--'} / {detail.site.steward || '--'}
      </Fact>
    )}
    <Fact name="关于">
      {feedbackAbout.label(f.about)}
      {f.aboutName && ` ${f.aboutName}`}
    </Fact>
    <Fact name="登记">
      {f.enteredBy} · {feedbackChannel.label(f.channel)} · {full(f.enteredAt)}
    </Fact>
    {f.round > 1 && <Fact name="轮次">第 {f.round} 轮</Fact>}
    {detail && detail.supervisors.length > 0 && (
      <Fact name="升级到">{detail.supervisors.map((s) => s.name).join('、')}</Fact>
    )}
    <ObjectedOf of={f} />
    {detail?.of && (
      <Fact name="关联">
        <LinkTo page="FeedbackList" query={{ id: detail.of.id }}>
          {detail.of.no}
        </LinkTo>
      </Fact>
    )}
    {f.cause && <Fact name="原因">{feedbackCause.label(f.cause)}</Fact>}
    {f.result && <Fact name="结果">{f.result}</Fact>}
    {f.score !== null && (
      <Fact name="满意度">
        <ScoreOf of={f} />
      </Fact>
    )}
  </Facts>
)

const dayIn = (at: number | null) => (at === null ? undefined : dayOf(at))
/** What stands beside the case: its corrections, alarms of the home that are open, what was said before. */
function Beside({ of: f }: { of: FeedbackDetail }) {
  const mayOrder = useMayOpen('OrderList')
  return (
    <>
      <p className="feedback-beside">
        <LinkTo page="OwnerInteract" query={{ site_id: f.site_id }}>
          互动
        </LinkTo>
        <LinkTo page="OwnerPromise" query={{ site_id: f.site_id }}>
          承诺
        </LinkTo>
        <LinkTo page="OwnerVisit" query={{ site_id: f.site_id }}>
          到访
        </LinkTo>
        {mayOrder && (
          <LinkTo
            page="OrderList"
            query={{ site_id: f.site_id, madeFrom: dayIn(f.homeFrom), madeTo: dayIn(f.homeTo) }}
          >
            订单
          </LinkTo>
        )}
        {(f.homeFrom !== null || f.homeTo !== null) && (
          <small className="quiet">
            报警和以前的反馈只列这位业主的期间：{f.homeFrom === null ? '开工' : full(f.homeFrom)} 起，至
            {f.homeTo === null ? '今' : ` ${full(f.homeTo)}`}
          </small>
        )}
      </p>
      {f.children.length > 0 && (
        <>
          <h3>整改单</h3>
          <ul className="feedback-lines">
            {f.children.map((k) => (
              <li key={k.id}>
                <LinkTo page="Correction" query={{ id: k.id }}>
                  {k.no}
                </LinkTo>
                <span>{k.problem}</span>
                <small className="quiet">
                  {correctionStatus.label(k.correctionStatus)} {k.assigneeName}
                  {k.dueAt !== null && k.correctionStatus < 3 && ` · 截止 ${short(k.dueAt)}`}
                </small>
              </li>
            ))}
          </ul>
        </>
      )}
      {f.openAlarms > 0 && (
        <p>
          <LinkTo
            page="AlarmEvent"
            query={{
              site_id: f.site_id,
              correctionStatus: '1,2',
              from: f.homeFrom ?? undefined,
              to: f.homeTo ?? undefined,
            }}
          >
            这一家还有 {f.openAlarms} 条未办结的报警
          </LinkTo>
        </p>
      )}
      {f.earlier.length > 0 && (
        <>
          <h3>这一家以前的反馈</h3>
          <ul className="feedback-lines">
            {f.earlier.map((e) => (
              <li key={e.id}>
                <LinkTo page="FeedbackList" query={{ id: e.id }}>
                  {e.no}
                </LinkTo>
                <span>
                  {feedbackKind.label(e.kind)}：{e.words}
                </span>
                <small className="quiet">
                  {feedbackStatus.label(e.status)} {short(e.enteredAt)}
                </small>
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  )
}
