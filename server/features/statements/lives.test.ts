import { afterAll, beforeAll, expect, test } from 'vitest'

import { openDelivery } from '../../testing/delivering.ts'
import { live } from '../../testing/owed-lives.ts'
import { startTestServer, type TestServer } from '../../testing/start.ts'

const SEED = Number(process.env.SEED ?? 20_261_123)
const CONTROL = 3
const LIVES = 10
let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.stop())
/** Mulberry32. */
function dice(seed: number) {
  let at = seed
  return () => {
    at = (at + 0x6d2b79f5) | 0
    let t = Math.imul(at ^ (at >>> 15), 1 | at)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}

test('what is owed is what the books of the story say, however goods live', async () => {
  const shop = await openDelivery(server)
  const told = await live(server, shop, { lives: LIVES, random: dice(SEED), round: 'a' })
  expect(told.differences, `seed ${SEED}`).toEqual([])
  expect(told.changes).toBeGreaterThan(5)
}, 600_000)

test('the control: a shortage that is forgotten is found', async () => {
  await server.sql(`CREATE FUNCTION forget() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RETURN CASE WHEN NEW.kind IN ('short', 'taken') THEN NULL ELSE NEW END; END $$`)
  await server.sql(`CREATE TRIGGER forget BEFORE INSERT ON owed_lines FOR EACH ROW EXECUTE FUNCTION forget()`)
  const shop = await openDelivery(server)
  // A seed whose first lives are complained of after they were accepted.
  const told = await live(server, shop, { lives: LIVES, random: dice(CONTROL), round: 'b' })
  await server.sql('DROP TRIGGER forget ON owed_lines')
  expect(told.differences.length).toBeGreaterThan(0)
}, 600_000)
