import http from 'node:http'

import { SMOKE } from '../tools/size.ts'

export interface Measured {
  perSecond: number
  p50: number
  p99: number
  failed: number
  /** Answers in the whole run, the warm-up too: what the CPU time was spent on. */
  all: number
}
export interface Shot {
  method: string
  path: string
  headers?: Record<string, string> | undefined
  body?: (() => string) | undefined
}

/** `connections` callers, each asking again as soon as it is answered, for `ms`; loopback only, bounded in time. */
export async function load(
  base: string,
  shot: () => Shot,
  { connections = 8, ms = 3_000, warm = 700 }: { connections?: number; ms?: number; warm?: number } = {},
): Promise<Measured> {
  const { hostname, port } = new URL(base)
  const agent = new http.Agent({ keepAlive: true, maxSockets: connections })
  const took: number[] = []
  let failed = 0
  let all = 0
  const begun = performance.now()
  const from = begun + (SMOKE ? 0 : warm)
  const until = begun + ms
  const once = () =>
    new Promise<void>((resolve) => {
      const s = shot()
      const at = performance.now()
      const request = http.request(
        {
          hostname,
          port,
          agent,
          method: s.method,
          path: s.path,
          headers: { 'content-type': 'application/json', ...s.headers },
        },
        (response) => {
          let head = ''
          response.on('data', (b: Buffer) => (head ||= b.toString('latin1', 0, 12)))
          response.on('end', () => {
            const end = performance.now()
            all += 1
            if (end >= from && end <= until) {
              took.push(end - at)
              if (
                response.statusCode !== 200 ||
                (head.startsWith('{"code":') && !head.startsWith('{"code":200'))
              )
                failed += 1
            }
            resolve()
          })
        },
      )
      request.on('error', () => {
        failed += 1
        resolve()
      })
      request.end(s.body?.())
    })
  // In a smoke one is enough; that it is answered is all that is asked of it.
  if (SMOKE) await once()
  else
    await Promise.all(
      Array.from({ length: connections }, async () => {
        while (performance.now() < until) await once()
      }),
    )
  agent.destroy()
  if (SMOKE && failed) throw new Error(`${base}${shot().path} was not answered as it should be`)
  took.sort((a, b) => a - b)
  const at = (q: number) => took[Math.min(took.length - 1, Math.floor(took.length * q))] ?? 0
  return { all, perSecond: took.length / ((ms - warm) / 1_000), p50: at(0.5), p99: at(0.99), failed }
}
