import { join } from 'node:path'

import { defineConfig } from 'vitest/config'

const project = (name: string, include: string[], more: object = {}) => ({
  test: { name, include, pool: 'forks' as const, ...more },
})

const stories = {
  globalSetup: 'server/testing/global-setup.ts',
  setupFiles: 'server/testing/watch.ts',
}

export default defineConfig({
  test: {
    maxWorkers: 2,
    projects: [
      project('contract', ['contract/**/*.test.ts']),
      // One process tells many files, so that it reads the server's sources once.
      project('server', ['server/**/*.test.ts', 'tools/openapi/*.test.ts'], {
        ...stories,
        isolate: false,
        testTimeout: 30_000,
        hookTimeout: 60_000,
      }),
      project('web', ['web/**/*.test.{ts,tsx}'], {
        environment: 'happy-dom',
        testTimeout: 30_000,
        // As in the browser: the contract's schemas are not there, only what was asked of them.
        alias: [{ find: /^zod$/, replacement: join(import.meta.dirname, 'web/kit/no-schemas.ts') }],
      }),
      project('structure', ['tools/structure/*.test.ts']),
      // One process tells many files, with one browser.
      project('e2e', ['e2e/**/*.test.ts'], {
        ...stories,
        isolate: false,
        testTimeout: 120_000,
        hookTimeout: 120_000,
      }),
    ],
  },
})
