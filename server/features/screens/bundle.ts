import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { ROOT } from '../../kit/paths.ts'

/** The program that walls run, as index.html names it: another name is another release. */
export function wallBundle(dist = join(ROOT, 'web', 'dist')): string {
  const index = join(dist, 'index.html')
  if (!existsSync(index)) return ''
  return /data-link="[^"]*\/([\w.-]+)"/.exec(readFileSync(index, 'utf8'))?.[1] ?? ''
}
