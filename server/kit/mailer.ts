import { createTransport } from 'nodemailer'

export interface MailSettings {
  /** smtp://user:password@host:port, or smtps://. */
  url: string
  /** From whom: an address, or name and address. */
  from: string
}
export interface Letter {
  /** Stays the same when it is sent again, so that whoever has it knows it (RFC 5322, 3.6.4). */
  id: string
  to: string
  subject: string
  text: string
}
/** The reason why a letter did not go; `forGood`: this address takes none, and asking again would say the same. */
export interface Unsent {
  why: string
  forGood: boolean
}
export interface Mailer {
  /** Hands a letter to the mail server; answers why it did not go, or nothing. */
  send(letter: Letter): Promise<Unsent | undefined>
  close(): void
}

const CONNECT_MS = 10_000
const ANSWER_MS = 30_000
/** Letters on their way at once: a slow server holds so many and no more. */
const AT_ONCE = 2

/** What the library says of a letter that did not go, as far as it is told here. */
interface Fault {
  code?: string | undefined
  command?: string | undefined
  responseCode?: number | undefined
}
/** The server refuses this letter, and not whoever hands it over (RFC 5321, 4.2.1: 5yz is for good). */
const isRefusal = ({ command = '', responseCode = 0 }: Fault) =>
  responseCode >= 500 && responseCode < 600 && /^(RCPT TO|DATA)/.test(command)
const WHY: Readonly<Record<string, string>> = {
  EAUTH: '邮件服务器不认账号或密码',
  EDNS: '找不到邮件服务器',
  ETLS: '邮件服务器的证书不可信',
  ETIMEDOUT: '邮件服务器没有在规定时间里回答',
}
function unsentOf(fault: Fault): Unsent {
  if (isRefusal(fault)) return { why: `收件地址被拒绝（${fault.responseCode}）`, forGood: true }
  if (fault.responseCode) return { why: `邮件服务器回答 ${fault.responseCode}`, forGood: false }
  return { why: WHY[fault.code ?? ''] ?? '连不上邮件服务器', forGood: false }
}

/** Hands letters to the operator's mail server; no file and no other address is read for a letter. */
export function openMailer({ from, url }: MailSettings): Mailer {
  const { host } = new URL(url)
  const transport = createTransport({
    url,
    pool: true,
    maxConnections: AT_ONCE,
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: ANSWER_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return {
    async send({ id, ...letter }) {
      try {
        await transport.sendMail({ ...letter, from, messageId: `<${id}@${host.replace(/:.*$/, '')}>` })
        return undefined
      } catch (error) {
        return unsentOf(error as Fault)
      }
    },
    close: () => transport.close(),
  }
}
