import PostalMime from 'postal-mime'
import { SMTPServer } from 'smtp-server'

import { startPostOffice } from '../app/post-office.ts'
import { openMailer } from '../kit/mailer.ts'
import type { TestServer } from './start.ts'

/** The sender of every letter of a story. */
export const FROM = '筑管 <no-reply@zg.example.com>'
/** A post office looks when it is told to, and not by itself. */
const NEVER_MS = 3_600_000

export interface Received {
  to: string
  subject: string
  text: string
  id: string
}
export interface MailServer {
  url: string
  /** What has arrived. */
  box: Received[]
  /** What it says to a recipient before it takes anything, as `550 no such user`. */
  refuses: (to: string) => string | undefined
  close(): Promise<void>
}
const fault = (said: string) =>
  Object.assign(new Error(said.slice(4)), { responseCode: Number(said.slice(0, 3)) })

/** A mail server of one story. */
export async function startMailServer(): Promise<MailServer> {
  const smtp = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    onRcptTo({ address }, _session, done) {
      const said = mail.refuses(address)
      return said ? done(fault(said)) : done()
    },
    onData(stream, session, done) {
      const pieces: Buffer[] = []
      stream.on('data', (piece: Buffer) => pieces.push(piece))
      stream.on('end', () => {
        void PostalMime.parse(Buffer.concat(pieces)).then(({ messageId = '', subject = '', text = '' }) => {
          mail.box.push({ to: session.envelope.rcptTo[0]!.address, subject, text, id: messageId })
          done()
        }, done)
      })
    },
  })
  await new Promise<void>((ready) => smtp.listen(0, '127.0.0.1', ready))
  const mail: MailServer = {
    url: `smtp://127.0.0.1:${(smtp.server.address() as { port: number }).port}`,
    box: [],
    refuses: () => undefined,
    close: () => new Promise((done) => smtp.close(() => done())),
  }
  return mail
}

/** One look of one server, with its own way to the mail server; answers what went. */
export async function lookAtPost(
  server: Pick<TestServer, 'db' | 'now' | 'secretKey'>,
  url: string,
): Promise<number> {
  const office = startPostOffice(
    {
      db: server.db,
      secretKey: server.secretKey,
      now: () => server.now(),
      hosts: [],
      publicUrl: 'https://zg.example.com',
      warn: () => {},
      mailer: openMailer({ url, from: FROM }),
    },
    NEVER_MS,
  )
  try {
    return await office.look()
  } finally {
    await office.close()
  }
}
