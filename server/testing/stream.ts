import type { AlarmRow } from '@zhuguan/contract/features/alarms/alarms.record.ts'
import { liveApi } from '@zhuguan/contract/features/live/live.api.ts'
import { expect } from 'vitest'

import type { Person } from './start.ts'

export interface Heard {
  id: string
  kind: string
  /** How far the database's log was; only where there are replicas. */
  seen: string
  data: { topic?: string; what?: string; id?: string; site_id?: string | null; row?: AlarmRow }
}
/** One browser's stream, read to the end. */
export function listen(url: string, person: Person, last?: string) {
  const stop = new AbortController()
  const heard: Heard[] = []
  const done = (async () => {
    const response = await fetch(url + liveApi.stream.path, {
      headers: {
        token: person.token,
        'tenant-id': person.tenant,
        ...(last ? { 'last-event-id': last } : {}),
      },
      signal: stop.signal,
    })
    let buffer = ''
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
      const blocks = (buffer + chunk).split('\n\n')
      buffer = blocks.pop()!
      for (const b of blocks) {
        const field = (n: string) =>
          b
            .split('\n')
            .find((l) => l.startsWith(`${n}: `))
            ?.slice(n.length + 2) ?? ''
        if (field('event'))
          heard.push({
            id: field('id'),
            kind: field('event'),
            seen: field('seen'),
            data: JSON.parse(field('data') || '{}') as Heard['data'],
          })
      }
    }
  })().catch(() => {})
  const alarms = () => heard.filter((h) => h.data.topic === 'alarm')
  const until = async (ok: () => boolean) => {
    for (let i = 0; i < 200 && !ok(); i += 1) await new Promise((r) => setTimeout(r, 25))
    expect(ok()).toBe(true)
  }
  return { heard, alarms, until, close: async () => (stop.abort(), done) }
}
