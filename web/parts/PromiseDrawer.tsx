import { useQuery } from '@tanstack/react-query'
import { promisesApi } from '@zhuguan/contract/features/promises/promises.api.ts'
import {
  type Contradiction,
  contradictionAnswer,
  promiseSubject,
} from '@zhuguan/contract/features/promises/promises.record.ts'
import { principalPost } from '@zhuguan/contract/features/users/users.record.ts'
import type { BodyOf } from '@zhuguan/contract/kit/api.ts'
import { Input, Radio } from 'antd'

import { call } from '../kit/api.ts'
import { DayField } from '../kit/form/DayField.tsx'
import { ChoiceField, OwnField, TextField } from '../kit/form/fields.tsx'
import { type DrawerProps, FormDrawer } from '../kit/form/FormDrawer.tsx'
import { useForm } from '../kit/form/useForm.ts'
import { dayOf, nowSeconds, short } from '../kit/time.ts'
import { SiteField } from './pickFields.tsx'

import './promiseDrawer.css'

const MOST = 200
type Answers = BodyOf<typeof promisesApi.add>['answers']
const { coexist, supersede } = contradictionAnswer.code
/** The day is being typed; a part of it is asked for nothing. */
const isDay = (text: string | null | undefined) => !!text && /^\d{4}-\d\d-\d\d$/.test(text)

/** An older promise with another date, and what becomes of it. */
function Contradicted({
  older: c,
  answer,
  give,
}: {
  older: Contradiction
  answer: Answers[number] | undefined
  give: (answer: Answers[number]) => void
}) {
  const reason = answer?.reason ?? ''
  return (
    <div className="contradiction">
      <p>
        <b>{c.content}</b>，{c.due} 到期{' '}
        <small className="quiet">
          {c.authorName} {short(c.madeAt)} 承诺
        </small>
      </p>
      <Radio.Group
        aria-label={`“${c.content}”怎样处理`}
        className="choices"
        value={answer?.how}
        options={[...contradictionAnswer.options]}
        onChange={(e) => give({ id: c.id, how: e.target.value, reason })}
      />
      {answer && (
        <Input
          aria-label={answer.how === coexist ? '并存的原因' : '说明'}
          value={reason}
          maxLength={200}
          placeholder={answer.how === coexist ? '为什么两条都算数，例如 两个房间分两批' : '说明（可不填）'}
          onChange={(e) => give({ ...answer, reason: e.target.value })}
        />
      )}
    </div>
  )
}

/** Somebody writes down what they have promised the owner. */
export default function PromiseDrawer({
  site_id,
  words = '',
  ...p
}: Omit<DrawerProps, 'onDone'> & {
  site_id?: string | undefined
  /** The home's words, where it is made of that. */
  words?: string
  onDone: (made: { id: string }) => void
}) {
  const today = dayOf(nowSeconds())
  const form = useForm(promisesApi.add, {
    site_id,
    subject: null,
    content: words.slice(0, MOST),
    due: '',
    post: principalPost.code.steward,
    answers: [],
  })
  const { site_id: site, subject, due } = form.values
  const { data, isFetching } = useQuery({
    queryKey: [promisesApi.contradictions.path, site, subject, due],
    enabled: !!site && !!subject && isDay(due),
    queryFn: ({ signal }) =>
      call(promisesApi.contradictions, { query: { site_id: site!, subject: subject!, due: due! } }, signal),
  })
  const older = data?.list ?? []
  const given = (form.values.answers ?? []).filter((a) => older.some((c) => c.id === a.id))
  const isAnswered = older.every((c) => {
    const a = given.find((one) => one.id === c.id)
    return a && (a.how === supersede || a.reason.trim().length >= 2)
  })
  return (
    <FormDrawer
      {...p}
      form={form}
      title="登记承诺"
      done="已登记，责任人会收到通知"
      may={isAnswered && !isFetching}
    >
      {!site_id && <SiteField of={form} name="site_id" />}
      <ChoiceField of={form} name="subject" codes={promiseSubject} />
      <TextField of={form} name="content" rows={2} example="周五前把阳台柜门换好" />
      <DayField of={form} name="due" from={today} hint={data?.notes.join('；') || '到这一天结束为止'} />
      <ChoiceField of={form} name="post" codes={principalPost} hint="换了人，由接任的人负责" />
      {older.length > 0 && (
        <OwnField of={form} name="answers" label="同一事项还有日期不同的承诺，请逐条选择">
          {(_value, put) =>
            older.map((c) => (
              <Contradicted
                key={c.id}
                older={c}
                answer={given.find((a) => a.id === c.id)}
                give={(answer) => put([...given.filter((a) => a.id !== c.id), answer])}
              />
            ))
          }
        </OwnField>
      )}
    </FormDrawer>
  )
}
