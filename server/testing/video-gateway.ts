import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

type Answer = (request: IncomingMessage, reply: ServerResponse) => void
/** A video gateway that answers what a story says, and remembers what it was asked. */
export interface TestGateway {
  url: string
  /** By path; what is not there is 404. */
  answers: Map<string, Answer>
  asked: string[]
  /** Requests that are under way. */
  open: () => number
  close(): Promise<void>
}

export const gives =
  (body: string | Buffer, type = 'application/vnd.apple.mpegurl', status = 200): Answer =>
  (_request, reply) =>
    void reply.writeHead(status, { 'content-type': type }).end(body)
export const sendsTo =
  (location: string): Answer =>
  (_request, reply) =>
    void reply.writeHead(302, { location }).end()
/** Takes the request and says nothing. */
export const hangs: Answer = () => {}

export async function openGateway(): Promise<TestGateway> {
  const answers = new Map<string, Answer>()
  const asked: string[] = []
  let open = 0
  const server = createServer((request, reply) => {
    asked.push(`${request.method} ${request.url}`)
    open += 1
    reply.once('close', () => (open -= 1))
    const answer = answers.get(request.url!.split('?')[0]!)
    if (answer) answer(request, reply)
    else reply.writeHead(404).end()
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    answers,
    asked,
    open: () => open,
    close: () =>
      new Promise((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
}
