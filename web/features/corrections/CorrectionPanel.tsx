import { useQuery } from '@tanstack/react-query'
import type { correctionsApi } from '@zhuguan/contract/features/corrections/corrections.api.ts'
import {
  type CorrectionRow,
  correctionSource,
  correctionTurn,
} from '@zhuguan/contract/features/corrections/corrections.record.ts'
import { tidinessResult } from '@zhuguan/contract/features/sites/sites.record.ts'
import type { DataOf } from '@zhuguan/contract/kit/api.ts'
import { Drawer } from 'antd'

import { Fact, Facts } from '../../kit/Facts.tsx'
import { LinkTo } from '../../kit/LinkTo.tsx'
import { Failed } from '../../kit/list/ListPage.tsx'
import { QueueSteps } from '../../kit/list/QueueSteps.tsx'
import type { Queue } from '../../kit/list/useQueue.ts'
import { useLive } from '../../kit/live.ts'
import { usePage } from '../../kit/page.tsx'
import { Picture } from '../../kit/Picture.tsx'
import { type RowAction, RowActions } from '../../kit/RowActions.tsx'
import { full } from '../../kit/time.ts'
import { dueOf, StatusOf, Thread, whenOf } from '../../parts/correcting.tsx'
import { LogLink } from '../../parts/LogLink.tsx'
import { correctionOf } from './correctionOf.ts'

import './corrections.css'

const BUTTONS = 3

/** One correction: what was found, what was handed in, and everything that was said about it. */
export default function CorrectionPanel({
  id,
  queue,
  row,
  actionsOf,
  onDone,
  onClose,
}: {
  id: string
  queue: Queue
  /** As the list has it, until the correction has been read. */
  row: CorrectionRow | undefined
  actionsOf: (correction: CorrectionRow) => RowAction[]
  onDone: () => void
  onClose: () => void
}) {
  const { data, error, refetch } = useQuery(correctionOf(id))
  useLive(['correction', 'alarm'], () => refetch(), { only: (e) => e.id === id })
  const c = data ?? row
  const actions = c ? actionsOf(c) : []
  const proof = data?.log.findLast((l) => l.action === '提交整改照片')
  return (
    <Drawer
      open
      title={c ? `${c.problem} · ${c.siteName}` : '整改单'}
      rootClassName="correction-panel"
      size="min(720px, 100vw)"
      extra={<QueueSteps queue={queue} />}
      onClose={onClose}
      mask={false}
      footer={
        actions.length > 0 && <RowActions bar key={id} actions={actions} onDone={onDone} shown={BUTTONS} />
      }
    >
      {error && <Failed error={error} again={() => void refetch()} />}
      {c && !error && (
        <>
          <p className="correction-now">
            <StatusOf of={c} />
            {c.closedAt === null && dueOf(c, true)}
            {c.assigneeName && <span className="quiet">责任人 {c.assigneeName}</span>}
          </p>
          {data && <JudgedAnew correction={data} />}
          <div className="proofs-side">
            <figure>
              <figcaption>
                <b>发现时</b> {full(c.at)}
              </figcaption>
              {foundOf(c, data?.pictures).map((key) => (
                <Picture
                  key={key}
                  picture={key}
                  caption={`${c.problem} ${full(c.at)}`}
                  width="100%"
                  size="medium"
                />
              ))}
              {foundOf(c, data?.pictures).length === 0 && <p className="quiet">没有照片</p>}
            </figure>
            {proof && data && (
              <figure>
                <figcaption>
                  <b>整改后</b> {proof.actor}
                </figcaption>
                {proof.pictures.map((key) => (
                  <Picture
                    key={key}
                    picture={key}
                    caption={`${proof.actor} ${whenOf(data.photos, key)}`}
                    width="100%"
                    size="medium"
                  />
                ))}
                <small className="quiet">
                  {[...new Set(proof.pictures.map((key) => whenOf(data.photos, key)))].join('；')}
                </small>
              </figure>
            )}
          </div>
          <FactsOf correction={c} patrol={data?.patrol_id ?? null} />
          <h3>
            处理记录 <LogLink object={c.source === 'alarm' ? 'alarm' : 'correction'} id={c.id} />
          </h3>
          <Thread detail={data} />
        </>
      )}
    </Drawer>
  )
}

const foundOf = (c: CorrectionRow, pictures: readonly string[] | undefined): readonly string[] =>
  pictures?.length ? pictures : [c.picture].filter((key) => key !== null)

/** The check that it was opened for is not poor any more: that closes nothing by itself. */
function JudgedAnew({ correction: c }: { correction: DataOf<typeof correctionsApi.details> }) {
  if (c.tidiness === null || c.tidiness === tidinessResult.code.poor) return null
  return (
    <p role="note">
      整洁度已改判为{tidinessResult.label(c.tidiness)}
      {c.closedAt === null && '。整改单不会自动取消；不用再整改的，请由主管取消'}
    </p>
  )
}

/** The record that found it, to be opened where it has a page of its own. */
function SourceOf({ correction: c, patrol }: { correction: CorrectionRow; patrol: string | null }) {
  if (patrol !== null)
    return (
      <LinkTo page="PatrolDetail" query={{ id: patrol }}>
        巡检
      </LinkTo>
    )
  if (c.source === 'alarm')
    return (
      <LinkTo page="AlarmEvent" query={{ id: c.source_id }}>
        报警
      </LinkTo>
    )
  if (c.source === 'tidiness')
    return (
      <LinkTo page="Tidiness" query={{ id: c.source_id }}>
        整洁度检查
      </LinkTo>
    )
  return <>{correctionSource.label(c.source)}</>
}

function FactsOf({ correction: c, patrol }: { correction: CorrectionRow; patrol: string | null }) {
  const { oneBranch } = usePage()
  return (
    <Facts className="correction-facts">
      <Fact name="编号">{c.no}</Fact>
      <Fact name="来源">
        <SourceOf correction={c} patrol={patrol} />
      </Fact>
      <Fact name="工地">
        <LinkTo page="SiteInfo" query={{ id: c.site_id }}>
          {c.siteName}
        </LinkTo>
      </Fact>
      {!oneBranch && <Fact name="分公司">{c.bc_name}</Fact>}
      <Fact name="等待">{correctionTurn.label(c.turn)}</Fact>
      <Fact name="轮次">第 {c.round} 轮</Fact>
      {c.verifiedBy && <Fact name="复核人">{c.verifiedBy}</Fact>}
      {c.urgedAt !== null && <Fact name="上次催办">{full(c.urgedAt)}</Fact>}
    </Facts>
  )
}
