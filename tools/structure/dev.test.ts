import { existsSync } from 'node:fs'
import { join } from 'node:path'

import { api } from '@zhuguan/contract/api.ts'
import { expect, test, vi } from 'vitest'

import { ROOT } from './sources.ts'

/** Which addresses the pages of `npm run dev` pass on, and where to, with the server on this port. */
async function passedOn(port: string): Promise<{ to: string; match: RegExp }> {
  vi.stubEnv('PORT', port)
  vi.resetModules()
  const { default: config } = await import('../../web/vite.config.ts')
  vi.unstubAllEnvs()
  const [[rule, to]] = Object.entries(config.server!.proxy!) as [[string, string]]
  return { to, match: new RegExp(rule) }
}

test('npm run dev passes on every call to the server, wherever that listens, and no source of a page', async () => {
  const { to, match } = await passedOn('9123')
  expect(to).toBe('http://127.0.0.1:9123')
  const paths = Object.values(api).flatMap((calls) => Object.values(calls).map((call) => call.path))
  expect(paths.length).toBeGreaterThan(500)
  expect(
    [...paths, '/open/openapi.json', '/healthz', '/metrics'].filter((path) => !match.test(path)),
  ).toEqual([])
  const folders = ['app', 'features', 'kit', 'parts'].filter((folder) =>
    existsSync(join(ROOT, 'web', folder)),
  )
  expect(folders).toHaveLength(4)
  expect(
    ['/', '/index.html', ...folders.map((f) => `/${f}/x.ts`)].filter((path) => match.test(path)),
  ).toEqual([])
})
