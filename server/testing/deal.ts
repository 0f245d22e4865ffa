import { dealDemo } from '../app/demo-deals.ts'
import { demoStep } from '../app/demo-steps.ts'
import { connect } from '../database/connect.ts'
import type { Logins } from '../database/migrate.ts'
import { openFileStore } from '../features/files/file-store.ts'
import { readSecretKey } from '../kit/secret.ts'

/** Deals for a part of one branch of the demo, as a start does, and can be killed. Environment: LOGINS, FOLDER, NOW. */
const { LOGINS, FOLDER, NOW } = process.env
const logins = JSON.parse(LOGINS!) as Logins
const secretKey = await readSecretKey(FOLDER!)
const db = connect(logins, { max: 2 })
const most = { sites: 9, deals: 17, delivered: 2, leads: 6 }
const deal = (now: Date) =>
  dealDemo(logins, { files: openFileStore(FOLDER!), secretKey, now, most, branches: ['NB'] })
await demoStep(db, 'deals', new Date(NOW!), deal)
await db.close()
process.exit(0)
