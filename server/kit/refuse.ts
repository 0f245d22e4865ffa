import { TooManyDigits } from '@zhuguan/contract/kit/money.ts'
import type { Overtaken } from '@zhuguan/contract/kit/overtaken.ts'

import { shanghaiTime } from './shanghai.ts'

/** Too much and not now are said by the HTTP status as well; the rest by the code inside (docs/product.md). */
const statusOf = (code: number): number => (code === 429 || code === 503 ? code : 200)

/** Something a user can understand and that changed nothing. `code` is the envelope's, `http` the status when it is not 200. */
export class Refused extends Error {
  readonly code: number
  readonly http: number
  readonly data: unknown
  /** The seconds after which it is worth trying again, for 429, 503 and what is refused for a while. */
  readonly after: number
  constructor(sentence: string, code = 409, http = statusOf(code), data: unknown = null, after = 0) {
    super(sentence)
    this.code = code
    this.http = http
    this.data = data
    this.after = after
  }
}

/** Of what was asked for: whoever can do without goes on with nothing, unless it is only away for a moment. */
export function unlessAway(error: unknown): undefined {
  if (error instanceof Refused && error.code === 503) throw error
  return undefined
}

/** Refuses when there is a sentence why. */
export function refuse(why: string | undefined, code = 409): void {
  if (why) throw new Refused(why, code)
}
export const invalid = (field: string, sentence: string) =>
  new Refused(sentence, 400, 200, { fields: { [field]: sentence } })
/** Works something out; a number that is too long for it is refused. */
export function withinDigits<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof TooManyDigits) throw new Refused(error.message, 400)
    throw error
  }
}
interface Faster {
  name: string
  at: number
}
/** The same in words of its own. The browser forms what it says from who it was, never from the sentence. */
export function overtakenSaying(sentence: string, by?: Faster): Refused {
  const faster: Overtaken = by?.name ? { name: by.name, at: Math.floor(by.at) } : { name: null, at: null }
  return new Refused(sentence, 409, 200, { overtaken: faster })
}
/**
 * Somebody else was faster: the record is no longer what was seen, and the browser shows both versions. `by` where the
 * record says who it was, and when in seconds.
 */
export const overtaken = (what: string, by?: Faster) =>
  overtakenSaying(
    by?.name
      ? `已被 ${by.name} 于 ${shanghaiTime(new Date(by.at * 1000))} 处理，请刷新后再试`
      : `这${what}刚刚被别人改过，请刷新后再试`,
    by,
  )
/**
 * Refuses whoever has seen another version. `what` is the thing with its measure word: 个工地. A row that says who
 * changed it last, and when in seconds, names them.
 */
export function unlessSeen(
  row: { version: number; changedBy?: string; changedAt?: number | null },
  version: number,
  what: string,
): void {
  const { changedAt: at, changedBy: name } = row
  if (row.version !== version) throw overtaken(what, name && at ? { name, at } : undefined)
}
/** Outside the data scope and not existing read the same (docs/product.md). */
export const outside = () => new Refused('没有权限查看或操作这条数据', 403, 403)

export function found<T>(row: T | undefined | null): T {
  if (row === undefined || row === null) throw outside()
  return row
}
