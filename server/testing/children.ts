import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const { PATH, STATEMENTS_RAN } = process.env

/** Node's arguments and environment for a process of ours from its sources: its statements are watched as ours are. */
export const WATCHED = ['--import', pathToFileURL(join(import.meta.dirname, 'watch.ts')).href]
export const childEnv = (more: Record<string, string>): Record<string, string | undefined> => ({
  PATH,
  NODE_NO_WARNINGS: '1',
  ...(STATEMENTS_RAN && { STATEMENTS_RAN }),
  ...more,
})
