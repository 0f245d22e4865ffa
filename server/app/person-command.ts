import { rm, writeFile } from 'node:fs/promises'

import { personAsk, personState } from '@zhuguan/contract/features/persons/persons.record.ts'

import type { Database, Scope, Tx } from '../database/connect.ts'
import { type FileStore, openFileStore } from '../features/files/file-store.ts'
import { collectedPaper } from '../features/persons/collecting.service.ts'
import { executeRequest, finishCollect, type PersonsDeps } from '../features/persons/persons.service.ts'
import { absentPerson } from '../features/session/access.reads.ts'
import { writeLog } from '../features/userlogs/userlogs.service.ts'
import { uuidv7 } from '../kit/ids.ts'
import type { OwnPlace } from '../kit/own-place.ts'
import { Refused } from '../kit/refuse.ts'
import { int4, row, text, uuid } from '../kit/row.ts'
import { wholeGroup } from '../kit/scoped.ts'
import type { Call } from '../kit/serve.ts'
import { beginAt, doneAt } from '../kit/unfinished.ts'
import { erasing } from './erasing.ts'
import { writeJournal } from './erasure-journal.ts'

const EVERYWHERE: Scope = { tenant: '', bcs: null, sites: null, user: null, system: true }
const { collect, erase } = personAsk.code
const AGENT = '命令行'

/** The operator's second hand in a request: the account that answers for it, and the number of the request. */
export interface Asked {
  no: string
  by: string
}
export interface Place {
  db: Database
  secretKey: Buffer
  dataDir: string
  files: OwnPlace
  now: () => Date
}

async function requestBy(tx: Tx, { by, no }: Asked) {
  const { rows } = await tx.query(
    'cli.person',
    row({ id: uuid, tenant: uuid, version: int4, ask: text.of(personAsk), user: uuid.null }),
    `SELECT p.id, p.tenant_id AS tenant, p.version, p.ask,
       (SELECT u.id FROM account_names n
        JOIN users u ON u.tenant_id = n.tenant_id AND lower(u.user_name) = n.name AND u.deleted_at IS NULL
        WHERE n.name = lower($2) AND n.tenant_id = p.tenant_id) AS user
     FROM person_requests p
     WHERE p.no = $1`,
    [no, by],
  )
  if (rows.length !== 1)
    throw new Refused(rows.length ? `编号 ${no} 在多个集团中重复` : `没有编号为 ${no} 的请求`)
  const [r] = rows as [(typeof rows)[number]]
  if (!r.user) throw new Refused(`请求所在的集团没有账号 ${by}`)
  return { ...r, user: r.user }
}

/**
 * The request, and a call of the account that is named: its rights, its reach and its refusals are those of the page,
 * and the log says that it was done by hand on the machine.
 */
async function entered({ db, now }: Place, asked: Asked) {
  const r = await db.tx(EVERYWHERE, (tx) => requestBy(tx, asked))
  const user = await absentPerson(db, { tenant: r.tenant, user: r.user })
  if (!user) throw new Refused(`账号 ${asked.by} 已停用`)
  const within = (scope: Scope): Pick<Call, 'log' | 'newId' | 'now' | 'read' | 'user' | 'write'> => ({
    user: { ...user, scope },
    now,
    newId: uuidv7,
    read: (fn) => db.tx(scope, fn, { readOnly: true }),
    write: (fn) => db.tx(scope, fn),
    log: (tx, line) =>
      writeLog(
        tx,
        { tenant: r.tenant, userId: user.id, userName: user.userName, ip: '127.0.0.1', agent: AGENT },
        line,
      ),
  })
  return { r, own: within(user.scope), group: within(wholeGroup(r.tenant)) }
}
/** The page's own parts; `settled` is there when every file that was to go has gone. */
function partsOf({ dataDir, db, files, secretKey }: Place) {
  const store = openFileStore(dataDir, console.error, files)
  const going: Promise<void>[] = []
  const kept: FileStore = {
    ...store,
    remove(key) {
      const gone = store.remove(key)
      going.push(gone)
      return gone
    },
  }
  const deps: PersonsDeps = {
    files: kept,
    secretKey,
    erasing: erasing({ files: kept, secretKey }),
    journal: (tenant) => writeJournal(db, dataDir, tenant),
  }
  return { deps, settled: () => Promise.all(going) }
}
/** A file that was not there; what is there is never written over. */
async function writeNew(path: string, bytes: Buffer): Promise<void> {
  try {
    beginAt(path)
    await writeFile(path, bytes, { flag: 'wx', mode: 0o600 })
  } catch (error) {
    doneAt(path)
    const isThere = error instanceof Error && 'code' in error && error.code === 'EEXIST'
    throw isThere ? new Refused(`文件 ${path} 已存在，请换一个名字`) : error
  }
}

/** Everything that is kept of whoever asked, as a PDF in a file that was not there. */
export async function collectByHand(place: Place, asked: Asked & { file: string }): Promise<object> {
  const { group, own, r } = await entered(place, asked)
  if (r.ask !== collect) throw new Refused(`${asked.no} 是删除请求，请用 person erase`)
  const { file } = await collectedPaper({ own, group }, partsOf(place).deps, r.id)
  await writeNew(asked.file, file)
  try {
    await own.write((tx) => finishCollect(tx, own, r.id))
  } catch (error) {
    await rm(asked.file, { force: true })
    throw error
  } finally {
    doneAt(asked.file)
  }
  return {
    no: asked.no,
    file: asked.file,
    bytes: file.length,
    by: asked.by,
    said: `${asked.no} 已汇总给本人`,
  }
}

/** Whoever asked to be forgotten is, or is restricted until what stands in the way is over. */
export async function eraseByHand(place: Place, asked: Asked): Promise<object> {
  const { group, r } = await entered(place, asked)
  if (r.ask !== erase) throw new Refused(`${asked.no} 是查阅复制请求，请用 person collect`)
  const { deps, settled } = partsOf(place)
  await group.write((tx) => executeRequest(tx, group, deps, { id: r.id, version: r.version }))
  await settled()
  await deps.journal(r.tenant)
  const { rows } = await place.db.tx(EVERYWHERE, (tx) =>
    tx.query(
      'cli.persondone',
      row({ state: text.of(personState) }),
      'SELECT p.state FROM person_requests p WHERE p.tenant_id = $1 AND p.id = $2',
      [r.tenant, r.id],
    ),
  )
  const { state } = rows[0]!
  const said =
    state === personState.code.executed
      ? `${asked.no} 已删除`
      : `${asked.no} 已受限：还有事没有了结，了结以后的夜里自动删除`
  return { no: asked.no, state, by: asked.by, said }
}
