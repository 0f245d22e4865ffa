import { createReadStream } from 'node:fs'
import { opendir, realpath, stat } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

import { isBelow, openBucket, type Placed, type S3Settings } from './s3-bucket.ts'
import type { Bytes } from './send-range.ts'

/** A folder or a bucket's prefix that others write into and the server only reads. */
export interface Place {
  /** Nothing where there is none; a path never leads out of the place. */
  open(path: string): Promise<Bytes | undefined>
  /** Everything whose path begins so, in no order. */
  list(prefix?: string): AsyncGenerator<Placed>
}

/** `file:///var/hls/` or `s3://bucket/prefix/`. */
export function openPlace(address: string, s3: S3Settings | null): Place {
  const url = new URL(address)
  if (url.protocol === 'file:') return folder(fileURLToPath(url))
  if (url.protocol !== 's3:' || !s3) throw new Error(`no place: ${url.protocol}`)
  return openBucket(address, s3)
}

const GONE = new Set(['ENOENT', 'ENOTDIR', 'ELOOP', 'EISDIR'])
const absent = (error: NodeJS.ErrnoException): undefined => {
  if (GONE.has(error.code ?? '')) return undefined
  throw error
}

function folder(root: string): Place {
  const rooted = () => realpath(root).catch(absent)
  return {
    async open(path) {
      if (!isBelow(path)) return undefined
      const [base, real] = [await rooted(), await realpath(join(root, path)).catch(absent)]
      // A link may stand in the folder; it may not lead out of it.
      if (!base || !real?.startsWith(base.endsWith(sep) ? base : base + sep)) return undefined
      const found = await stat(real).catch(absent)
      if (!found?.isFile()) return undefined
      return { size: found.size, part: (start, end) => createReadStream(real, { start, end }) }
    },
    async *list(prefix = '') {
      const base = await rooted()
      if (!base) return
      for await (const entry of await opendir(base, { recursive: true })) {
        if (!entry.isFile()) continue
        const real = join(entry.parentPath, entry.name)
        const path = relative(base, real).split(sep).join('/')
        if (!path.startsWith(prefix) || !isBelow(path)) continue
        const found = await stat(real).catch(absent)
        if (found) yield { path, size: found.size, changed: found.mtime }
      }
    },
  }
}
