import { afterAll, beforeAll, test } from 'vitest'

import { type Stage, openStage } from './stage.ts'
import { walkAs } from './walk.ts'

let stage: Stage
beforeAll(async () => (stage = await openStage()))
afterAll(() => stage?.close())

// In both desktop sizes and on a phone.
test(
  'every page of who sees the whole tenant: no console error, nothing serious for axe',
  () => walkAs(stage, 'tenant'),
  600_000,
)
