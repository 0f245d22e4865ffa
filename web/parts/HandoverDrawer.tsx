import { contactRelation } from '@zhuguan/contract/features/customers/customers.record.ts'
import { handoverActions } from '@zhuguan/contract/features/handovers/handovers.actions.ts'
import { handoversApi } from '@zhuguan/contract/features/handovers/handovers.api.ts'
import type { HandoverSheet } from '@zhuguan/contract/features/handovers/handovers.record.ts'
import { promiseState, promiseSubject } from '@zhuguan/contract/features/promises/promises.record.ts'
import { principalPost } from '@zhuguan/contract/features/users/users.record.ts'
import { Drawer } from 'antd'
import { useState } from 'react'

import { actionsOf } from '../kit/actionsOf.ts'
import { call } from '../kit/api.ts'
import { TextField } from '../kit/form/fields.tsx'
import { type DrawerProps, FormDrawer } from '../kit/form/FormDrawer.tsx'
import { useForm } from '../kit/form/useForm.ts'
import { RowActions } from '../kit/RowActions.tsx'
import { full, short } from '../kit/time.ts'
import { HandoverState } from './HandoverState.tsx'
import { useActor } from './session.ts'

import './handover.css'

/** The sheet's facts of a home, by heading. */
const TOLD = [
  ['taste', '喜好'],
  ['people', '家里的人'],
  ['fears', '担心的事'],
  ['given', '答应送的'],
] as const

/** The handover of sales to the site at a signature: read, asked about, confirmed, printed. */
export default function HandoverDrawer({
  sheet: h,
  onClose,
  onDone,
}: DrawerProps & { sheet: HandoverSheet }) {
  const actor = useActor()
  const [saying, setSaying] = useState<'answer' | 'ask' | null>(null)
  const actions = actionsOf(handoverActions, h, actor, {
    confirm: {
      run: () => call(handoversApi.confirm, { body: { id: h.id, version: h.version } }),
      confirm: `看过了 ${h.customerName} 的交底，里面的事都接得住？`,
    },
    ask: { open: () => setSaying('ask') },
    answer: { open: () => setSaying('answer') },
  })
  return (
    <Drawer
      open
      title={`销售交底 ${h.siteName}`}
      size="min(640px, 100vw)"
      rootClassName="handover-drawer"
      onClose={onClose}
      extra={
        <button className="button" onClick={() => window.print()}>
          打印
        </button>
      }
      footer={actions.length > 0 && <RowActions bar actions={actions} onDone={onDone} />}
    >
      <div className="handover">
        <p className="handover-head">
          <HandoverState sheet={h} />
          <span>
            {h.customerName}，顾问{h.consultantName || '（已不在）'}，{short(h.madeAt)} 签约时交给
            {h.stewardName || '工地（还没有管家）'}
          </span>
        </p>
        <dl>
          {TOLD.map(([field, title]) => (
            <div key={field}>
              <dt>{title}</dt>
              <dd>
                {h[field] || <span className="quiet">顾问没有写</span>}
                {field === 'people' && h.contacts.length > 0 && (
                  <p className="quiet">
                    登记的联系人：
                    {h.contacts.map((c) => `${c.name}（${contactRelation.label(c.relation)}）`).join('、')}
                  </p>
                )}
              </dd>
            </div>
          ))}
        </dl>
        <h3>签约前的承诺</h3>
        {h.promises.length === 0 && <p className="quiet">没有登记过签约前的承诺</p>}
        <ul>
          {h.promises.map((p) => (
            <li key={p.id}>
              <b>{p.content}</b>
              <small>
                {promiseSubject.label(p.subject)} · {p.due} 到期 · {principalPost.label(p.post)}负责 ·{' '}
                {p.authorName}承诺 · {promiseState.label(p.state)}
              </small>
            </li>
          ))}
        </ul>
        {h.questions.length > 0 && <h3>问过顾问的</h3>}
        <ul>
          {h.questions.map((q) => (
            <li key={q.id}>
              <b>{q.text}</b>
              <small>
                {q.askedBy} {short(q.askedAt)} 问
              </small>
              {q.answeredAt !== null ? (
                <p>
                  {q.answer}{' '}
                  <small>
                    {q.answeredBy} {short(q.answeredAt)} 答
                  </small>
                </p>
              ) : (
                <p className="quiet">等顾问答复</p>
              )}
            </li>
          ))}
        </ul>
        {h.confirmedAt !== null && (
          <p className="quiet">
            {h.confirmedBy} {full(h.confirmedAt)} 确认
          </p>
        )}
      </div>
      {saying && <SayDrawer what={saying} sheet={h} onClose={() => setSaying(null)} onDone={onDone} />}
    </Drawer>
  )
}

/** The steward's questions, and the consultant's answers. */
function SayDrawer({ what, sheet: h, ...p }: DrawerProps & { what: 'answer' | 'ask'; sheet: HandoverSheet }) {
  const isAsk = what === 'ask'
  const form = useForm(isAsk ? handoversApi.ask : handoversApi.answer, {
    id: h.id,
    version: h.version,
    text: '',
  })
  const open = h.questions.find((q) => q.answeredAt === null)
  return (
    <FormDrawer
      {...p}
      narrow
      form={form}
      title={isAsk ? `问${h.consultantName || '顾问'}` : `答复${open?.askedBy ?? ''}`}
      done={isAsk ? '已经问了，答复了会告诉您' : '已答复，管家会收到通知'}
    >
      {!isAsk && <p className="quiet">{open?.text}</p>}
      <TextField of={form} name="text" rows={4} focus />
    </FormDrawer>
  )
}
