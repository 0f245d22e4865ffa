import { randomBytes } from 'node:crypto'
import { link, open, rename, unlink } from 'node:fs/promises'
import { dirname } from 'node:path'

async function synced(
  path: string,
  flags: string,
  work?: (file: Awaited<ReturnType<typeof open>>) => Promise<void>,
) {
  const file = await open(path, flags, 0o600)
  try {
    await work?.(file)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** A name that was given survives a power cut too; a system that has no such thing says so. */
export const syncFolder = (folder: string): Promise<void> => synced(folder, 'r').catch(() => {})

/**
 * A small secret file that is there whole or not at all, whatever is killed meanwhile. With `once` whoever is first
 * writes it and everybody else leaves it.
 */
export async function writeWhole(path: string, text: string, { once = false } = {}): Promise<void> {
  const part = `${path}.${randomBytes(6).toString('hex')}.part`
  try {
    await synced(part, 'wx', (file) => file.writeFile(text))
    if (once)
      await link(part, path).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST') throw error
      })
    else await rename(part, path)
  } finally {
    await unlink(part).catch(() => {})
  }
  await syncFolder(dirname(path))
}
