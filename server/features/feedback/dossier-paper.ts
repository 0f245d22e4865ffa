import { alarmType, correctionStatus } from '@zhuguan/contract/features/alarms/alarms.record.ts'
import {
  feedbackAbout,
  feedbackAct,
  feedbackCause,
  feedbackChannel,
  type FeedbackDetail,
  feedbackKind,
  feedbackLevel,
  feedbackStatus,
} from '@zhuguan/contract/features/feedback/feedback.record.ts'
import { writtenBy } from '@zhuguan/contract/features/owners/home-devices.record.ts'
import { contactRelation } from '@zhuguan/contract/features/owners/owners.record.ts'
import { orderState } from '@zhuguan/contract/features/pieces/pieces.record.ts'
import { promiseState } from '@zhuguan/contract/features/promises/promises.record.ts'
import { threadKind } from '@zhuguan/contract/features/threads/threads.record.ts'

import { listed, withoutNumbers } from '../../kit/paper-list.ts'
import type { Paper, PaperPictures } from '../../kit/paper.ts'
import { shanghaiTime } from '../../kit/shanghai.ts'
import type { Beside } from './dossier.queries.ts'

const TIME = 92
const at = (seconds: number | null): string =>
  seconds === null ? '' : shanghaiTime(new Date(seconds * 1_000)).slice(0, 16)
const when = (date: Date | null): string => (date ? shanghaiTime(date).slice(0, 16) : '')
const hours = (seconds: number): string => `${Math.round(seconds / 360) / 10} 小时`
const counted = <R extends object>(rows: readonly R[]) => rows.map((row) => ({ ...row, n: rows.length }))

/** The whole case for a dispute: who, what, when, each clock, and what stood beside it. No telephone is whole. */
export function dossierPaper(
  f: FeedbackDetail,
  beside: Beside,
  { foot, head, pictures }: { head: Paper['head']; foot: string; pictures: PaperPictures },
): Paper {
  const { clocks } = beside
  const signatory = beside.people.find((p) => p.isOwner)
  return {
    head,
    title: `${feedbackKind.label(f.kind)}卷宗`,
    number: f.no,
    facts: [
      ['业主', [signatory?.name, signatory?.phone].filter(Boolean).join(' ')],
      ['工地', `${f.site.code} ${f.siteName}`],
      ['地址', f.site.address],
      ['所列期间', periodOf(f)],
      ['项目经理', f.site.manager],
      ['项目管家', f.site.steward],
      ['责任人', f.assigneeName],
      ['等级', feedbackLevel.label(f.level)],
      ['状态', `${feedbackStatus.label(f.status)}${f.round > 1 ? `，第 ${f.round} 轮` : ''}`],
      ['关于', `${feedbackAbout.label(f.about)} ${f.aboutName}`.trim()],
      ['登记', `${f.enteredBy} ${feedbackChannel.label(f.channel)} ${at(f.enteredAt)}`],
      [
        '满意度',
        f.score === null ? '' : `${f.score} 分${f.scoredBy ? `（${writtenBy(f.scoredBy, ' 代填')}）` : ''}`,
      ],
      ['跟进', f.supervisors.map((s) => s.name).join('、')],
    ],
    parts: [
      { kind: 'words', title: '业主反映', text: withoutNumbers(f.words) },
      {
        kind: 'table',
        title: '时限',
        columns: [{ title: '' }, { title: '期限', width: TIME }, { title: '实际', width: TIME }],
        rows: [
          ['首次回复', when(clocks.answerDueAt), when(clocks.answeredAt) || '还没有'],
          ['结案', when(clocks.closeDueAt), at(f.closedAt) || '还没有'],
          ['用时（扣除暂停）', hours(f.gross - f.paused), `连暂停 ${hours(f.gross)}`],
        ],
      },
      ...(f.result || f.cause
        ? [
            {
              kind: 'words',
              title: '处理结果',
              text: withoutNumbers(
                [f.cause && feedbackCause.label(f.cause), f.result].filter(Boolean).join('：'),
              ),
            } as const,
          ]
        : []),
      listed(
        '处理经过',
        [
          { title: '时间', width: TIME },
          { title: '谁', width: 70 },
          { title: '做了什么', width: 60 },
          { title: '说明' },
        ],
        counted(f.events),
        (e) => [at(e.at), e.actor, feedbackAct.label(e.act), `${e.words}${photos(e.pictures.length)}`],
      ),
      listed(
        '整改单',
        [
          { title: '编号', width: 100 },
          { title: '问题' },
          { title: '整改人', width: 60 },
          { title: '状态', width: 50 },
        ],
        counted(f.children),
        (c) => [c.no, c.problem, c.assigneeName, correctionStatus.label(c.correctionStatus)],
      ),
      listed(
        '联系人',
        [
          { title: '姓名' },
          { title: '关系', width: 60 },
          { title: '电话', width: 90 },
          { title: '从', width: TIME },
          { title: '到', width: TIME },
        ],
        counted(beside.people),
        (p) => [p.name, contactRelation.label(p.relation), p.phone, when(p.since), when(p.until)],
      ),
      listed(
        '互动记录',
        [{ title: '时间', width: TIME }, { title: '谁', width: 70 }, { title: '内容' }],
        beside.thread,
        (m) => [when(m.at), m.who, m.taken ? '已撤回' : `${kindOf(m.kind)}${m.words}${photos(m.pictures)}`],
      ),
      listed(
        '承诺',
        [
          { title: '内容' },
          { title: '承诺人', width: 60 },
          { title: '最初到期', width: 60 },
          { title: '到期', width: 60 },
          { title: '状态', width: 70 },
        ],
        beside.promises,
        (p) => [
          p.content,
          p.author,
          p.first,
          p.due,
          `${promiseState.label(p.state)}${p.objected ? ' 有异议' : ''}`,
        ],
      ),
      listed(
        '报警',
        [{ title: '时间', width: TIME }, { title: '类型' }, { title: '整改状态', width: 80 }],
        beside.alarms,
        (a) => [when(a.at), alarmType.label(a.type), correctionStatus.label(a.status)],
      ),
      listed(
        '订单',
        [
          { title: '编号', width: 120 },
          { title: '商家' },
          { title: '期望到货', width: 70 },
          { title: '状态', width: 60 },
        ],
        beside.orders,
        (o) => [o.code, o.receiver, o.expected, o.state === null ? '' : orderState.label(o.state)],
      ),
      listed(
        '留存的录像',
        [
          { title: '摄像头', width: 100 },
          { title: '从', width: TIME },
          { title: '到', width: TIME },
          { title: '留存到', width: TIME },
          { title: '原因' },
        ],
        beside.holds,
        (h) => [h.camera, at(h.from), at(h.to), at(h.until), `${h.reason}（${h.by}）`],
      ),
      listed(
        '以前的反馈',
        [
          { title: '编号', width: 100 },
          { title: '类型', width: 40 },
          { title: '内容' },
          { title: '时间', width: TIME },
          { title: '状态', width: 50 },
        ],
        counted(f.earlier),
        (e) => [e.no, feedbackKind.label(e.kind), e.words, at(e.enteredAt), feedbackStatus.label(e.status)],
      ),
      ...(pictures.pictures.length > 0 ? [pictures] : []),
    ],
    foot,
  }
}
/** The time that the paper tells of: while the home was theirs who are in the case. */
const periodOf = ({ homeFrom, homeTo }: FeedbackDetail): string =>
  `${homeFrom === null ? '开工' : `${at(homeFrom)} 更换业主`}起，至${homeTo === null ? '导出时' : ` ${at(homeTo)} 更换业主`}`
const photos = (n: number): string => (n > 0 ? `（照片 ${n} 张）` : '')
const kindOf = (kind: (typeof threadKind.values)[number]): string =>
  kind === threadKind.code.words ? '' : `${threadKind.label(kind)}：`
