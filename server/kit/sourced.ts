import { existsSync, readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { join, relative } from 'node:path'

import { ROOT } from './paths.ts'

const MAP = `${import.meta.filename}.map`
const PLACE = /(?:file:\/\/)?([^\s()]+\.js):(\d+):(\d+)/g
let map: SourceMap | null | undefined

/**
 * A stack of the bundle in places of the sources. The map is read with the first error and not before: Node's own flag
 * reads it at the start and keeps 35 MB for it.
 */
export function sourced(stack: string | undefined): string | undefined {
  if (!stack?.includes(import.meta.filename)) return stack
  map ??= existsSync(MAP) ? new SourceMap(JSON.parse(readFileSync(MAP, 'utf8'))) : null
  return stack.replace(PLACE, (whole, file: string, line: string, column: string) => {
    if (file !== import.meta.filename) return whole
    const entry = map?.findEntry(Number(line) - 1, Number(column) - 1)
    if (!entry || !('originalSource' in entry)) return whole
    const source = relative(ROOT, join(import.meta.dirname, entry.originalSource))
    return `${source}:${entry.originalLine + 1}:${entry.originalColumn + 1}`
  })
}
