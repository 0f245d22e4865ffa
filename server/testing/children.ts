import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const { PATH, STATEMENTS_RAN, NODE_COMPILE_CACHE } = process.env

/** Node's arguments and environment for a process of ours from its sources: its statements are watched as ours are. */
export const WATCHED = ['--import', pathToFileURL(join(import.meta.dirname, 'watch.ts')).href]
export const childEnv = (more: Record<string, string>): Record<string, string | undefined> => ({
  PATH,
  NODE_NO_WARNINGS: '1',
  ...(STATEMENTS_RAN && { STATEMENTS_RAN }),
  // What one process has compiled the next ones read: half of what a start takes.
  ...(NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE }),
  ...more,
})
