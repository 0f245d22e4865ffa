import { execFileSync } from 'node:child_process'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { connect } from '../server/database/connect.ts'
import { type Embedded, startEmbedded } from '../server/database/embedded.ts'
import { type Logins, migrate } from '../server/database/migrate.ts'
import type { SimulatedDevice } from '../server/database/seed/demo-cast.ts'
import { seedDemo } from '../server/database/seed/demo.ts'
import { readSecretKey } from '../server/kit/secret.ts'

export interface DemoFolder {
  embedded: Embedded
  logins: Logins
  secretKey: Buffer
  devices: SimulatedDevice[]
}
const DEVICES = 'devices.json'

/** The demo's people and devices in a database: its devices, with their secrets. */
export async function fillDemo(
  ownerUrl: string,
  folder: string,
): Promise<Pick<DemoFolder, 'logins' | 'secretKey' | 'devices'>> {
  const { logins } = await migrate(ownerUrl)
  const secretKey = await readSecretKey(folder)
  const db = connect(logins, { max: 2 })
  const devices = await seedDemo(db, { secretKey, now: new Date() })
  await db.close()
  return { logins, secretKey, devices }
}
/** A data folder with the demo in its own database, running. DEMO_FOLDER names one that lies ready, and is copied. */
export async function demoFolder(folder: string): Promise<DemoFolder> {
  const ready = process.env.DEMO_FOLDER
  if (ready) execFileSync('cp', ['-a', `${ready}/.`, folder])
  const embedded = await startEmbedded(folder)
  try {
    if (!ready) return { embedded, ...(await fillDemo(embedded.url, folder)) }
    const devices = JSON.parse(await readFile(join(folder, DEVICES), 'utf8')) as SimulatedDevice[]
    const { logins } = await migrate(embedded.url)
    return { embedded, logins, secretKey: await readSecretKey(folder), devices }
  } catch (error) {
    // Nobody else knows of it yet.
    await embedded.stop()
    throw error
  }
}
/** Lays one ready, stopped, in a folder that is empty: another's data are not touched. */
export async function layDemoFolder(folder: string): Promise<void> {
  if ((await readdir(folder)).length) throw new Error(`${folder} is not empty`)
  const { embedded, devices } = await demoFolder(folder)
  await writeFile(join(folder, DEVICES), JSON.stringify(devices))
  await embedded.stop()
}
