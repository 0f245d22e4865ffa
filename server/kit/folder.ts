import { existsSync } from 'node:fs'
import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * A folder and those above it. Node's own recursive `mkdir` never ends where the system says ENOENT inside a folder
 * that is there, as below /proc: one at a time is refused in words.
 */
export async function makeFolder(folder: string): Promise<void> {
  if (existsSync(folder)) {
    if ((await stat(folder)).isDirectory()) return
    throw new Error(`${folder} 不是文件夹。请用 DATA_DIR 换一个能写的文件夹`)
  }
  await makeFolder(dirname(folder))
  await mkdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST')
      throw new Error(`不能建文件夹 ${folder}（${error.code}）。请用 DATA_DIR 换一个能写的文件夹`)
  })
}
