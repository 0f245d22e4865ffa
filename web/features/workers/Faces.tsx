import { useQuery } from '@tanstack/react-query'
import {
  consentHow,
  type ConsentRow,
  consentState,
} from '@zhuguan/contract/features/consents/consents.record.ts'
import { noticeWords } from '@zhuguan/contract/features/consents/notices.record.ts'
import { facesApi } from '@zhuguan/contract/features/workers/faces.api.ts'
import { faceState, type WorkerDetail } from '@zhuguan/contract/features/workers/workers.record.ts'

import { call } from '../../kit/api.ts'
import { Fact, Facts } from '../../kit/Facts.tsx'
import { Failed } from '../../kit/list/ListPage.tsx'
import { Picture } from '../../kit/Picture.tsx'
import { RowActions } from '../../kit/RowActions.tsx'
import { full, short } from '../../kit/time.ts'
import { useActor } from '../../parts/session.ts'
import { faceActionsOf } from './faceActionsOf.ts'
import { FaceState } from './FaceState.tsx'
import { registered } from './registered.ts'
import type { Opened } from './WorkerDrawers.tsx'

/** The next step where there is no face, or no consent to the one that there is. */
const WITHOUT: Partial<Record<number, string>> = {
  [faceState.code.missing]: '还没有征询本人。采集人脸要本人同意；不同意的用补卡或管家代打，不影响上工。',
  [faceState.code.agreed]: '本人已经同意，还没有采集照片；在那以前用补卡或管家代打。',
  [faceState.code.refused]: '未同意采集人脸，用补卡或管家代打登记考勤。不得劝说，也不影响派工。',
  [faceState.code.pending]:
    '这张人脸是登记同意以前采集的。请当面补登本人的同意；本人不同意的，登记后照片立即删除。',
}

/** A worker's face and what they said about it: the newest answer with its proof, the ones before below it. */
export function Faces({
  worker,
  open,
  onDone,
}: {
  worker: WorkerDetail
  open: (what: Opened) => void
  onDone: () => void
}) {
  const actor = useActor()
  const { data, error, refetch } = useQuery({
    // Asked anew whenever the worker changed.
    queryKey: [facesApi.consents.path, worker.id, worker.version],
    queryFn: ({ signal }) => call(facesApi.consents, { query: { worker_id: worker.id } }, signal),
  })
  const [now, ...before] = data ?? []
  return (
    <section className="card section">
      <h2>
        人脸与同意 <FaceState worker={worker} />
        <span className="chart-tools">
          <RowActions actions={faceActionsOf(worker, actor, open)} onDone={onDone} shown={3} />
        </span>
      </h2>
      {error && <Failed error={error} again={() => void refetch()} />}
      {worker.face !== faceState.code.kept && <p className="quiet without-face">{WITHOUT[worker.face]}</p>}
      {now && <Answer of={now} name={worker.w_name} />}
      {before.map((c) => (
        <p key={c.id} className="stay">
          {c.answeredOn} {consentState.label(c.state)}
          <small>
            {consentHow.label(c.how)} · {registered(c.recordedBy)}
            {c.withdrawnAt !== null && ` · ${short(c.withdrawnAt)} 撤回：${c.withdrawnWhy}`}
          </small>
        </p>
      ))}
    </section>
  )
}

const Answer = ({ of: c, name }: { of: ConsentRow; name: string }) => (
  <Facts>
    <Fact name="本人答复">
      {consentState.label(c.state)}（{consentHow.label(c.how)}，{c.answeredOn}），{noticeWords(c.wording)}
    </Fact>
    <Fact name="登记">
      <span title={full(c.recordedAt)}>{registered(c.recordedBy)}</span>
    </Fact>
    <Fact whole name="用途">
      {c.scope}
    </Fact>
    {c.withdrawnAt !== null && (
      <Fact whole name="撤回">
        {short(c.withdrawnAt)} {registered(c.withdrawnBy ?? '')}：{c.withdrawnWhy}
      </Fact>
    )}
    {c.proof && (
      <Fact whole name="凭证">
        <Picture picture={c.proof} caption={`${name} 的同意凭证`} width={60} height={78} />
      </Fact>
    )}
  </Facts>
)
