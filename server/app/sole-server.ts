import { readFile, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** As it runs from its sources, and from the one file. */
const OURS = /server\/(main\.ts|dist\/server\.js)/

/** A server of ours: after a restart of the machine or of a container the number may belong to somebody else. */
async function isServer(pid: number): Promise<boolean> {
  if (!pid || pid === process.pid) return false
  try {
    process.kill(pid, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false
  }
  const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
  return process.platform !== 'linux' || OURS.test(command)
}

/** One server owns the database of a data folder that is there: a second would stop it under the first when it ends. */
export async function soleServer(dataDir: string): Promise<{ leave(): Promise<void> }> {
  const file = join(dataDir, 'server.pid')
  for (let tries = 0; tries < 3; tries += 1) {
    try {
      await writeFile(file, String(process.pid), { flag: 'wx', mode: 0o600 })
      return { leave: () => unlink(file).catch(() => {}) }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
    const pid = Number(await readFile(file, 'utf8').catch(() => ''))
    if (await isServer(pid))
      throw new Error(
        `另一个筑管（进程 ${pid}）正在使用 ${dataDir}。请先停掉它，或用 DATA_DIR 换一个文件夹；几个服务要用同一个库，请用 DATABASE_URL`,
      )
    await unlink(file).catch(() => {})
  }
  throw new Error(`不能占用 ${file}，请稍后再试`)
}
