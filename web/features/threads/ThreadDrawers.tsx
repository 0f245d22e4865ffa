import { feedbackChannel } from '@zhuguan/contract/features/feedback/feedback.record.ts'
import { contactRelation } from '@zhuguan/contract/features/owners/owners.record.ts'
import { threadChannel } from '@zhuguan/contract/features/threads/thread-page.record.ts'
import { threadsApi } from '@zhuguan/contract/features/threads/threads.api.ts'
import {
  MOST_TEMPLATES,
  type ThreadDetail,
  type ThreadMessage,
  type threadOutcome,
} from '@zhuguan/contract/features/threads/threads.record.ts'
import type { Code } from '@zhuguan/contract/kit/codes.ts'
import { Input } from 'antd'

import { call } from '../../kit/api.ts'
import { ChoiceField, OneField, OwnField, TextField } from '../../kit/form/fields.tsx'
import { type DrawerProps, FormDrawer } from '../../kit/form/FormDrawer.tsx'
import { useForm } from '../../kit/form/useForm.ts'
import { lazyPart } from '../../kit/lazyPart.tsx'
import { message } from '../../kit/notices.ts'
import { PicturesField } from '../../parts/PictureFields.tsx'

const EnterDrawer = lazyPart(() => import('../../parts/EnterDrawer.tsx'))
const PromiseDrawer = lazyPart(() => import('../../parts/PromiseDrawer.tsx'))
const QuestionDrawers = lazyPart(() => import('../../parts/questions/QuestionDrawers.tsx'))
const ReceptionDrawer = lazyPart(() => import('../../parts/ReceptionDrawer.tsx'))
const { meet, page, phone, wechat } = threadChannel.code
const ELSEWHERE = {
  options: ([phone, wechat, meet] as const).map((value) => ({ value, label: threadChannel.label(value) })),
}

export type Opened =
  | { kind: 'hear' }
  | { kind: 'templates' }
  | { kind: Code<typeof threadOutcome>; message: ThreadMessage }
interface Props extends DrawerProps {
  thread: ThreadDetail
}

/** The words of somebody of the home that were said elsewhere. */
function HearDrawer({ thread, ...p }: Props) {
  const form = useForm(threadsApi.hear, {
    site_id: thread.site_id,
    contact_id: thread.contacts[0]?.id,
    channel: null,
    words: '',
    pictures: [],
  })
  return (
    <FormDrawer {...p} form={form} title="代录业主的话" done="已记下，等待回复">
      <OneField
        of={form}
        name="contact_id"
        clear
        placeholder="不清楚是谁"
        options={thread.contacts.map((c) => ({
          value: c.id,
          label: `${c.name}（${contactRelation.label(c.relation)}）`,
        }))}
      />
      <ChoiceField of={form} name="channel" codes={ELSEWHERE} />
      <TextField of={form} name="words" rows={4} example="业主的原话：阳台的柜门什么时候换" />
      <PicturesField of={form} name="pictures" caption="照片" />
    </FormDrawer>
  )
}

/** The phrases of the branch, a line each. */
function TemplatesDrawer({ thread, ...p }: Props) {
  const form = useForm(threadsApi.saveTemplates, {
    bc_id: thread.bc_id,
    version: thread.templatesVersion,
    texts: thread.templates,
  })
  return (
    <FormDrawer {...p} form={form} title="分公司常用语" done="已保存">
      <OwnField
        of={form}
        name="texts"
        label="常用语"
        hint={`一行一条，最多 ${MOST_TEMPLATES} 条；本分公司的人都能用`}
      >
        {(value, put) => (
          <Input.TextArea
            aria-label="常用语"
            rows={12}
            defaultValue={(value ?? []).join('\n')}
            placeholder="已收到，我们马上安排"
            onChange={(e) =>
              put(
                e.target.value
                  .split('\n')
                  .map((line) => line.trim())
                  .filter(Boolean),
              )
            }
          />
        )}
      </OwnField>
    </FormDrawer>
  )
}

const HEARD = {
  [page]: feedbackChannel.code.other,
  [phone]: feedbackChannel.code.phone,
  [wechat]: feedbackChannel.code.wechat,
  [meet]: feedbackChannel.code.scene,
} as const

export default function ThreadDrawers({ opened, thread, onClose, onDone }: Props & { opened: Opened }) {
  if (opened.kind === 'hear') return <HearDrawer thread={thread} onClose={onClose} onDone={onDone} />
  if (opened.kind === 'templates')
    return <TemplatesDrawer thread={thread} onClose={onClose} onDone={onDone} />
  const { kind, message: said } = opened
  const made = async ({ id }: { id: string }) => {
    try {
      await call(threadsApi.become, { body: { id: said.id, kind, record_id: id } })
    } catch (error) {
      message.error(`已登记，但没有关联到这条留言：${(error as Error).message}`)
    }
    onDone()
  }
  const common = { site_id: thread.site_id, words: said.words, onClose, onDone: made }
  if (kind === 'feedback') return <EnterDrawer {...common} saidAt={said.at} channel={HEARD[said.channel]} />
  if (kind === 'promise') return <PromiseDrawer {...common} />
  if (kind === 'question')
    return (
      <QuestionDrawers
        opened={{ kind: 'ask', site_id: thread.site_id, again: null, words: said.words }}
        onClose={onClose}
        onDone={(asked) => (asked ? void made(asked) : onDone())}
      />
    )
  return <ReceptionDrawer {...common} host_id={thread.steward_id} />
}
