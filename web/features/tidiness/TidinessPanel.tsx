import { useQuery } from '@tanstack/react-query'
import { correctionStatus } from '@zhuguan/contract/features/alarms/alarms.record.ts'
import { tidinessResult } from '@zhuguan/contract/features/sites/sites.record.ts'
import { tidinessApi } from '@zhuguan/contract/features/tidiness/tidiness.api.ts'
import { type TidinessRow, tidinessSource } from '@zhuguan/contract/features/tidiness/tidiness.record.ts'
import type { DataOf } from '@zhuguan/contract/kit/api.ts'
import { Drawer } from 'antd'

import { call } from '../../kit/api.ts'
import { Compare } from '../../kit/Compare.tsx'
import { Fact, Facts } from '../../kit/Facts.tsx'
import { hrefOf, LinkTo } from '../../kit/LinkTo.tsx'
import { Failed } from '../../kit/list/ListPage.tsx'
import { QueueSteps } from '../../kit/list/QueueSteps.tsx'
import type { Queue } from '../../kit/list/useQueue.ts'
import { useLive } from '../../kit/live.ts'
import { usePage } from '../../kit/page.tsx'
import { Picture } from '../../kit/Picture.tsx'
import { type RowAction, RowActions } from '../../kit/RowActions.tsx'
import { full, short } from '../../kit/time.ts'
import { LogLink } from '../../parts/LogLink.tsx'
import { Tidy } from '../../parts/Tidy.tsx'
import { Change, seenBy } from './words.tsx'

type Detail = DataOf<typeof tidinessApi.details>

/** One check: what was seen, beside what the same camera saw before, and who judged it how. */
export default function TidinessPanel({
  id,
  queue,
  row,
  actionsOf,
  onOpen,
  onDone,
  onClose,
}: {
  id: string
  queue: Queue
  /** As the list has it, until the check has been read. */
  row: TidinessRow | undefined
  actionsOf: (check: TidinessRow) => RowAction[]
  /** Another check instead of this one. */
  onOpen: (id: string) => void
  onDone: () => void
  onClose: () => void
}) {
  const { data, error, refetch } = useQuery({
    queryKey: [tidinessApi.details.path, id],
    queryFn: ({ signal }) => call(tidinessApi.details, { query: { id } }, signal),
  })
  useLive(['tidiness'], () => refetch(), { only: (e) => e.id === id })
  const check = data ?? row
  const actions = check ? actionsOf(check) : []
  return (
    <Drawer
      open
      title={check ? `整洁度：${tidinessResult.label(check.result)} · ${check.siteName}` : '整洁度检查'}
      rootClassName="tidiness-panel"
      size="min(720px, 100vw)"
      extra={<QueueSteps queue={queue} />}
      onClose={onClose}
      mask={false}
      footer={actions.length > 0 ? <RowActions bar key={id} actions={actions} onDone={onDone} /> : null}
    >
      {error && <Failed error={error} again={() => void refetch()} />}
      {check && !error && <Seen key={id} check={check} detail={data} onOpen={onOpen} />}
    </Drawer>
  )
}

function Seen({
  check,
  detail,
  onOpen,
}: {
  check: TidinessRow
  detail: Detail | undefined
  onOpen: (id: string) => void
}) {
  const { oneBranch } = usePage()
  const before = detail?.before
  return (
    <>
      <p className="tidiness-now">
        <Tidy result={check.result} />
        <span>
          较上次 <Change check={check} />
        </span>
      </p>
      {before && check.picture ? (
        <Compare
          before={{ ...before, caption: `上次 ${tidinessResult.label(before.result)} · ${short(before.at)}` }}
          after={{
            picture: check.picture,
            caption: `这次 ${tidinessResult.label(check.result)} · ${short(check.at)}`,
          }}
        />
      ) : (
        <div className="seen">
          <Picture
            picture={check.picture}
            caption={`${seenBy(check)} ${full(check.at)}`}
            width="100%"
            size="full"
          />
        </div>
      )}
      {before && (
        <p className="quiet">
          与同一摄像头上一张照片对比，拖动中间的线。
          <a
            href={hrefOf('Tidiness', { id: before.id })}
            onClick={(e) => {
              if (e.ctrlKey || e.metaKey || e.shiftKey) return
              e.preventDefault()
              onOpen(before.id)
            }}
          >
            打开上一次检查
          </a>
        </p>
      )}
      {detail && !before && <p className="quiet">同一摄像头在这个工地还没有更早的照片，无法对比。</p>}
      <Facts className="tidiness-facts">
        <Fact name="工地">
          <LinkTo page="SiteInfo" query={{ id: check.site_id }}>
            {check.siteName}
          </LinkTo>
        </Fact>
        <Fact name="设备">{check.deviceSn}</Fact>
        <Fact name="时间">{full(check.at)}</Fact>
        <Fact name="来源">
          {tidinessSource.label(check.source)}
          {check.confidence !== null && `（置信度 ${Math.round(check.confidence * 100)}%）`}
        </Fact>
        <Fact name="项目经理">{detail?.managerName}</Fact>
        <Fact name="项目管家">{detail?.stewardName}</Fact>
        {!oneBranch && <Fact name="分公司">{check.bc_name}</Fact>}
        {check.correction_id !== null && (
          <Fact name="整改">
            <LinkTo page="Correction" query={{ id: check.correction_id }}>
              {correctionStatus.label(check.correctionStatus)}
            </LinkTo>
          </Fact>
        )}
      </Facts>
      <h3>
        改判记录 <LogLink object="tidiness" id={check.id} />
      </h3>
      {detail && detail.history.length === 0 && <p className="quiet">没有改判过。</p>}
      <ol className="log">
        {detail?.history.map((h, i) => (
          <li key={i}>
            <b>
              {tidinessResult.label(h.was)} → {tidinessResult.label(h.result)}
            </b>{' '}
            <small title={full(h.at)}>
              {h.actor} · {short(h.at)}
            </small>
            <p>{h.reason}</p>
          </li>
        ))}
      </ol>
    </>
  )
}
