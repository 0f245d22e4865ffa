import { branchRetention } from '../app/branch-retention.ts'
import { caseRetention, leavingFiles, looseClips, loosePictures, RETENTION } from '../app/retention.ts'
import { openFileStore } from '../features/files/file-store.ts'
import { shanghaiDay } from '../kit/shanghai.ts'
import type { TestServer } from './start.ts'

/** Forgets once, as the night does: of one group, or what is done for all at once. Answers what it said. */
export async function forgetTonight(
  server: TestServer,
  kind: string,
  tenant = '',
  files = openFileStore(server.dataDir),
): Promise<string> {
  const jobs = [
    ...RETENTION,
    ...branchRetention(files),
    looseClips(files),
    loosePictures(files),
    leavingFiles(files),
    caseRetention(files),
  ]
  const job = jobs.find((j) => j.kind === `retention.${kind}`)
  if (!job) throw new Error(`nothing forgets ${kind}`)
  const now = server.now()
  const said = await job.run({
    db: server.db,
    tenant,
    day: shanghaiDay(now),
    since: null,
    met: now,
    now,
    stopped: () => false,
  })
  return said ?? ''
}
