const LOST_WORDS = '数据库连不上，或者连接断开了'
/** By the code of the system or of PostgreSQL: what ends a command, for whoever reads it. */
const WORDS: readonly (readonly [RegExp, string])[] = [
  [/^(ENOENT|ENOTDIR)$/, '文件或文件夹不存在'],
  [/^EISDIR$/, '这里要的是文件，给的是文件夹'],
  [/^(EACCES|EPERM)$/, '没有读写这个文件或文件夹的权限'],
  [/^(ENOSPC|EDQUOT|EIO|EROFS|53100|58030)$/, '磁盘已满或出错'],
  [/^(ECONN\w+|ETIMEDOUT|EPIPE|ENOTFOUND|EAI_AGAIN|08...|57P0.)$/, LOST_WORDS],
  [/^28...$/, '数据库不接受这个账号或密码'],
]
/** pg says it without a code. */
const LOST = /^Connection terminated|^Client has encountered a connection error/

/** One sentence, with the error's own words behind it. One that is said in Chinese already stays. */
export function inWords(error: unknown): string {
  const { code = '', message } = error as NodeJS.ErrnoException
  const known = WORDS.find(([codes]) => codes.test(code))?.[1]
  if (known) return `${known}（${message || code}）`
  if (LOST.test(message)) return `${LOST_WORDS}（${message}）`
  return /[\u4e00-\u9fff]/.test(message) ? message : `命令没有完成（${message || code}）`
}
