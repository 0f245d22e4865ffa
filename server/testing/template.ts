import { connect } from '../database/connect.ts'
import type { Logins } from '../database/migrate.ts'
import type { SimulatedDevice } from '../database/seed/demo-cast.ts'
import { seedDemo } from '../database/seed/demo.ts'
import type { Cluster } from './database.ts'

/** The demo as the template of a run holds it. */
export interface Demo {
  template: string
  /** The key that its devices' secrets are sealed with, as the file in the data folder holds it. */
  key: string
  /** In ISO form. */
  seededAt: string
  devices: SimulatedDevice[]
}
/** What the set-up of a run gives its stories. */
declare module 'vitest' {
  interface ProvidedContext {
    cluster: Cluster
    demo: Demo
  }
}

/** The demo's people, sites and devices, without their history: once a run, every file of stories copies it. */
export async function fillTemplate(template: string, logins: Logins, key: Buffer, now: Date): Promise<Demo> {
  const db = connect(logins, { max: 2, now: () => now })
  try {
    const devices = await seedDemo(db, { secretKey: key, now })
    return { template, key: key.toString('hex'), seededAt: now.toISOString(), devices }
  } finally {
    await db.close()
  }
}
