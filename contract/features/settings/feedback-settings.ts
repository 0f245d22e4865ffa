import { type FeedbackLevel, feedbackLevel } from '../feedback/feedback.record.ts'
import { count, person, setting } from './setting.ts'

/** How long a feedback of a level may wait: one that is urgent day and night. */
const hoursOf = (
  level: FeedbackLevel,
  { otherwise, title, what }: { title: string; what: string; otherwise: number },
) =>
  setting({
    group: '业主反馈',
    title: `${title}（${feedbackLevel.label(level)}）`,
    what: level === 3 ? `${what.replace('工作小时', '小时')}，夜里和休息日也算` : what,
    unit: '小时',
    value: count(1, 720),
    otherwise,
    input: 'number',
  })
const answerOf = (level: FeedbackLevel, otherwise: number) =>
  hoursOf(level, {
    title: '回复期限',
    what: '登记后多少个工作小时内有人回复业主，到四分之三提醒，过了逐级升级；自动回复不算',
    otherwise,
  })
const closeOf = (level: FeedbackLevel, otherwise: number) =>
  hoursOf(level, {
    title: '结案期限',
    what: '受理后多少个工作小时内结案，到四分之三提醒，过了逐级升级',
    otherwise,
  })

/** The person whom a step of the ladder brings in instead of everybody who holds its post. */
const personOf = (post: string) =>
  setting({
    group: '业主反馈',
    title: `升级找谁（${post}）`,
    what: `超期升级到${post}这一级时找的人；不在时找代班人，都不行就再升一级；不指定就找这一级的所有人`,
    value: person,
    otherwise: '',
    input: 'person',
    powers: ['feedback:handle'],
  })

/** How long what owners say may wait. */
export const FEEDBACK_SETTINGS = {
  replyHours: setting({
    group: '业主互动',
    title: '回复期限',
    what: '业主留言后多少个工作小时内回复，过了提醒项目管家；再过同样长的时间还没有回复，告诉项目经理和客服',
    unit: '小时',
    clock: '业主现在留言',
    value: count(1, 720),
    otherwise: 4,
    input: 'number',
  }),
  'feedbackAnswerHours.1': answerOf(1, 8),
  'feedbackAnswerHours.2': answerOf(2, 4),
  'feedbackAnswerHours.3': answerOf(3, 1),
  'feedbackCloseHours.1': closeOf(1, 72),
  'feedbackCloseHours.2': closeOf(2, 24),
  'feedbackCloseHours.3': closeOf(3, 8),
  feedbackEscalateHours: setting({
    group: '业主反馈',
    title: '再升一级',
    what: '超期升级以后多少个工作小时还没有办，再升一级：客服、分公司总经理、集团运营；紧急的按钟点算',
    unit: '小时',
    clock: '现在升级',
    value: count(1, 720),
    otherwise: 4,
    input: 'number',
  }),
  feedbackPauseDays: setting({
    group: '业主反馈',
    title: '暂停天数',
    what: '一条反馈等业主、等第三方一共可以暂停多少天；暂停只停结案期限',
    unit: '天',
    value: count(0, 90),
    otherwise: 7,
    input: 'number',
  }),
  feedbackReopenDays: setting({
    group: '业主反馈',
    title: '可重开天数',
    what: '结案后多少天内可以替业主重新打开，过了登记一条新的并关联',
    unit: '天',
    value: count(0, 365),
    otherwise: 7,
    input: 'number',
  }),
  'escalatePerson.1': personOf('客服'),
  'escalatePerson.2': personOf('分公司总经理'),
  'escalatePerson.3': personOf('集团运营'),
  aftercarePerson: setting({
    group: '业主反馈',
    title: '售后负责人',
    what: '完工交付时提议由谁接手没到期的承诺和反馈，完工时可以改成别人',
    value: person,
    otherwise: '',
    input: 'person',
    powers: ['promise:keep', 'feedback:handle'],
  }),
} as const
