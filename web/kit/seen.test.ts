import { sitesApi } from '@zhuguan/contract/features/sites/sites.api.ts'
import { afterEach, expect, test, vi } from 'vitest'

import { call, clearSession, noteSeen } from './api.ts'

afterEach(() => {
  vi.unstubAllGlobals()
  localStorage.clear()
})

test('a browser sends back the furthest place that any answer or message told it, until it signs out', async () => {
  const sent: (string | null)[] = []
  let told: string | undefined
  vi.stubGlobal('fetch', async (_url: string, { headers }: RequestInit) => {
    sent.push(new Headers(headers).get('x-seen'))
    const answer = JSON.stringify({ code: 200, msg: '', data: null })
    return new Response(answer, { headers: told === undefined ? {} : { 'x-seen': told } })
  })
  const ask = async (answered?: string) => {
    told = answered
    await call(sitesApi.list, { query: {} })
  }
  await ask()
  await ask('1000')
  // An answer that was on its way for longer takes nothing back.
  await ask('999')
  noteSeen('20000')
  noteSeen(undefined)
  await ask('3000')
  await ask()
  clearSession()
  await ask()
  expect(sent).toEqual([null, null, '1000', '20000', '20000', null])
})
