import { liveApi } from '@zhuguan/contract/features/live/live.api.ts'

import type { Caller } from './client.ts'

const AGAIN_MS = 300

/** A browser's stream as the product's pages keep it: it comes back where it stood, and after a reset it has everything. */
export function hearer(url: string, who: Caller) {
  const heard = new Set<string>()
  const stop = new AbortController()
  let place = ''
  let streams = 0
  let anew = 0
  function read(block: string): void {
    const field = (name: string) =>
      block
        .split('\n')
        .find((line) => line.startsWith(`${name}: `))
        ?.slice(name.length + 2) ?? ''
    if (!field('event')) return
    place = field('id') || place
    if (field('event') === 'reset') anew += 1
    const { id } = JSON.parse(field('data') || '{}') as { id?: string }
    if (id) heard.add(id)
  }
  async function once(): Promise<void> {
    const response = await fetch(url + liveApi.stream.path, {
      headers: { ...who.headers, ...(place ? { 'last-event-id': place } : {}) },
      signal: stop.signal,
    })
    if (!response.ok || !response.headers.get('content-type')?.includes('event-stream')) return
    streams += 1
    let text = ''
    for await (const piece of response.body!.pipeThrough(new TextDecoderStream())) {
      const blocks = (text + piece).split('\n\n')
      text = blocks.pop()!
      blocks.forEach(read)
    }
  }
  void (async () => {
    while (!stop.signal.aborted) {
      await once().catch(() => {})
      await new Promise((r) => setTimeout(r, AGAIN_MS))
    }
  })()
  const missing = (wanted: Set<string>) => [...wanted].filter((id) => !heard.has(id))
  const wait = async (ok: () => boolean, ms: number) => {
    const until = performance.now() + ms
    while (!ok() && performance.now() < until) await new Promise((r) => setTimeout(r, 25))
    return ok()
  }
  return {
    missing,
    ready: () => wait(() => place !== '', 5_000),
    until: (wanted: Set<string>, ms: number) => wait(() => missing(wanted).length === 0, ms),
    times: () => streams,
    resets: () => anew,
    close: () => stop.abort(),
  }
}
