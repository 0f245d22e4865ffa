import { useQuery } from '@tanstack/react-query'
import { feedbackApi } from '@zhuguan/contract/features/feedback/feedback.api.ts'
import {
  feedbackCancel,
  feedbackCause,
  feedbackLevel,
  feedbackPause,
  type FeedbackRow,
} from '@zhuguan/contract/features/feedback/feedback.record.ts'
import { scores } from '@zhuguan/contract/kit/score.ts'

import { call } from '../../kit/api.ts'
import { DayField } from '../../kit/form/DayField.tsx'
import { ChoiceField, ManyField, OneField, ReasonField, TextField } from '../../kit/form/fields.tsx'
import { type DrawerProps, FormDrawer } from '../../kit/form/FormDrawer.tsx'
import { useForm } from '../../kit/form/useForm.ts'
import { dayOf, nowSeconds, short } from '../../kit/time.ts'
import { PersonField } from '../../parts/pickFields.tsx'
import { PicturesField } from '../../parts/PictureFields.tsx'
import { feedbackOf } from './feedbackOf.ts'
import { nameOf } from './feedbackTable.tsx'
import type { Asking } from './useFeedbackActions.ts'

import './feedback.css'

type Props = Omit<DrawerProps, 'onDone'> & { onDone: () => void; feedback: FeedbackRow }

const Subject = ({ of: f }: { of: FeedbackRow }) => (
  <div className="feedback-subject lead">
    <b>{f.words}</b>
    <small>
      {nameOf(f)} · {f.siteName} · {f.ownerName}
    </small>
    {f.former && <p className="former">已更换业主：{f.ownerName}看不到业主页面，请打电话告诉他们</p>}
  </div>
)
const toldTo = (f: FeedbackRow) => (f.former ? '新业主看不到这句话' : '业主在自己的页面上会看到这句话')
const seenOf = (f: FeedbackRow) => ({ id: f.id, version: f.version })

/** Loaded with the first drawer that is opened. */
export default function FeedbackDrawers({ kind, ...p }: Props & Pick<Asking, 'kind'>) {
  const Drawer = DRAWERS[kind]
  return <Drawer {...p} />
}

function AcceptDrawer(p: Props) {
  const f = p.feedback
  const form = useForm(feedbackApi.accept, { ...seenOf(f), level: f.level, assignee_id: null })
  return (
    <FormDrawer {...p} narrow form={form} title="受理反馈" done="已受理，责任人会收到通知">
      <Subject of={f} />
      <ChoiceField of={form} name="level" codes={feedbackLevel} />
      <PersonField of={form} name="assignee_id" site={f.site_id} correct="feedback" />
    </FormDrawer>
  )
}

/** What others said to the owner stands over what is to be said: the second does not speak past the first. */
function AnswerDrawer(p: Props) {
  const f = p.feedback
  const { data } = useQuery(feedbackOf(f.id, f.version))
  const form = useForm(
    feedbackApi.answer,
    { id: f.id, answers: f.answers, words: '', pictures: [] },
    {
      latest: async () => {
        p.onDone()
        p.onClose()
        throw new Error('有人刚刚回复过业主，已换成最新的内容')
      },
    },
  )
  const said = data?.events.filter((e) => e.act === 'answer') ?? []
  return (
    <FormDrawer {...p} form={form} title="回复业主" done="已记下">
      <Subject of={f} />
      {said.length > 0 && (
        <ol className="log">
          {said.map((e) => (
            <li key={e.id}>
              <b>{e.actor}</b> <small>{short(e.at)}</small>
              <p>{e.words}</p>
            </li>
          ))}
        </ol>
      )}
      <TextField of={form} name="words" rows={4} example="明天上午 10 点上门查看" />
      <PicturesField of={form} name="pictures" caption="照片" />
    </FormDrawer>
  )
}

function CloseDrawer(p: Props) {
  const f = p.feedback
  const form = useForm(feedbackApi.close, { ...seenOf(f), cause: null, result: '' })
  return (
    <FormDrawer {...p} narrow form={form} title="结案" done="已结案">
      <Subject of={f} />
      <ChoiceField of={form} name="cause" codes={feedbackCause} />
      <TextField of={form} name="result" rows={4} hint={toldTo(f)} example="做了什么，业主怎样说" />
    </FormDrawer>
  )
}

function CorrectDrawer(p: Props) {
  const f = p.feedback
  const form = useForm(feedbackApi.correct, { ...seenOf(f), problem: '', assignee_id: null, due: undefined })
  return (
    <FormDrawer {...p} narrow form={form} title="开整改单" done="已开出，整改人会收到通知">
      <Subject of={f} />
      <TextField
        of={form}
        name="problem"
        example="卫生间墙砖空鼓 3 块，重贴"
        hint={f.hidden ? `${f.aboutName}在解除回避以前看不到这张整改单，也不能交给他` : undefined}
      />
      <PersonField of={form} name="assignee_id" site={f.site_id} correct="correction" />
      <DayField of={form} name="due" from={dayOf(nowSeconds())} hint="不填按整改期限的设置" />
    </FormDrawer>
  )
}

function TransferDrawer(p: Props) {
  const f = p.feedback
  const form = useForm(feedbackApi.transfer, { ...seenOf(f), assignee_id: null, reason: '' })
  return (
    <FormDrawer {...p} narrow form={form} title="转派" done="已转派">
      <Subject of={f} />
      <PersonField of={form} name="assignee_id" site={f.site_id} correct="feedback" />
      <ReasonField of={form} name="reason" example="这是水电的问题，由项目经理处理" />
    </FormDrawer>
  )
}

const levels = (fits: (level: number) => boolean) => ({
  options: feedbackLevel.options.filter((o) => fits(o.value)),
})
function RaiseDrawer(p: Props) {
  const f = p.feedback
  const form = useForm(feedbackApi.raise, { ...seenOf(f), level: null, reason: '' })
  return (
    <FormDrawer {...p} narrow form={form} title="提高等级" done="已提高，期限只会提前">
      <Subject of={f} />
      <ChoiceField of={form} name="level" codes={levels((l) => l > f.level)} />
      <ReasonField of={form} name="reason" example="水漏到楼下" />
    </FormDrawer>
  )
}
function LowerDrawer(p: Props) {
  const f = p.feedback
  const form = useForm(feedbackApi.lower, { ...seenOf(f), level: null, reason: '' })
  return (
    <FormDrawer {...p} narrow form={form} title="降低等级" done="已降低，期限不变">
      <Subject of={f} />
      <ChoiceField of={form} name="level" codes={levels((l) => l < f.level)} />
      <ReasonField of={form} name="reason" example="已经止水，只剩修补" />
    </FormDrawer>
  )
}

function PauseDrawer(p: Props) {
  const f = p.feedback
  const form = useForm(feedbackApi.pause, { ...seenOf(f), pauseFor: null, reason: '', until: undefined })
  const isThird = form.values.pauseFor === feedbackPause.code.third
  return (
    <FormDrawer {...p} narrow form={form} title="暂停" done="已暂停">
      <Subject of={f} />
      <ChoiceField of={form} name="pauseFor" codes={feedbackPause} hint="只停结案期限，回复业主的期限不停" />
      <TextField
        of={form}
        name="reason"
        rows={3}
        example={isThird ? '厂家补发柜门' : '请业主选定瓷砖的颜色'}
        hint={toldTo(f)}
      />
      <DayField
        of={form}
        name="until"
        from={dayOf(nowSeconds())}
        hint={isThird ? '到这一天结束自动恢复' : '不填的，用完暂停天数自动恢复'}
      />
    </FormDrawer>
  )
}

function ThankDrawer(p: Props) {
  const f = p.feedback
  const form = useForm(feedbackApi.thank, { ...seenOf(f), words: '' })
  return (
    <FormDrawer {...p} narrow form={form} title="致谢结案" done="已结案">
      <Subject of={f} />
      <TextField of={form} name="words" rows={3} example="谢谢您，已经转告师傅" />
    </FormDrawer>
  )
}

/** Each of its open corrections goes with it or stays, and somebody says which. */
function CancelDrawer(p: Props) {
  const f = p.feedback
  const form = useForm(feedbackApi.cancel, {
    ...seenOf(f),
    cause: null,
    reason: '',
    of_id: undefined,
    cancelled: [],
    kept: [],
  })
  const { data } = useQuery(feedbackOf(f.id, f.version))
  const isRepeated = form.values.cause === feedbackCancel.code.repeated
  const { data: others } = useQuery({
    queryKey: [feedbackApi.list.path, 'same', f.site_id],
    enabled: isRepeated,
    queryFn: ({ signal }) =>
      call(feedbackApi.list, { query: { site_id: f.site_id, status: [1, 2, 3], pageSize: 50 } }, signal),
  })
  const open = (data?.children ?? [])
    .filter((k) => k.correctionStatus < 3)
    .map((k) => ({ value: k.id, label: `${k.no} ${k.problem}` }))
  return (
    <FormDrawer {...p} form={form} title="取消反馈" done="已取消">
      <Subject of={f} />
      <ChoiceField of={form} name="cause" codes={feedbackCancel} />
      {isRepeated && (
        <OneField
          of={form}
          name="of_id"
          options={(others?.list ?? [])
            .filter((o) => o.id !== f.id)
            .map((o) => ({ value: o.id, label: `${o.no} ${o.words.slice(0, 20)}` }))}
          nothing="这一家没有别的反馈"
        />
      )}
      <ReasonField of={form} name="reason" example="业主打电话又说了一遍" hint={toldTo(f)} />
      {open.length > 0 && (
        <>
          <ManyField of={form} name="cancelled" options={open} />
          <ManyField of={form} name="kept" options={open} />
        </>
      )}
    </FormDrawer>
  )
}

function ScoreDrawer(p: Props) {
  const f = p.feedback
  const form = useForm(feedbackApi.score, { ...seenOf(f), score: null, words: '' })
  return (
    <FormDrawer {...p} narrow form={form} title="代填满意度" done="已记下">
      <Subject of={f} />
      <ChoiceField of={form} name="score" codes={scores} hint="业主口头说的分；标为代填，不计入满意率" />
      <TextField of={form} name="words" rows={3} />
    </FormDrawer>
  )
}

function CallbackDrawer(p: Props) {
  const f = p.feedback
  const form = useForm(feedbackApi.callback, { ...seenOf(f), words: '' })
  return (
    <FormDrawer {...p} narrow form={form} title="回访" done="已记下">
      <Subject of={f} />
      <TextField of={form} name="words" rows={4} example="业主为什么不满意，答应了什么" />
    </FormDrawer>
  )
}

const DRAWERS = {
  accept: AcceptDrawer,
  answer: AnswerDrawer,
  close: CloseDrawer,
  correct: CorrectDrawer,
  transfer: TransferDrawer,
  raise: RaiseDrawer,
  lower: LowerDrawer,
  pause: PauseDrawer,
  thank: ThankDrawer,
  cancel: CancelDrawer,
  score: ScoreDrawer,
  callback: CallbackDrawer,
}
