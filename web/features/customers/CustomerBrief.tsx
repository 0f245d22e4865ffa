import { useQuery } from '@tanstack/react-query'
import { unlessConsultant } from '@zhuguan/contract/features/customers/customers.actions.ts'
import {
  customerHeld,
  customerStep,
  type CustomerDetail,
} from '@zhuguan/contract/features/customers/customers.record.ts'
import { handoversApi } from '@zhuguan/contract/features/handovers/handovers.api.ts'
import {
  type EarlyPromise,
  earlyState,
  type HandoverSheet,
} from '@zhuguan/contract/features/handovers/handovers.record.ts'
import { promiseSubject } from '@zhuguan/contract/features/promises/promises.record.ts'
import { hasPermission } from '@zhuguan/contract/kit/permits.ts'
import { useState } from 'react'

import { call } from '../../kit/api.ts'
import { Fact, Facts } from '../../kit/Facts.tsx'
import { lazyPart } from '../../kit/lazyPart.tsx'
import { Failed } from '../../kit/list/ListPage.tsx'
import { type RowAction, RowActions } from '../../kit/RowActions.tsx'
import { State } from '../../kit/State.tsx'
import { short } from '../../kit/time.ts'
import { HandoverState } from '../../parts/HandoverState.tsx'
import { useActor } from '../../parts/session.ts'

const BriefDrawers = lazyPart(() => import('./BriefDrawers.tsx'))
const HandoverDrawer = lazyPart(() => import('../../parts/HandoverDrawer.tsx'))

/** What whoever builds the home has to know: written before the signature, handed over with it. */
export function CustomerBrief({ customer: k }: { customer: CustomerDetail }) {
  const actor = useActor()
  const [opened, setOpened] = useState<'promise' | 'write' | null>(null)
  const [shown, setShown] = useState<string | null>(null)
  const { data, error, refetch } = useQuery({
    queryKey: [handoversApi.brief.path, k.id, k.version],
    queryFn: ({ signal }) => call(handoversApi.brief, { query: { customer_id: k.id } }, signal),
  })
  const again = () => void refetch()
  const writes =
    hasPermission(actor, 'customer:follow') &&
    k.step !== customerStep.code.signed &&
    k.held !== customerHeld.code.merged &&
    unlessConsultant(k, actor) === undefined
  const sheet = data?.sheets.find((h) => h.id === shown)
  return (
    <section className="card section">
      <h2>
        给工地的交底
        <span className="owner-tools">
          <RowActions
            actions={
              writes && data
                ? [
                    { key: 'write', label: '填写', open: () => setOpened('write') },
                    { key: 'promise', label: '登记承诺', open: () => setOpened('promise') },
                  ]
                : []
            }
            onDone={again}
          />
        </span>
      </h2>
      {error && <Failed error={error} again={again} />}
      {data && (
        <>
          {data.sheets.map((h) => (
            <SheetLine key={h.id} sheet={h} open={() => setShown(h.id)} />
          ))}
          {data.changedAt === null && data.sheets.length === 0 && (
            <p className="quiet">喜好、家里的人、担心的事、答应送的，签约时一起交给管家。</p>
          )}
          {data.changedAt !== null && data.sheets.length === 0 && (
            <Facts>
              <Fact name="喜好">{data.taste || '--'}</Fact>
              <Fact name="家里的人">{data.people || '--'}</Fact>
              <Fact name="担心的事">{data.fears || '--'}</Fact>
              <Fact name="答应送的">{data.given || '--'}</Fact>
            </Facts>
          )}
          <ul className="brief-promises">
            {data.promises.map((p) => (
              <EarlyLine key={p.id} of={p} writes={writes} onDone={again} />
            ))}
          </ul>
          {opened && (
            <BriefDrawers
              opened={opened}
              customer={k}
              brief={data}
              onClose={() => setOpened(null)}
              onDone={again}
            />
          )}
        </>
      )}
      {sheet && <HandoverDrawer sheet={sheet} onClose={() => setShown(null)} onDone={again} />}
    </section>
  )
}

const SheetLine = ({ sheet: h, open }: { sheet: HandoverSheet; open: () => void }) => (
  <p className="brief-sheet">
    <HandoverState sheet={h} />
    <span>
      {h.siteName} <small className="quiet">{short(h.madeAt)} 签约</small>
    </span>
    <button className="text-button" onClick={open}>
      看交底单
    </button>
  </p>
)

function EarlyLine({ of: p, writes, onDone }: { of: EarlyPromise; writes: boolean; onDone: () => void }) {
  const isOpen = p.state === earlyState.code.open
  const actions: RowAction[] =
    writes && isOpen
      ? [
          {
            key: 'withdraw',
            label: '撤回',
            reason: true,
            confirm: `撤回“${p.content}”：签约时不再带到工地。请写明原因`,
            run: (reason) => call(handoversApi.withdraw, { body: { id: p.id, version: p.version, reason } }),
          },
        ]
      : []
  return (
    <li>
      <span>
        {p.content}
        <small className="quiet">
          {promiseSubject.label(p.subject)} · {p.due} 到期 · {p.authorName}
          {p.text && ` · ${p.text}`}
        </small>
      </span>
      {isOpen ? (
        <RowActions actions={actions} onDone={onDone} />
      ) : (
        <State tone={p.state === earlyState.code.carried ? 'ok' : 'grey'}>{earlyState.label(p.state)}</State>
      )}
    </li>
  )
}
