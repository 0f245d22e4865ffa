import { randomUUID } from 'node:crypto'

import type { Database } from '../database/connect.ts'
import { placeOf } from '../features/files/file-store.ts'
import { SYSTEM } from '../features/session/access.reads.ts'
import { MARK, type OwnPlace } from '../kit/own-place.ts'
import { Refused } from '../kit/refuse.ts'
import { row, text, uuid } from '../kit/row.ts'

const KIND = { folder: '文件夹', bucket: '存储' }
const SETTING = { folder: 'DATA_DIR', bucket: 'FILES' }
const markIn = async (place: OwnPlace): Promise<string | undefined> =>
  (await place.read(MARK))?.toString('utf8').trim() || undefined

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

const OTHER = {
  folder:
    '几台服务器共用一个库时要共用一个 files 文件夹（在网络盘上的，看看挂上了没有）；' +
    '这台以前用自己的文件夹的，先把里面的文件拷到共用的那一个，文件名不会重复。',
  bucket: '请用 FILES 指向这个库用的桶和前缀；要换地方的，先把原来的文件全部复制过去，名字不变。',
}
const otherPlace = (place: OwnPlace, known: string): Error =>
  new Error(
    `${place.called} 不是这个库的${KIND[place.use().kind]}，里面没有别的服务器存的照片和录像。` +
      `${OTHER[place.use().kind]}原来的确实丢了的，把 ${known} 写进 ${place.called}/${MARK} 再启动`,
  )
/** Of each group so many of the newest files are looked for. */
const LOOKED_FOR = 100
const AT_ONCE = 20
/** The number of files that the database names and that lie here. */
async function lyingHere(db: Database, place: OwnPlace): Promise<{ named: number; here: number }> {
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
  let here = 0
  for (let i = 0; i < keys.length; i += AT_ONCE) {
    const some = await Promise.all(keys.slice(i, i + AT_ONCE).map((key) => place.has(placeOf(key))))
    here += some.filter(Boolean).length
  }
  return { named: keys.length, here }
}

/** Why a place for files cannot be used at all, with what an operator may do. */
const unusable = (place: OwnPlace, error: unknown): never => {
  if (!(error instanceof Refused)) throw error
  throw new Error(
    `${place.called} 不能读写：${place.use().said ?? error.message}。` +
      '请检查 FILES、S3_ENDPOINT、S3_REGION、S3_ACCESS_KEY、S3_SECRET_KEY，以及这个密钥在桶里的读、写、列、删权限',
  )
}

/**
 * Servers of one database have one place for files. It bears the mark that the database knows; a server with another
 * does not start. Of servers that each have had a folder of their own, the first that holds half of what is named gets
 * the mark.
 */
export async function refuseOtherFiles(
  db: Database,
  place: OwnPlace,
  warn: (why: string) => void,
): Promise<void> {
  const known = await knownMark(db)
  const mark = await markIn(place).catch((error: unknown) => unusable(place, error))
  if (known && known === mark) return
  if (known) throw otherPlace(place, known)
  if (!mark) {
    const { named, here } = await lyingHere(db, place)
    if (here * 2 < named)
      throw new Error(
        `库里最近的 ${named} 个文件在 ${place.called} 里只有 ${here} 个。请用 ${SETTING[place.use().kind]} 指向有它们的地方；` +
          `如果确实丢了，把任意一行字写进 ${place.called}/${MARK}，以后就用这里`,
      )
    if (here < named)
      warn(`库里最近的 ${named} 个文件，${place.called} 里缺 ${named - here} 个，请从别的服务器拷过来`)
    await place.putOnce(MARK, Buffer.from(randomUUID())).catch((error: unknown) => unusable(place, error))
  }
  const own = (await markIn(place))!
  await db.tx(SYSTEM, (tx) =>
    tx.run('installation.marked', 'UPDATE installation SET files_mark = $1 WHERE files_mark IS NULL', [own]),
  )
  // Another that started at the same moment may have been first.
  const marked = await knownMark(db)
  if (marked !== own) throw otherPlace(place, marked ?? '')
}
