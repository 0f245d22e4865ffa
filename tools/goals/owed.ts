import { live, type Lived } from '../../server/testing/owed-lives.ts'
import { sized } from '../size.ts'
import { dice, type Result } from './client.ts'
import { setDelivery } from './delivery-stage.ts'
import { setStage, type Stage } from './stage.ts'

/** Lives of a control: enough that goods of one are complained of after they were accepted. */
const FEW = sized(20, 2)
const SHOWN = 5
/** One server tells so many: a person may upload so many photos an hour, and what was written outlives a server. */
const OF_SERVER = 80
const DATABASES = 2
/** How often a long run says how far it is. */
const SAID = 800

async function lived(stage: Stage, lives: number, seed: number, round: string): Promise<Lived> {
  const served = await stage.serve()
  try {
    const { server, shop } = await setDelivery(stage, () => served)
    return await live(server, shop, { lives, random: dice(seed).random, round })
  } finally {
    await served.end()
  }
}

/** All lives, some databases at once: a statement knows no goods of another. Each round has its own seed. */
async function livedOn(stages: readonly Stage[], lives: number, seed: number): Promise<Lived> {
  const told: Lived = { lives: 0, calls: 0, changes: 0, differences: [] }
  const rounds = Array.from({ length: Math.ceil(lives / OF_SERVER) }, (_, round) => round)
  const tell = async (stage: Stage) => {
    for (let round = rounds.shift(); round !== undefined; round = rounds.shift()) {
      const many = Math.min(OF_SERVER, lives - round * OF_SERVER)
      const one = await lived(stage, many, seed + round, `a${round}-`)
      told.lives += one.lives
      told.calls += one.calls
      told.changes += one.changes
      told.differences.push(...one.differences)
      if (told.lives % SAID < OF_SERVER)
        console.error(`${told.lives} lives, ${told.changes} changes, ${told.differences.length} differences`)
    }
  }
  await Promise.all(stages.map(tell))
  return told
}

/**
 * Lives of goods with books of their own, compared with what merchants are owed. The control forgets what went back
 * after it was accepted, and is found.
 */
export async function owed(seed: number, lives: number): Promise<Result> {
  const stages = await Promise.all(Array.from({ length: DATABASES }, () => setStage()))
  const stage = stages[0]!
  try {
    const told = await livedOn(stages, lives, seed)
    for (const line of told.differences.slice(0, SHOWN)) console.error(line)
    await stage.owner.query(`CREATE FUNCTION forget() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN RETURN CASE WHEN NEW.kind IN ('short', 'taken') THEN NULL ELSE NEW END; END $$`)
    await stage.owner.query(
      'CREATE TRIGGER forget BEFORE INSERT ON owed_lines FOR EACH ROW EXECUTE FUNCTION forget()',
    )
    const control = await lived(stage, FEW, seed, 'b')
    const value =
      `${told.lives} lives, ${told.changes} changes judged: ${told.differences.length} differences; ` +
      `control ${control.differences.length ? 'found' : 'NOT FOUND'}`
    return { value, ok: told.differences.length === 0 && control.differences.length > 0 }
  } finally {
    for (const one of stages) await one.close()
  }
}
