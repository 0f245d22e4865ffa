import PostalMime from 'postal-mime'
import { SMTPServer } from 'smtp-server'

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
