import { statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'

const MEMORY = '/dev/shm'
const ROOM = 4 * 2 ** 30
/**
 * Every file of stories makes a thousand small files and deletes them again. A disk's file system looks for room among
 * what was deleted lately (a fifth of a run's time on ext4); in memory there is nothing to look for.
 */
export async function roomy(): Promise<string> {
  const { bavail, bsize } = await statfs(MEMORY).catch(() => ({ bavail: 0, bsize: 0 }))
  return bavail * bsize > ROOM ? MEMORY : tmpdir()
}
