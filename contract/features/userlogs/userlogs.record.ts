import { z } from 'zod'

import { defineCodes } from '../../kit/codes.ts'
import { subsystem } from '../session/session.record.ts'

export const logOutcome = defineCodes('logOutcome', '结果', {
  done: ['done', '成功'],
  refused: ['refused', '被拒绝'],
})
/** Lines of the log about who read or took away something about people. */
export const logAbout = defineCodes('logAbout', '个人信息', {
  unmask: ['unmask', '查看完整号码'],
  export: ['export', '导出'],
  offHours: ['offHours', '下班时间看摄像头'],
})
/** Each reads one whole number of one person; a test looks for others. */
export const UNMASKINGS = [
  '查看客户电话',
  '查看联系人电话',
  '查看业主电话',
  '查看受限的联系方式',
  '查看完整电话',
  '查看证件号码',
] as const
const change = z.object({ title: z.string(), before: z.string(), after: z.string() })
export const logRow = z.object({
  id: z.string(),
  at: z.number().int(),
  user_id: z.string().nullable(),
  userName: z.string(),
  nickname: z.string(),
  system: z.union([subsystem.schema, z.literal('')]),
  action: z.string(),
  object: z.string(),
  objectId: z.string(),
  outcome: logOutcome.schema,
  ip: z.string(),
  agent: z.string(),
  /** The subject of the line, by its name. */
  objectName: z.string(),
  /** The changes, in words. */
  changes: z.array(change),
  /** The program and the system that the caller used. */
  terminal: z.string(),
  /** Its place in the chain; null for the second until it is sealed. */
  seq: z.number().int().nullable(),
})
export type LogRow = z.output<typeof logRow>
export const logVerdict = z.object({
  ok: z.boolean(),
  checked: z.number().int(),
  /** The number of checked lines out of which something was taken for a person who asked to be forgotten. */
  blackened: z.number().int(),
  why: z.string(),
})
/** A verdict in a sentence. */
export const verdictText = ({ blackened, checked, ok, why }: z.output<typeof logVerdict>): string => {
  const lines = (n: number) => `${n.toLocaleString('en-US')} 行`
  if (!ok) return `校验不通过：${why}`
  const among = blackened ? `，其中 ${lines(blackened)}已按个人信息请求涂黑` : ''
  return `校验通过：${lines(checked)}${among}`
}
/** A piece of the walk: so far it holds, `next` goes on behind it; the last one has none. */
export const logPiece = logVerdict.extend({
  next: z.string().nullable(),
  /** Number of lines that are sealed. */
  of: z.number().int(),
})
/** The end of the chain of lines, and the last person who walked all of it. */
export const logChain = z.object({
  /** The newest seal: its line, its hash and when it was set; null before the first. */
  head: z.object({ seq: z.number().int(), hash: z.string(), at: z.number().int() }).nullable(),
  verified: logVerdict.extend({ at: z.number().int(), nickname: z.string() }).nullable(),
})
