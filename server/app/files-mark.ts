import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import type { Database } from '../database/connect.ts'
import { openFileStore } from '../features/files/file-store.ts'
import { SYSTEM } from '../features/session/access.reads.ts'
import { row, text, uuid } from '../kit/row.ts'
import { writeWhole } from '../kit/whole-file.ts'

const markFile = (dataDir: string): string => join(dataDir, 'files', 'installation')
const markIn = async (dataDir: string): Promise<string | undefined> =>
  (await readFile(markFile(dataDir), 'utf8').catch(() => '')).trim() || undefined

const knownMark = (db: Database): Promise<string | null | undefined> =>
  db.tx(
    SYSTEM,
    async (tx) => {
      const { rows } = await tx.query(
        'installation.files',
        row({ mark: text.null }),
        'SELECT files_mark AS mark FROM installation',
        [],
      )
      return rows[0]?.mark
    },
    { readOnly: true },
  )

const otherFolder = (dataDir: string, known: string): Error =>
  new Error(
    `${dirname(markFile(dataDir))} 不是这个库的文件夹，里面没有别的服务器存的照片和录像。` +
      '几台服务器共用一个库时要共用一个 files 文件夹（在网络盘上的，看看挂上了没有）；' +
      '这台以前用自己的文件夹的，先把里面的文件拷到共用的那一个，文件名不会重复。' +
      `原来的文件夹确实丢了的，把 ${known} 写进 ${markFile(dataDir)} 再启动`,
  )
/** Of each group so many of the newest files are looked for. */
const LOOKED_FOR = 100
/** The number of files that the database names and that lie here. */
async function lyingHere(db: Database, dataDir: string): Promise<{ named: number; here: number }> {
  const files = openFileStore(dataDir)
  const keys = await db.tx(
    SYSTEM,
    async (tx) => {
      const tenants = await tx.query('installation.tenants', row({ id: uuid }), 'SELECT id FROM tenants', [])
      const all: string[] = []
      for (const { id } of tenants.rows) {
        const { rows } = await tx.query(
          'installation.named',
          row({ key: text }),
          `SELECT f.key FROM files f WHERE f.tenant_id = $1 ORDER BY f.key DESC LIMIT ${LOOKED_FOR}`,
          [id],
        )
        all.push(...rows.map((r) => r.key))
      }
      return all
    },
    { readOnly: true },
  )
  return { named: keys.length, here: keys.filter((key) => existsSync(files.path(key))).length }
}

/**
 * Servers of one database have one folder of files. It bears the mark that the database knows; a server with another
 * does not start. Of servers that each have had a folder of their own, the first that holds half of what is named gets
 * the mark.
 */
export async function refuseOtherFiles(
  db: Database,
  dataDir: string,
  warn: (why: string) => void,
): Promise<void> {
  const folder = dirname(markFile(dataDir))
  const known = await knownMark(db)
  const mark = await markIn(dataDir)
  if (known && known === mark) return
  if (known) throw otherFolder(dataDir, known)
  if (!mark) {
    const { named, here } = await lyingHere(db, dataDir)
    if (here * 2 < named)
      throw new Error(
        `库里最近的 ${named} 个文件在 ${folder} 里只有 ${here} 个。请用 DATA_DIR 指向有它们的文件夹；` +
          `如果确实丢了，把任意一行字写进 ${markFile(dataDir)}，以后就用这个文件夹`,
      )
    if (here < named)
      warn(`库里最近的 ${named} 个文件，${folder} 里缺 ${named - here} 个，请从别的服务器拷过来`)
    await mkdir(folder, { recursive: true })
    await writeWhole(markFile(dataDir), randomUUID(), { once: true })
  }
  const own = (await markIn(dataDir))!
  await db.tx(SYSTEM, (tx) =>
    tx.run('installation.marked', 'UPDATE installation SET files_mark = $1 WHERE files_mark IS NULL', [own]),
  )
  // Another that started at the same moment may have been first.
  const marked = await knownMark(db)
  if (marked !== own) throw otherFolder(dataDir, marked ?? '')
}
