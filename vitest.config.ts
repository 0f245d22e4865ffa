import { join } from 'node:path'

import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const project = (name: string, include: string[], more: object = {}) => ({
  test: { name, include, pool: 'forks' as const, ...more },
})

/** What takes longest although its text is short. */
const LONG = [
  'e2e/delivery-chain.test.ts',
  'e2e/quoter.test.ts',
  'e2e/recorded-video.test.ts',
  'e2e/pages-tenant.test.ts',
  'e2e/pages-branch.test.ts',
  'e2e/pages-manager.test.ts',
  'e2e/pages-own.test.ts',
  'server/sold-figures.test.ts',
  'server/app/authorization.test.ts',
  'server/app/authorization-roles.test.ts',
  'server/database/backup.test.ts',
  'server/cli.test.ts',
  'server/app/move-tenant.test.ts',
  'server/demo-cut-off.test.ts',
  'server/features/imports/imports.test.ts',
]
/** These begin first, so that no worker is left alone with one of them; a first run knows the others by their size. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const at = LONG.findIndex((file) => moduleId.endsWith(file))
      return at < 0 ? LONG.length : at
    }
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b))
  }
}

const stories = {
  globalSetup: 'server/testing/global-setup.ts',
  setupFiles: 'server/testing/watch.ts',
  expect: { poll: { timeout: 60_000 } },
}

// A story ends by itself or by what it waits for; these limits only end what hangs, on a machine of any speed.
export default defineConfig({
  test: {
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
    projects: [
      project('contract', ['contract/**/*.test.ts']),
      // One process tells many files, so that it reads the server's sources once.
      project('server', ['server/**/*.test.ts', 'tools/openapi/*.test.ts'], {
        ...stories,
        isolate: false,
        testTimeout: 300_000,
        hookTimeout: 300_000,
      }),
      project('web', ['web/**/*.test.{ts,tsx}'], {
        environment: 'happy-dom',
        testTimeout: 120_000,
        // As in the browser: the contract's schemas are not there, only what was asked of them.
        alias: [{ find: /^zod$/, replacement: join(import.meta.dirname, 'web/kit/no-schemas.ts') }],
      }),
      project('structure', ['tools/structure/*.test.ts']),
      // One process tells many files, with one browser. Half of such a story is waiting for the browser to look again.
      project('e2e', ['e2e/**/*.test.ts'], {
        ...stories,
        isolate: false,
        maxWorkers: 3,
        sequence: { groupOrder: 1 },
        testTimeout: 600_000,
        hookTimeout: 600_000,
      }),
    ],
  },
})
