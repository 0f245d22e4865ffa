import { createHash, randomUUID } from 'node:crypto'

import { lawsBroken } from '../../server/testing/delivering.ts'
import { enterAs, type Person } from '../../server/testing/person.ts'
import { uploadPhoto } from '../../server/testing/photo.ts'
import { sized } from '../size.ts'
import { caller, dice, fitting } from './client.ts'
import { type DeliveryStage, setDelivery } from './delivery-stage.ts'
import { careless, type Command, legal, type Trade, TRADES } from './goods-commands.ts'
import { type GoodsSeen, SEEN } from './goods-seen.ts'
import type { Plant } from './plants.ts'
import { type Served, setStage, type Stage } from './stage.ts'

const LANES = 3
const EACH = 20
const ROUNDS_A_SITE = 80
const GONE = 599
const SAID = 20
/** Rounds of a control. */
const FEW = sized(24, 3)
const NAMES: Record<Trade, string> = {
  clerk: 'order_clerk',
  supplier: 'supplier',
  gm: 'branch_gm',
  acceptor: 'acceptor',
  examiner: 'examiner',
}
const FINE = [200, 400, 401, 403, 409]
/** Where the server is full it says so; nothing was done. */
const FULL = [429, 503]

interface Worker extends Person {
  id: string
  photos: string[]
}
interface Sent {
  command: Command
  who: Worker
  key: string
  code: number
}
export interface Walked {
  rounds: number
  commands: number
  won: number
  unheard: number
  raced: number
  kills: number
  /** Calls that were done. */
  calls: Set<string>
  problems: string[]
}

/** Twenty of each trade, each an account of their own. */
async function hire(of: DeliveryStage): Promise<Record<Trade, Worker[]>> {
  const people: Record<Trade, Worker[]> = { clerk: [], supplier: [], gm: [], acceptor: [], examiner: [] }
  for (const trade of TRADES)
    for (let i = 0; i < EACH; i += 1) {
      const [id, name] = [randomUUID(), `${trade}_at_once_${i}`]
      await of.sql(
        `INSERT INTO users SELECT (jsonb_populate_record(u, jsonb_build_object('id', $2::text, 'user_name', $3::text,
           'nickname', $3::text))).* FROM users u WHERE u.user_name = $1`,
        [NAMES[trade], id, name],
      )
      for (const [table, column] of [
        ['user_roles', 'role_id'],
        ['user_stores', 'store_id'],
        ['user_branches', 'bc_id'],
      ])
        await of.sql(
          `INSERT INTO ${table} (tenant_id, user_id, ${column}) SELECT r.tenant_id, $2, r.${column} FROM ${table} r
           JOIN users u ON u.id = r.user_id WHERE u.user_name = $1`,
          [NAMES[trade], id],
        )
      people[trade].push({ ...(await enterAs(of.url, name)), id, photos: [] })
    }
  return people
}

interface Walk {
  rounds: number
  kills?: number
  plant?: Plant
  /** A control says nothing of what it finds. */
  quiet?: boolean
  /** What is wrong with the database for as long as this walk lasts. */
  fault?: { begin: string; end: string }
}
/**
 * Rounds of two to twenty people who act at once on the goods of a site, while the server is killed now and then. After
 * each: both laws and all computed states by SQL, one winner of all who leave the same version, and of every command
 * that was answered its whole effect: its key and its line of the log, of an unanswered one both or neither.
 */
async function interleavings(stage: Stage, seed: number): Promise<(walk: Walk) => Promise<Walked>> {
  let served: Served = await stage.serve()
  const of = await setDelivery(stage, () => served)
  const { tenant } = of.shop.clerk
  const people = await hire(of)
  await served.end()
  return async (how) => {
    served = await stage.serve({ plant: how.plant })
    const at: Ground = {
      of,
      people,
      tenant,
      seed,
      killed: async (after) => {
        served = await restart(stage, served, { of, after, plant: how.plant })
      },
    }
    await stage.owner.query(how.fault?.begin ?? '')
    const walked = await walk(at, how)
    await stage.owner.query(how.fault?.end ?? '')
    await served.end()
    return walked
  }
}
interface Ground {
  of: DeliveryStage
  people: Record<Trade, Worker[]>
  tenant: string
  seed: number
  killed(after: number): Promise<void>
}

/** The server dies in the middle of what it does, and another one begins where it was. */
async function restart(
  stage: Stage,
  served: Served,
  { of, after, plant }: { of: DeliveryStage; after: number; plant?: Plant | undefined },
): Promise<Served> {
  await new Promise((r) => setTimeout(r, after))
  await served.end()
  // What it had begun ends before anybody counts.
  for (let left = 1; left; await new Promise((r) => setTimeout(r, 20)))
    left = (
      await of.sql<{ left: number }>(
        `SELECT count(*)::int AS left FROM pg_stat_activity
         WHERE datname = current_database() AND pid <> pg_backend_pid() AND state IS NOT NULL`,
      )
    )[0]!.left
  return stage.serve({ plant })
}

async function walk(
  { of, people, tenant, seed, killed }: Ground,
  { rounds, kills = 0, quiet = false }: Walk,
): Promise<Walked> {
  const walked: Walked = {
    rounds: 0,
    commands: 0,
    won: 0,
    unheard: 0,
    raced: 0,
    kills: 0,
    calls: new Set(),
    problems: [],
  }
  const found = (round: number, what: string) => {
    walked.problems.push(`seed ${seed} round ${round}: ${what}`)
    if (!quiet && walked.problems.length < SAID) console.log(walked.problems.at(-1))
  }
  let ready: Promise<void> = Promise.resolve()
  let begun = 0

  async function send(command: Command, who: Worker): Promise<Sent> {
    const key = randomUUID()
    walked.commands += 1
    const { picture } = command
    let { body } = command
    let photo: string | undefined
    try {
      if (picture) {
        photo = who.photos.pop() ?? (await uploadPhoto(of.url(), who))
        body = { ...body, ...picture(photo) }
      }
      const headers = { token: who.token, 'tenant-id': who.tenant, 'idempotency-key': key }
      const { code } = await caller(of.url(), headers).ask(command.endpoint, {
        body: fitting(command.endpoint, body),
      })
      if (code !== 200 && photo) who.photos.push(photo)
      return { command, who, key, code }
    } catch {
      return { command, who, key, code: GONE }
    }
  }
  const kept = async (site: string, sent: readonly Sent[]) => {
    const [counted] = await of.sql<{ keys: string[]; lines: number }>(
      `WITH ids AS (SELECT o.id FROM orders o WHERE o.tenant_id = $4 AND o.site_id = $1
         UNION ALL SELECT d.id FROM dispatches d WHERE d.tenant_id = $4 AND d.site_id = $1
         UNION ALL SELECT g.id FROM goods_changes g WHERE g.tenant_id = $4 AND g.site_id = $1
         UNION ALL SELECT v.id FROM logistics v WHERE v.tenant_id = $4 AND v.site_id = $1
         UNION ALL SELECT r.id FROM examine_requests r
           JOIN goods_changes g ON g.tenant_id = $4 AND g.id = r.object_id
           WHERE r.tenant_id = $4 AND g.site_id = $1)
       SELECT (SELECT coalesce(json_agg(encode(k.key_hash, 'hex')), '[]') FROM idempotency k
         JOIN unnest($2::uuid[], $3::text[]) AS x(who, key) ON k.tenant_id = $4 AND k.user_id = x.who
           AND k.key_hash = decode(x.key, 'hex')) AS keys,
         (SELECT count(*)::int FROM user_logs l JOIN ids ON l.tenant_id = $4 AND l.object_id = ids.id::text
          WHERE l.object IN ('order', 'dispatch', 'goods', 'examine') AND l.outcome = 'done'
            AND l.action <> '撤销请求失效') AS lines`,
      [site, sent.map((s) => s.who.id), sent.map((s) => hashed(s.key)), tenant],
    )
    return { keys: new Set(counted!.keys), lines: counted!.lines }
  }

  async function round(n: number, at: { site: string; lines: number }): Promise<void> {
    const cast = dice(seed + n)
    const { below, pick } = cast
    const [s] = await of.sql<GoodsSeen>(SEEN, [at.site, of.shop.merchant, tenant])
    const day = of.shop.expectedOn
    const can = legal(s!, cast, day)
    const many = 2 + below(EACH - 1)
    const killing = kills > 0 && n % Math.floor(rounds / kills) === Math.floor(rounds / kills) - 1
    // Half of the rounds everybody does the same; in the others what comes to mind.
    const same = can.length > 0 && below(2) === 0 ? pick(can) : undefined
    const commands = Array.from(
      { length: many },
      () => same ?? (below(4) === 0 ? careless(s!, cast, day) : pick(can)),
    ).filter((c) => c !== undefined)
    const first = below(EACH)
    const asked = commands.map((c, i) => {
      const list = people[c.who]
      const author =
        c.user &&
        Object.values(people)
          .flat()
          .find((p) => p.id === c.user)
      return send(c, author || list[(first + i) % list.length]!)
    })
    if (killing) {
      ready = killed(5 + below(60))
      walked.kills += 1
    }
    const sent = await Promise.all(asked)
    await ready
    const won = sent.filter((x) => x.code === 200)
    const unheard = sent.filter((x) => x.code === GONE)
    walked.won += won.length
    for (const x of won) walked.calls.add(x.command.endpoint.path)
    walked.unheard += unheard.length
    for (const x of sent)
      if (![GONE, ...FULL, ...FINE].includes(x.code)) found(n, `${x.command.endpoint.path} ${x.code}`)
    for (const [leaves, by] of Map.groupBy(won, (x) => x.command.leaves))
      if (leaves && by.length > 1)
        found(n, `${by.length} winners of ${leaves} ${by[0]!.command.endpoint.path}`)
    const isWhole = sent.every((x) => x.code !== GONE && !FULL.includes(x.code))
    if (same?.winners !== undefined && isWhole) {
      walked.raced += 1
      const should = Math.min(same.winners, many)
      if (won.length !== should)
        found(n, `${won.length} winners of ${many}, should ${should}: ${same.endpoint.path}`)
    }
    const { keys, lines } = await kept(at.site, sent)
    for (const x of won)
      if (!keys.has(hashed(x.key))) found(n, `acknowledged and not there: ${x.command.endpoint.path}`)
    for (const x of sent)
      if (x.code !== 200 && x.code !== GONE && keys.has(hashed(x.key)))
        found(n, `refused and there: ${x.command.endpoint.path}`)
    if (lines - at.lines !== keys.size)
      found(n, `${keys.size} commands are there, ${lines - at.lines} lines of the log`)
    at.lines = lines
    for (const what of await lawsBroken(of, at.site)) found(n, what)
    walked.rounds += 1
    if (walked.rounds % 1_000 === 0)
      console.log(`${walked.rounds} rounds, ${walked.commands} commands, ${walked.problems.length} wrong`)
  }
  async function settle(): Promise<{ site: string; lines: number }> {
    for (;;) {
      await ready
      const made = await of.shop
        .sold(
          { name: '乱一', quantity: '24' },
          { name: '乱二', quantity: '13.5' },
          { name: '乱三', quantity: '6', byBranch: true },
        )
        .catch(() => undefined)
      // Young tables are read by what is known of them.
      if (made) await of.sql('ANALYZE')
      if (made) return { site: made.site, lines: 0 }
    }
  }
  const lane = async () => {
    let at = await settle()
    for (let i = 1; begun < rounds; i += 1) {
      const n = begun
      begun += 1
      if (i % ROUNDS_A_SITE === 0) at = await settle()
      await ready
      await round(n, at)
    }
  }
  await Promise.all(Array.from({ length: LANES }, lane))
  for (const what of await lawsBroken(of)) found(rounds, `at the end: ${what}`)
  return walked
}
const hashed = (key: string) => createHash('sha256').update(key).digest('hex')

/** Faults of a database that a walk must see: goods whose state is not the computed one, a command without its line. */
const FAULTS = {
  state: `CREATE FUNCTION goal_stale() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN NEW.order_state = 4; RETURN NEW; END $$;
    CREATE TRIGGER goal_stale BEFORE UPDATE ON pieces FOR EACH ROW
    WHEN (NEW.place = 'ship') EXECUTE FUNCTION goal_stale()`,
  line: `CREATE FUNCTION goal_stale() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$;
    CREATE TRIGGER goal_stale BEFORE INSERT ON user_logs FOR EACH ROW
    WHEN (NEW.object = 'order' AND NEW.outcome = 'done') EXECUTE FUNCTION goal_stale()`,
}
const END = 'DROP FUNCTION goal_stale CASCADE'

/** G-17 over goods: the rounds, and its controls: a server that locks nothing, and both faults above. */
export async function goodsAtOnce(
  stage: Stage,
  seed: number,
  { rounds, kills }: { rounds: number; kills: number },
) {
  const walkOf = await interleavings(stage, seed)
  const began = Date.now()
  const real = await walkOf({ rounds, kills })
  const seconds = Math.round((Date.now() - began) / 1_000)
  const controls = [
    await walkOf({ rounds: FEW, quiet: true, plant: 'unlocked' }),
    await walkOf({ rounds: FEW, quiet: true, fault: { begin: FAULTS.state, end: END } }),
    await walkOf({ rounds: FEW, quiet: true, fault: { begin: FAULTS.line, end: END } }),
  ].map((walked) => walked.problems.length > 0)
  return { ...real, seconds, controls }
}

/** G-08 over goods: few rounds, many kills; the controls are those of `goodsAtOnce`. */
export async function killedGoods(seed: number): Promise<{ value: string; ok: boolean }> {
  const stage = await setStage()
  try {
    await stage.owner.query(`SET app.tenant = '*'`)
    const goods = await goodsAtOnce(stage, seed, { rounds: sized(100, 5), kills: sized(20, 1) })
    return {
      value: [
        `goods: kills ${goods.kills}, done ${goods.won}`,
        `unheard ${goods.unheard}, lost or half ${goods.problems.length}`,
      ].join(', '),
      ok:
        goods.problems.length === 0 && goods.kills >= 20 && goods.won > 100 && goods.controls.every(Boolean),
    }
  } finally {
    await stage.close()
  }
}
