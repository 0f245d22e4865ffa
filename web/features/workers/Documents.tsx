import { useQuery } from '@tanstack/react-query'
import { documentsApi } from '@zhuguan/contract/features/workers/documents.api.ts'
import {
  documentKind,
  type DocumentRow,
  documentState,
} from '@zhuguan/contract/features/workers/documents.record.ts'
import type { WorkerDetail } from '@zhuguan/contract/features/workers/workers.record.ts'
import { useState } from 'react'

import { call } from '../../kit/api.ts'
import { lazyPart } from '../../kit/lazyPart.tsx'
import { Failed } from '../../kit/list/ListPage.tsx'
import { useLive } from '../../kit/live.ts'
import { Picture } from '../../kit/Picture.tsx'
import { RowActions } from '../../kit/RowActions.tsx'
import { State, type Tone } from '../../kit/State.tsx'
import { full } from '../../kit/time.ts'
import { Granted, useGranted } from '../../parts/granted.tsx'
import { Unmasked } from '../../parts/Unmasked.tsx'
import { registered } from './registered.ts'

const DocumentDrawer = lazyPart(() => import('./DocumentDrawer.tsx'))
const TONE: Record<number, Tone> = {
  [documentState.code.valid]: 'ok',
  [documentState.code.soon]: 'wait',
  [documentState.code.expired]: 'bad',
}

/** The papers of a worker: what they are, until when they count, their pictures. */
export function Documents({ worker }: { worker: WorkerDetail }) {
  const { data, error, refetch } = useQuery({
    queryKey: [documentsApi.list.path, worker.id],
    queryFn: ({ signal }) => call(documentsApi.list, { query: { worker_id: worker.id } }, signal),
  })
  const [open, setOpen] = useState<{ document: DocumentRow | null } | null>(null)
  useLive(['worker'], () => refetch())
  return (
    <section className="card section">
      <h2>
        证件 <small>{data ? `${data.length} 张` : ''}</small>
        <span className="chart-tools">
          <Granted needs="worker:document">
            <button className="text-button" onClick={() => setOpen({ document: null })}>
              登记证件
            </button>
          </Granted>
        </span>
      </h2>
      {error && <Failed error={error} again={() => void refetch()} />}
      {data?.length === 0 && (
        <p className="quiet">还没有登记证件。特种作业（电工、焊工、高处作业）要有证才能上岗。</p>
      )}
      {data?.map((d) => (
        <Line
          key={d.id}
          document={d}
          name={worker.w_name}
          onEdit={() => setOpen({ document: d })}
          onDone={() => void refetch()}
        />
      ))}
      {open && (
        <DocumentDrawer
          {...open}
          worker={worker}
          onClose={() => setOpen(null)}
          onDone={() => void refetch()}
        />
      )}
    </section>
  )
}

function Line({
  document: d,
  name,
  onEdit,
  onDone,
}: {
  document: DocumentRow
  name: string
  onEdit: () => void
  onDone: () => void
}) {
  const granted = useGranted()
  const kind = documentKind.label(d.kind)
  return (
    <div className="document">
      {d.picture ? (
        <Picture picture={d.picture} caption={`${name} 的${kind}`} width={72} height={48} />
      ) : (
        <span className="no-shot">无照片</span>
      )}
      <div className="grow">
        <b>{kind}</b>{' '}
        <Unmasked
          id={d.id}
          number={d.number}
          what={`${kind}号码`}
          whose={name}
          needs="worker:document"
          look={(reason) =>
            call(documentsApi.number, { body: { id: d.id, reason } }).then(({ number }) => number)
          }
        />
        <small title={`${full(d.addedAt)} ${registered(d.addedBy)}`}>
          {d.validUntil ? `有效期至 ${d.validUntil}` : '长期有效'}
        </small>
      </div>
      <State tone={TONE[d.state] ?? 'grey'}>{documentState.label(d.state)}</State>
      <RowActions
        shown={2}
        onDone={onDone}
        actions={granted([
          { needs: 'worker:document', key: 'edit', label: '修改', open: onEdit },
          {
            needs: 'worker:document',
            key: 'delete',
            label: '删除',
            danger: true,
            reason: true,
            confirm: `删除 ${name} 的${kind}，照片也会永久删除。请写明原因`,
            run: (reason) => call(documentsApi.del, { body: { id: d.id, version: d.version, reason } }),
          },
        ])}
      />
    </div>
  )
}
