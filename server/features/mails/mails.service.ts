import { createHmac, randomInt, timingSafeEqual } from 'node:crypto'

import { CAUSE_PAGES } from '@zhuguan/contract/cause-pages.ts'
import type { mailsApi } from '@zhuguan/contract/features/mails/mails.api.ts'
import {
  CODE_MINUTES,
  CODE_TRIES,
  type MyMail,
  noticeWay,
  type NoticeWay,
  USUAL_HOUR,
  usualWay,
} from '@zhuguan/contract/features/mails/mails.record.ts'
import { causeKind, type CauseKind } from '@zhuguan/contract/features/notifications/notifications.record.ts'
import type { BodyOf } from '@zhuguan/contract/kit/api.ts'

import type { Tx } from '../../database/connect.ts'
import { uuidv7 } from '../../kit/ids.ts'
import type { Mailer } from '../../kit/mailer.ts'
import { found, invalid, overtaken, Refused } from '../../kit/refuse.ts'
import type { Call, SessionUser } from '../../kit/serve.ts'
import { shanghaiDay } from '../../kit/shanghai.ts'
import { codeWords, trialWords } from './mail-words.ts'
import {
  addressOf,
  askAddress,
  beginRules,
  countTry,
  dropAddress,
  mailsOf,
  rulesOf,
  setAddress,
  setRules,
  sitesInReach,
  unaskAddress,
} from './mails.queries.ts'

export interface MailDeps {
  secretKey: Buffer
  /** Nothing: this installation sends no mail. */
  mailer: Mailer | null
}
type Ask = BodyOf<(typeof mailsApi)['ask']>
type Rules = BodyOf<(typeof mailsApi)['rules']>

const NO_SERVER = '系统没有配置邮件服务器，请联系系统管理员'
/** As the log shows an address: enough to tell two apart. */
const partly = (address: string) => address.replace(/^(.)[^@]*/, '$1***')
const isWay = (way: string | undefined): way is NoticeWay => noticeWay.values.some((one) => one === way)
const wayOf = (ways: Record<string, string>, kind: CauseKind): NoticeWay => {
  const way = ways[kind]
  return isWay(way) ? way : usualWay(kind)
}

/** The kinds that this person may be told of: those that open a page of theirs. */
const heardOf = ({ pages }: SessionUser): CauseKind[] =>
  causeKind.values.filter((kind) => CAUSE_PAGES[kind].some((page) => pages.includes(page)))

/** A code is good for so long. */
const isOld = (codeAt: number | null, now: Date) =>
  codeAt === null || now.getTime() / 1000 - codeAt > CODE_MINUTES * 60

export const myMail = ({ now, user, read }: Call, { mailer }: MailDeps): Promise<MyMail> =>
  read(async (tx) => {
    const [address, rules, mails] = await Promise.all([
      addressOf(tx, user.tenant, user.id),
      rulesOf(tx, user.tenant, user.id),
      mailsOf(tx, user.tenant, user.id),
    ])
    const {
      hour = USUAL_HOUR,
      quietFrom = '',
      quietTo = '',
      sites = [],
      version = 0,
      ways = {},
    } = rules ?? {}
    return {
      configured: mailer !== null,
      address: address?.address ?? '',
      asked: address && !isOld(address.codeAt, now()) ? address.asked : '',
      trouble: address?.trouble ?? '',
      rules: {
        ways: heardOf(user).map((kind) => ({ kind, way: wayOf(ways, kind) })),
        sites,
        quietFrom,
        quietTo,
        hour,
        version,
      },
      mails,
    }
  })

const digestOf = (key: Buffer, user: string, asked: string, code: string) =>
  createHmac('sha256', key).update(`mail ${user} ${asked} ${code}`).digest('hex')
const isSame = (a: string, b: string) =>
  a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))
const newCode = () => String(randomInt(1_000_000)).padStart(6, '0')
const PAUSE_S = 60

/** A code goes to the new address before it is kept: what the mail server refuses changes nothing. */
export async function askMail(call: Call, { mailer, secretKey }: MailDeps, { address }: Ask): Promise<null> {
  if (!mailer) throw new Refused(NO_SERVER)
  const { id: user, tenant } = call.user
  const code = newCode()
  // Written first, so that of two at once the second waits its minute; a code that did not go opens nothing.
  await call.write(async (tx) => {
    const before = await addressOf(tx, tenant, user, { lock: true })
    if (before?.codeAt && call.now().getTime() / 1000 - before.codeAt < PAUSE_S)
      throw new Refused('验证码刚刚发过，请一分钟后再试', 429)
    await askAddress(tx, { tenant, user, asked: address, code: digestOf(secretKey, user, address, code) })
    await call.log(tx, {
      action: '填写邮箱',
      object: 'mail',
      objectId: user,
      after: { mail: partly(address) },
    })
  })
  const unsent = await mailer.send({ id: uuidv7(), to: address, ...codeWords(code, CODE_MINUTES) })
  if (!unsent) return null
  await call.write((tx) => unaskAddress(tx, { tenant, user, asked: address }))
  throw invalid('address', `验证码没有发出去：${unsent.why}`)
}

/** What a code that was typed is worth; a wrong one counts. */
async function tryCode(tx: Tx, call: Call, key: Buffer, code: string): Promise<string | undefined> {
  const { id: user, tenant } = call.user
  const a = await addressOf(tx, tenant, user, { lock: true })
  if (!a?.asked || !a.codeAt) return '没有等待确认的邮箱，请先填写邮箱'
  if (isOld(a.codeAt, call.now()) || a.tries >= CODE_TRIES) return '验证码已失效，请重新发送'
  if (!isSame(a.code, digestOf(key, user, a.asked, code))) {
    await countTry(tx, tenant, user)
    return '验证码不对'
  }
  await setAddress(tx, tenant, user)
  await beginRules(tx, { tenant, user, hour: USUAL_HOUR, today: shanghaiDay(call.now()) })
  await call.log(tx, {
    action: '确认邮箱',
    object: 'mail',
    objectId: user,
    before: { mail: partly(a.address) },
    after: { mail: partly(a.asked) },
  })
  return undefined
}
export async function confirmMail(call: Call, { secretKey }: MailDeps, code: string): Promise<null> {
  const why = await call.write((tx) => tryCode(tx, call, secretKey, code))
  if (why) throw invalid('code', why)
  return null
}
export async function removeMail(call: Call): Promise<null> {
  const { id: user, tenant } = call.user
  await call.write(async (tx) => {
    const a = await addressOf(tx, tenant, user, { lock: true })
    if (!a?.address && !a?.asked) return
    await dropAddress(tx, tenant, user, '')
    await call.log(tx, {
      action: '不再发邮件',
      object: 'mail',
      objectId: user,
      before: { mail: partly(a.address || a.asked) },
    })
  })
  return null
}
export async function setMyRules(call: Call, body: Rules): Promise<null> {
  const { id: user, tenant, scope } = call.user
  const { hour, quietFrom, quietTo, version } = body
  if (!quietFrom !== !quietTo) throw invalid(quietFrom ? 'quietTo' : 'quietFrom', '免打扰的起止时间要一起填')
  if (quietFrom && quietFrom === quietTo) throw invalid('quietTo', '免打扰的起止时间不能相同')
  const sites = [...new Set(body.sites)]
  const asked = body.ways.map(({ kind }): string => kind)
  if (new Set(asked).size < asked.length) throw invalid('ways', '同一事项只能选一种')
  const chosen = body.ways.filter(({ kind, way }) => way !== usualWay(kind))
  await call.write(async (tx) => {
    const seen = await sitesInReach(tx, scope, sites)
    for (const id of sites) found(seen.find((one) => one === id))
    // A role that comes back finds what was chosen for its kinds.
    const kept = Object.entries((await rulesOf(tx, tenant, user))?.ways ?? {})
    const ways = Object.fromEntries([
      ...kept.filter(([kind]) => !asked.includes(kind)),
      ...chosen.map(({ kind, way }): [string, string] => [kind, way]),
    ])
    if (!(await setRules(tx, { tenant, user, ways, sites, quietFrom, quietTo, hour, version })))
      throw overtaken('份消息设置')
    const told = chosen.map(({ kind, way }) => `${causeKind.label(kind)}：${noticeWay.label(way)}`)
    await call.log(tx, {
      action: '修改消息规则',
      object: 'mail',
      objectId: user,
      after: {
        ways: told.join('、') || '按常用的',
        sites: sites.length ? `${sites.length} 个` : '全部',
        quiet: quietFrom ? `${quietFrom}-${quietTo}` : '无',
        hour,
      },
    })
  })
  return null
}
/** Told at once whether it went, so that nobody waits for what does not come. */
export async function tryMail(call: Call, { mailer }: MailDeps): Promise<null> {
  if (!mailer) throw new Refused(NO_SERVER)
  const { id: user, tenant } = call.user
  const a = await call.read((tx) => addressOf(tx, tenant, user))
  if (!a?.address) throw new Refused('请先填写并确认邮箱')
  const unsent = await mailer.send({ id: uuidv7(), to: a.address, ...trialWords() })
  if (unsent) throw new Refused(`没有发出去：${unsent.why}`)
  return null
}
