import { causeKind } from '@zhuguan/contract/features/notifications/notifications.record.ts'

import { dueWords } from '../deadlines/cause-due.reads.ts'

/** A cause as a mail tells it: never a name, a telephone, an address or a title that somebody wrote. */
export interface Item {
  kind: string
  siteCode: string | null
  /** As FK261128-00027; nothing where it has none. */
  number: string | null
  link: string
  /** Until when there is time, in seconds; nothing where it has no clock. */
  due: number | null
  /** Figures of a report, which the mail says beside it. */
  figures?: readonly string[]
}
export interface Waiting extends Item {
  /** So many days it has waited. */
  days: number
}
/** When it is read, in seconds, and where the product is. */
interface Reading {
  now: number
  publicUrl: string | null
}
/** So many causes stand in a letter; the rest is a number. */
export const MOST_LINES = 30
const LONG_DAYS = 3
const FOOT = '\n\n哪些事发邮件、什么时候不打扰：登录后点右上角自己的名字 → 消息设置。'

const addressOf = (publicUrl: string | null, link: string) =>
  publicUrl && link ? `${publicUrl.replace(/\/$/, '')}/#${link}` : ''
const nameOf = ({ due, kind, number, siteCode }: Item, now: number) =>
  [
    [causeKind.label(kind), number].filter(Boolean).join(' '),
    siteCode && `工地 ${siteCode}`,
    dueWords(due, now),
  ]
    .filter(Boolean)
    .join('，')
function sums(items: readonly Item[]): string {
  const n = new Map<string, number>()
  for (const { kind } of items) n.set(kind, (n.get(kind) ?? 0) + 1)
  return [...n].map(([kind, many]) => `${causeKind.label(kind)} ${many}`).join('，')
}
function lines<I extends Item>(
  items: readonly I[],
  { now, publicUrl }: Reading,
  more: (item: I) => string,
): string {
  const shown = items.slice(0, MOST_LINES).map((item) => {
    const address = addressOf(publicUrl, item.link)
    const under = [...(item.figures ?? []), ...(address ? [address] : [])]
    return [`· ${nameOf(item, now)}${more(item)}`, ...under].join('\n  ')
  })
  const left = items.length - shown.length
  return [...shown, ...(left > 0 ? [`还有 ${left} 件，请登录查看。`] : [])].join('\n')
}

/** What somebody is told at once: one cause, or what came together. */
export function toldWords(items: readonly Item[], of: Reading) {
  const [only] = items
  const subject =
    items.length === 1 ? `【筑管】${nameOf(only!, of.now)}` : `【筑管】${items.length} 件事：${sums(items)}`
  return { subject, text: `${lines(items, of, () => '')}${FOOT}` }
}
/** What waits for somebody this morning, the longest first. */
export function digestWords(items: readonly Waiting[], of: Reading) {
  const long = items.filter(({ days }) => days >= LONG_DAYS).length
  const late = long ? `，其中 ${long} 件已等了 ${LONG_DAYS} 天以上` : ''
  return {
    subject: `【筑管】今天有 ${items.length} 件事没有看过：${sums(items)}`,
    text: `有 ${items.length} 件事没有看过${late}。\n\n${lines(items, of, ({ days }) =>
      days > 0 ? `，已等 ${days} 天` : '',
    )}${FOOT}`,
  }
}
export const codeWords = (code: string, minutes: number) => ({
  subject: `【筑管】验证码 ${code}`,
  text: `您正在筑管里填写这个邮箱。验证码：${code}，${minutes} 分钟内有效。\n如果不是您本人，请忽略这封邮件。`,
})
export const trialWords = () => ({
  subject: '【筑管】这是一条试发消息',
  text: `收到说明邮件已接通。${FOOT}`,
})
