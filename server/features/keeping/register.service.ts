import { Readable } from 'node:stream'

import { consentKind, consentState } from '@zhuguan/contract/features/consents/consents.record.ts'
import { noticeKind } from '@zhuguan/contract/features/consents/notices.record.ts'
import {
  keptDoor,
  keptFor,
  keptGround,
  type KeptRow,
  type PersonalRegister,
} from '@zhuguan/contract/features/keeping/keeping.record.ts'

import type { Tx } from '../../database/connect.ts'
import { invalid, outside } from '../../kit/refuse.ts'
import { whole } from '../../kit/scoped.ts'
import type { Call } from '../../kit/serve.ts'
import { addDays, shanghaiDay } from '../../kit/shanghai.ts'
import { type SheetOf, workbookOf } from '../../kit/workbook.ts'
import { countAnswers } from '../consents/consents.reads.ts'
import { countNotices } from '../consents/notices.reads.ts'
import { doneBy } from '../userlogs/userlogs.reads.ts'
import { kindsOf, type KeptKind } from './keeping.service.ts'

const USUAL_DAYS = 30
const MOST_DAYS = 366
/** What was asked for, or the last days up to today. */
function spanOf(asked: { from?: string | undefined; to?: string | undefined }, now: Date) {
  const to = asked.to ?? shanghaiDay(now)
  const from = asked.from ?? addDays(to, 1 - USUAL_DAYS)
  if (from > to) throw invalid('from', '开始日期不能晚于结束日期')
  if (addDays(from, MOST_DAYS) <= to) throw invalid('from', `一次最多看 ${MOST_DAYS} 天`)
  return { from, to }
}

/** What is kept about people, who agreed to what, who read or took away how much: of the whole group, or nothing. */
export async function registerOf(
  tx: Tx,
  call: Call,
  asked: { from?: string | undefined; to?: string | undefined },
  kinds: readonly KeptKind[],
): Promise<PersonalRegister> {
  if (!whole(call.user.scope)) throw outside()
  const span = spanOf(asked, call.now())
  const told = await kindsOf(
    tx,
    call,
    undefined,
    kinds.filter((k) => k.whose),
  )
  const consents = await countAnswers(tx, call.user.tenant)
  const notices = await countNotices(tx, call.user.tenant)
  return { ...span, kinds: told, consents, notices, people: await doneBy(tx, call.user, span) }
}

const KINDS: readonly (readonly [title: string, of: (k: KeptRow) => string])[] = [
  ['种类', (k) => k.title],
  ['谁的信息', (k) => k.whose],
  ['目的', (k) => k.purpose],
  ['依据', (k) => keptGround.label(k.ground)],
  ['保存多久', keptFor],
  ['从何时起算', (k) => k.starts],
  ['什么时候不删', (k) => k.stops],
  ['谁看得到', (k) => k.seen.join('、')],
  ['离开系统的途径', (k) => k.doors.map((d) => keptDoor.label(d)).join('、') || '不离开系统'],
]
function sheetsOf(r: PersonalRegister): SheetOf[] {
  return [
    {
      name: '处理的个人信息',
      titles: KINDS.map(([title]) => title),
      rows: r.kinds.map((k) => KINDS.map(([, of]) => of(k))),
    },
    {
      name: '同意',
      titles: ['同意事项', '答复', '人数'],
      kinds: ['text', 'text', 'number'],
      rows: r.consents.map((c) => [consentKind.label(c.kind), consentState.label(c.state), String(c.n)]),
    },
    {
      name: '告知书',
      titles: ['场合', '版本', '条数'],
      kinds: ['text', 'text', 'number'],
      rows: r.notices.map((c) => [noticeKind.label(c.kind), c.version || '没有登记告知', String(c.n)]),
    },
    {
      name: `${r.from} 至 ${r.to}`,
      titles: ['姓名', '账号', '分公司', '查看完整号码', '导出', '下班时间看摄像头'],
      kinds: ['text', 'text', 'text', 'number', 'number', 'number'],
      rows: r.people.map((p) => [
        p.nickname,
        p.userName,
        p.bc_name,
        String(p.unmask),
        String(p.export),
        String(p.offHours),
      ]),
    },
  ]
}

/** The register of the last days as a workbook; that it was taken away is a line of the log before. */
export async function sendRegister(call: Call, kinds: readonly KeptKind[]): Promise<void> {
  const name = '个人信息登记'
  const register = await call.read((tx) => registerOf(tx, call, {}, kinds))
  await call.write((tx) => call.log(tx, { action: `导出${name}`, object: 'export', objectId: name }))
  await call.reply
    .header('content-type', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet')
    .header('content-disposition', `attachment; filename*=UTF-8''${encodeURIComponent(name)}.xlsx`)
    .send(Readable.from(workbookOf(sheetsOf(register))))
}
