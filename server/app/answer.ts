import { randomBytes } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { gzipSync } from 'node:zlib'

import type { Endpoint } from '@zhuguan/contract/kit/api.ts'
import { TooManyDigits } from '@zhuguan/contract/kit/money.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'

import { DatabaseDown, isContended } from '../database/connect.ts'
import { Refused } from '../kit/refuse.ts'
import { Json } from '../kit/statement.ts'
import { takenOf } from '../kit/taken.ts'
import { unknownNames } from './unknown-names.ts'

/** The answers of docs/product.md, Calls. Only this file knows it. */
export const unauthorized = () => new Refused('登录已失效，请重新登录', 401, 401)
export const tokenExpired = () => new Refused('Token Expiration', 500)
export const noPermission = () => new Refused('No Permission', 401)
export const wrongTenant = () => new Refused('没有权限访问该租户', 403, 403)

const envelope = (code: number, msg: string, data: unknown) => JSON.stringify({ code, msg, data })

/** A success; `says` is what the endpoint has to say of it. */
export function answer(
  reply: FastifyReply,
  data: unknown,
  { data: schema, says = '' }: Pick<Endpoint, 'data' | 'says'>,
  verify: boolean,
): string {
  reply.header('content-type', 'application/json; charset=utf-8')
  if (data instanceof Json) {
    // PostgreSQL formed it; outside production its shape is held against the schema on every call.
    if (verify) schema.parse(JSON.parse(data.text))
    return `{"code":200,"msg":${JSON.stringify(says)},"data":${data.text}}`
  }
  return envelope(200, says, schema.parse(data ?? null))
}

/** The same answer, packed for who can unpack it; only where the contract says so (docs/decisions/0605). */
export function packed(request: FastifyRequest, reply: FastifyReply, text: string): string | Buffer {
  reply.header('vary', 'accept-encoding')
  if (!/\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''))) return text
  reply.header('content-encoding', 'gzip')
  return gzipSync(text)
}

/** Issues of a zod check as one Chinese sentence, and by field. */
function invalidInput(error: z.ZodError, schema: z.ZodType): Refused {
  const fields: Record<string, string> = {}
  const shape = (schema as unknown as { shape?: Record<string, z.ZodType> }).shape ?? {}
  const sentences = error.issues.map((issue) => {
    const name = String(issue.path[0] ?? '')
    const title = (shape[name]?.meta?.() as { title?: string } | undefined)?.title
    fields[issue.path.join('.')] ??= issue.message
    return title && !issue.message.startsWith(title) ? `${title}：${issue.message}` : issue.message
  })
  return new Refused(sentences[0] ?? '输入不正确', 400, 200, { fields })
}

/** What a caller sends, as the schema reads it; a name that it does not know is refused by its name. */
export function readInput(schema: z.ZodType, value: unknown, kind: '条件' | '字段'): unknown {
  const read = schema.safeParse(value)
  if (!read.success) throw invalidInput(read.error, schema)
  const [unknown] = unknownNames(schema, value)
  if (unknown === undefined) return read.data
  throw new Refused(`没有“${unknown}”这个${kind}`, 400, 200, {
    fields: { [unknown]: `没有这个${kind}` },
  })
}

/** What the database or the machine may lack, by its code, each in its own words: who looks for it finds it there. */
const LACKS: readonly (readonly [RegExp, string])[] = [
  [/^53300$/, '数据库的连接用完了'],
  [/^53200$/, '数据库的内存不够'],
  [/^53400$/, '数据库到了它设定的限制'],
  [/^57014$/, '数据库用的时间太长，没有办成'],
  [/^(EMFILE|ENFILE)$/, '服务器同时打开的文件太多'],
  [/^(53...|58030|ENOSPC|EDQUOT|EIO|EROFS)$/, '服务器的磁盘已满或出错，没有保存'],
]
const lackOf = (error: unknown): string | undefined =>
  LACKS.find(([code]) => code.test((error as { code?: string }).code ?? ''))?.[1]

const NOT_READ = '请求格式不正确'
/** The sentence for a request that never reached a handler, by its HTTP status. */
const UNREADABLE: Partial<Record<number, string>> = {
  408: '请求没有及时传完，请再试一次',
  431: '请求头太大',
  413: '内容太大',
  415: '不支持的内容类型',
  429: '操作太频繁，请稍后再试',
}

export function answerError(thrown: unknown, request: FastifyRequest, reply: FastifyReply): string {
  reply.header('content-type', 'application/json; charset=utf-8')
  const error = takenOf(thrown) ?? thrown
  if (error instanceof Refused) {
    const isSoon = error.http === 503 || error.http === 429
    if (isSoon || error.after > 0) reply.header('retry-after', String(error.after || 1))
    reply.status(error.http)
    return envelope(error.code, error.message, error.data)
  }
  // Worked out before anything is kept: the transaction takes back what was written until then.
  if (error instanceof TooManyDigits) return envelope(400, error.message, null)
  if (error instanceof DatabaseDown) {
    reply.status(503).header('retry-after', '2')
    return envelope(503, '数据库暂时不可用，请稍后再试', null)
  }
  if (isContended(error)) {
    reply.status(503).header('retry-after', '1')
    return envelope(503, '同时办理的人太多，没有保存，请再试一次', null)
  }
  // PostgreSQL's class 22: a value no column can hold, which the schema let through (a NUL, the 30th of February).
  if (String((error as { code?: unknown }).code).startsWith('22'))
    return envelope(400, '输入里有不能保存的内容：不存在的日期、太大的数字或特殊字符', null)
  const status = (error as { statusCode?: number }).statusCode
  if (status && status >= 400 && status < 500) {
    reply.status(status === 400 ? 200 : status)
    return envelope(status, UNREADABLE[status] ?? NOT_READ, null)
  }
  const trace = randomBytes(6).toString('hex')
  request.log.error({ trace, err: error }, 'unexpected')
  const lack = lackOf(error)
  if (lack) {
    reply.status(503).header('retry-after', '10')
    return envelope(503, `${lack}，请稍后再试或告诉管理员（编号 ${trace}）`, null)
  }
  // A device looks at the HTTP status: what was not filed must come again (docs/device-protocol.md).
  if (/^\/open\/(device|logistics)\//.test(request.url)) {
    reply.status(503).header('retry-after', '5')
    return envelope(503, `服务器出错，请稍后重发（编号 ${trace}）`, null)
  }
  return envelope(500, `系统繁忙，请稍后再试（编号 ${trace}）`, null)
}

/** The same for what Node itself could not read as HTTP: the socket is all there is of it. */
export function answerUnreadable({ code }: NodeJS.ErrnoException, socket: Socket): void {
  if (code === 'ECONNRESET' || socket.destroyed) return
  const status = { ERR_HTTP_REQUEST_TIMEOUT: 408, HPE_HEADER_OVERFLOW: 431 }[code ?? ''] ?? 400
  const body = envelope(status, UNREADABLE[status] ?? NOT_READ, null)
  const head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}`
  const type = 'Content-Type: application/json; charset=utf-8'
  if (socket.writable)
    socket.write(
      `${head}\r\n${type}\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
    )
  socket.destroy()
}
