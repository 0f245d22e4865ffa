import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { Contact } from '@zhuguan/contract/features/owners/owners.record.ts'
import { questionsApi } from '@zhuguan/contract/features/questions/questions.api.ts'
import type { QuestionRow } from '@zhuguan/contract/features/questions/questions.record.ts'
import { siteStage } from '@zhuguan/contract/features/sites/sites.record.ts'
import { Input } from 'antd'

import { call } from '../../kit/api.ts'
import { DayField } from '../../kit/form/DayField.tsx'
import { ChoiceField, CodeField, OneField, OwnField, SwitchField, TextField } from '../../kit/form/fields.tsx'
import { type DrawerProps, FormDrawer } from '../../kit/form/FormDrawer.tsx'
import { useForm } from '../../kit/form/useForm.ts'
import { dayOf, nowSeconds } from '../../kit/time.ts'
import { PicturesField } from '../PictureFields.tsx'

export type Opened =
  | { kind: 'ask'; site_id: string; again: QuestionRow | null; words?: string }
  | { kind: 'record'; question: QuestionRow; contacts: readonly Contact[] }

/** `onDone` is told what was asked, where something was. */
interface Props extends Omit<DrawerProps, 'onDone'> {
  onDone: (asked?: { id: string }) => void
}
const MOST_WORDS = 200
const MOST_OPTIONS = 6
const LONGEST_OPTION = 60
/** The day is being typed; a part of it is asked for nothing. */
const isDay = (text: string | null | undefined) => !!text && /^\d{4}-\d\d-\d\d$/.test(text)

/** Two to six, or none; there is always one more line to write in. */
function Options({ value, put }: { value: readonly string[]; put: (options: string[]) => void }) {
  const lines = value.length < MOST_OPTIONS ? [...value, ''] : value
  const write = (at: number, text: string) =>
    put(lines.map((line, i) => (i === at ? text : line)).filter((line, i) => line !== '' || i < at))
  return (
    <>
      {lines.map((line, i) => (
        <Input
          key={i}
          className="question-option"
          aria-label={`选项 ${i + 1}`}
          value={line}
          maxLength={LONGEST_OPTION}
          placeholder={i === 0 ? '例如 浅灰 800×800' : `选项 ${i + 1}`}
          onChange={(e) => write(i, e.target.value)}
          onBlur={() => put(value.map((v) => v.trim()).filter(Boolean))}
        />
      ))}
    </>
  )
}

/** Nothing, or what was asked before; its day is chosen anew. */
function startOf(again: QuestionRow | null) {
  if (!again)
    return {
      words: '',
      options: [],
      neededBy: '',
      stage: null,
      pictures: [],
      costs: false,
      estimate: '',
      again,
    }
  const { costs, estimate, id, options, pictures, stage, version, words } = again
  return { words, options, neededBy: '', stage, pictures, costs, estimate, again: { id, version } }
}
function Ask({
  site_id,
  again,
  words = '',
  ...p
}: Props & { site_id: string; again: QuestionRow | null; words: string | undefined }) {
  const start = startOf(again)
  const form = useForm(questionsApi.ask, {
    ...start,
    words: start.words || words.slice(0, MOST_WORDS),
    site_id,
  })
  const { costs, neededBy, stage } = form.values
  const asked = { site_id, neededBy: isDay(neededBy) ? neededBy! : undefined, stage: stage ?? undefined }
  const { data } = useQuery({
    queryKey: [questionsApi.foresee.path, asked],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => call(questionsApi.foresee, { query: asked }, signal),
  })
  const stages = siteStage.options.filter((o) => data?.stages.includes(o.value))
  return (
    <FormDrawer
      {...p}
      form={form}
      title={again ? '重新询问业主' : '询问业主'}
      done={again ? '已重新询问' : '已询问，业主打开自己的链接就能看到'}
    >
      {again && (
        <p className="quiet lead">
          原来的问题和答复都留着，业主答复新的问题。{again.answer && `原来答复：${again.answer}`}
        </p>
      )}
      <TextField of={form} name="words" rows={2} example="客厅地砖选哪一款" focus />
      <OwnField of={form} name="options" hint="2 到 6 个；都不填，业主用文字答复">
        {(value, put) => <Options value={value ?? []} put={put} />}
      </OwnField>
      <DayField
        of={form}
        name="neededBy"
        from={dayOf(nowSeconds())}
        hint={data?.notes.join('；') || '到这一天结束为止，过了算业主逾期'}
      />
      <CodeField
        of={form}
        name="stage"
        clear
        codes={{ options: stages }}
        placeholder="没有阶段在等"
        hint="选了阶段，停工时会说明在等业主"
      />
      <SwitchField of={form} name="costs" words={['会', '不会']} />
      {costs && (
        <TextField of={form} name="estimate" example="约 800 元" hint="只是估计；业主答复后另签增减项变更" />
      )}
      <PicturesField of={form} name="pictures" caption="给业主看的照片" />
    </FormDrawer>
  )
}

function Record({
  question: q,
  contacts,
  ...p
}: DrawerProps & { question: QuestionRow; contacts: readonly Contact[] }) {
  const form = useForm(questionsApi.record, {
    id: q.id,
    version: q.version,
    contact_id: contacts.length === 1 ? contacts[0]!.id : null,
    choice: null,
    words: '',
    pictures: [],
  })
  const people = contacts.map((c) => ({ value: c.id, label: c.signatory ? `${c.name}（签约人）` : c.name }))
  const options = q.options.map((label, i) => ({ value: i + 1, label }))
  return (
    <FormDrawer {...p} form={form} title="代录业主答复" done="已记录，先到的答复作数">
      <div className="lead">
        <b>{q.words}</b>
        <p className="quiet">
          {q.neededBy} 前答复{q.costs && `，会改变费用：${q.estimate}`}
        </p>
      </div>
      <OneField of={form} name="contact_id" options={people} />
      {options.length > 0 ? (
        <ChoiceField of={form} name="choice" codes={{ options }} label="业主选的是" />
      ) : (
        <TextField of={form} name="words" rows={3} />
      )}
      <PicturesField
        of={form}
        name="pictures"
        label="凭证（聊天截图、签字的照片；须在提问之后）"
        caption="业主答复的凭证"
      />
    </FormDrawer>
  )
}

/** Loaded with the first drawer that is opened. */
export default function QuestionDrawers({ opened, onDone, ...p }: Props & { opened: Opened }) {
  return opened.kind === 'ask' ? (
    <Ask {...p} onDone={onDone} site_id={opened.site_id} again={opened.again} words={opened.words} />
  ) : (
    <Record {...p} onDone={() => onDone()} question={opened.question} contacts={opened.contacts} />
  )
}
