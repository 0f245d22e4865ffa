import { useQuery } from '@tanstack/react-query'
import { promisesApi } from '@zhuguan/contract/features/promises/promises.api.ts'
import {
  promiseAct,
  type PromiseRow,
  promiseSource,
  promiseSubject,
} from '@zhuguan/contract/features/promises/promises.record.ts'
import { principalPost } from '@zhuguan/contract/features/users/users.record.ts'
import type { DataOf } from '@zhuguan/contract/kit/api.ts'
import { Drawer } from 'antd'

import { call } from '../../kit/api.ts'
import { Fact, Facts } from '../../kit/Facts.tsx'
import { LinkTo } from '../../kit/LinkTo.tsx'
import { Failed } from '../../kit/list/ListPage.tsx'
import { Picture } from '../../kit/Picture.tsx'
import { type RowAction, RowActions } from '../../kit/RowActions.tsx'
import { full, short } from '../../kit/time.ts'
import { LogLink } from '../../parts/LogLink.tsx'
import { dueOf, StatusOf } from './promiseTable.tsx'

type Line = DataOf<typeof promisesApi.details>['log'][number]
/** The dates that a line of the ledger is about, then what was said. */
const saidOf = (l: Line): string => {
  const dates = l.fromDue && l.toDue ? `${l.fromDue} → ${l.toDue}` : (l.toDue && `${l.toDue} 到期`) || ''
  return [dates, l.text].filter(Boolean).join('　')
}

const Pictures = ({ keys, caption }: { keys: readonly string[]; caption: string }) =>
  keys.length > 0 && (
    <div className="promise-pictures">
      {keys.map((key) => (
        <Picture key={key} picture={key} caption={caption} width={144} height={108} />
      ))}
    </div>
  )

function Ledger({ lines, of }: { lines: readonly Line[]; of: string }) {
  return (
    <ol className="log">
      {lines.map((l, i) => (
        <li key={i}>
          <b>{promiseAct.label(l.act)}</b>{' '}
          <small>
            {l.actor} · {short(l.at)}
          </small>
          {saidOf(l) && <p>{saidOf(l)}</p>}
          {l.feedback_id && (
            <LinkTo page="FeedbackList" query={{ id: l.feedback_id }}>
              登记的反馈
            </LinkTo>
          )}
          <Pictures keys={l.pictures} caption={`${of} ${full(l.at)}`} />
        </li>
      ))}
    </ol>
  )
}

/** One promise with everything that became of it. */
export default function PromisePanel({
  row: p,
  actions,
  onDone,
  onClose,
}: {
  row: PromiseRow
  actions: RowAction[]
  onDone: () => void
  onClose: () => void
}) {
  const { data, error, refetch } = useQuery({
    queryKey: [promisesApi.details.path, p.id, p.version],
    queryFn: ({ signal }) => call(promisesApi.details, { query: { id: p.id } }, signal),
  })
  return (
    <Drawer
      open
      title={p.content}
      size="min(640px, 100vw)"
      mask={false}
      onClose={onClose}
      footer={actions.length > 0 && <RowActions bar actions={actions} onDone={onDone} />}
    >
      <Facts className="promise-facts">
        <Fact name="状态">
          <StatusOf row={p} />
        </Fact>
        <Fact name="到期">{dueOf(p)}</Fact>
        <Fact name="首次到期">
          {p.firstDue}
          {p.extensions > 0 && <small className="quiet"> 延期 {p.extensions} 次</small>}
        </Fact>
        {p.lateDays !== null && <Fact name="逾期天数">{p.lateDays}</Fact>}
        <Fact name="责任人">
          {p.responsibleName || '没有人负责'} <small className="quiet">{principalPost.label(p.post)}</small>
        </Fact>
        <Fact name="承诺人">{p.authorName}</Fact>
        <Fact name="承诺日期">{full(p.madeAt)}</Fact>
        <Fact name="业主">
          <LinkTo page="OwnerPromise" query={{ site_id: p.site_id }}>
            {p.ownerName || '--'}
          </LinkTo>
        </Fact>
        <Fact name="工地">
          <LinkTo page="SiteInfo" query={{ id: p.site_id }}>
            {p.siteName}
          </LinkTo>
        </Fact>
        <Fact name="事项">{promiseSubject.label(p.subject)}</Fact>
        <Fact name="来源">{promiseSource.label(p.source)}</Fact>
      </Facts>
      {data && <Pictures keys={data.pictures} caption={`${p.content}：业主留言里的照片`} />}
      <h3>
        承诺记录 <LogLink object="promise" id={p.id} />
      </h3>
      {error && <Failed error={error} again={() => void refetch()} />}
      {data && <Ledger lines={data.log} of={p.content} />}
    </Drawer>
  )
}
