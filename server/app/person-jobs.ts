import type { Database } from '../database/connect.ts'
import type { FileStore } from '../features/files/file-store.ts'
import { finishRestricted } from '../features/persons/persons.service.ts'
import { wholeGroup } from '../kit/scoped.ts'
import { erasing } from './erasing.ts'
import { writeJournal } from './erasure-journal.ts'
import { type Job, unhurried } from './jobs.ts'

/** The part of erasure that waits for the night, and what is written down beside the database. */
export const personJobs = (deps: {
  db: Database
  files: FileStore
  secretKey: Buffer
  dataDir: string
}): readonly Job[] => [
  {
    kind: 'persons.rest',
    at: '04:47',
    async run({ db, tenant }) {
      const work = { ...deps, erasing: erasing(deps) }
      const n = await unhurried(db, (tx) => finishRestricted(tx, tenant, work), wholeGroup(tenant))
      await writeJournal(deps.db, deps.dataDir, tenant)
      return n ? `删除 ${n} 个人的个人信息` : ''
    },
  },
  {
    kind: 'persons.journal',
    at: 1,
    async run({ tenant }) {
      const n = await writeJournal(deps.db, deps.dataDir, tenant)
      return n ? `记下 ${n} 次删除` : ''
    },
  },
]
