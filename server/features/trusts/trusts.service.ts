import { alarmType, alarmVerdict } from '@zhuguan/contract/features/alarms/alarms.record.ts'
import type { SettingKey } from '@zhuguan/contract/features/settings/settings.record.ts'
import { type TrustAction, trustActions } from '@zhuguan/contract/features/trusts/trusts.actions.ts'
import { modelOf, trustEvent, trustState } from '@zhuguan/contract/features/trusts/trusts.record.ts'

import type { Tx } from '../../database/connect.ts'
import type { Seen } from '../../kit/detection.ts'
import { uuidv7 } from '../../kit/ids.ts'
import { actorAt } from '../../kit/reach.ts'
import { found, overtaken, refuse } from '../../kit/refuse.ts'
import { int4, row, text, uuid } from '../../kit/row.ts'
import type { Call } from '../../kit/serve.ts'
import { Where } from '../../kit/statement.ts'
import { tell } from '../live/live.service.ts'
import { settingSql } from '../settings/settings.reads.ts'
import { lockPair } from './trusts.queries.ts'

const { alwaysNotify, alwaysReview, notify, review } = trustState.code
/** The person who changes what the verdicts change. */
const SYSTEM = '系统'

/** Cameras that raised an alarm: a new pair is met, and a new version of the model begins its own count. */
export function meetPairs(tx: Tx, raised: readonly Seen<'alarm'>[]): void {
  if (raised.length === 0) return
  tx.send(
    'trusts.meet',
    `WITH met AS (
       INSERT INTO alarm_pairs AS p (tenant_id, id, bc_id, site_id, device_id, type, model, model_at)
       SELECT x.tenant, x.id, x.bc, x.site, x.device, x.type, x.model, to_timestamp(x.at)
       FROM json_to_recordset($1::json)
         AS x(tenant uuid, id uuid, bc uuid, site uuid, device uuid, type text, model text, at float8)
       ON CONFLICT (tenant_id, device_id, site_id, type) DO UPDATE SET
         was_model = p.model, model = excluded.model, model_at = excluded.model_at
       WHERE p.model <> excluded.model AND p.model_at <= excluded.model_at
       RETURNING tenant_id, id, model, model_at, was_model)
     INSERT INTO alarm_pair_logs (tenant_id, id, pair_id, at, actor, event, text, model)
     SELECT met.tenant_id, gen_random_uuid(), met.id, met.model_at, '${SYSTEM}', '${trustEvent.code.model}',
       coalesce(nullif(met.was_model, ''), '${modelOf('')}') || ' → '
         || coalesce(nullif(met.model, ''), '${modelOf('')}') || '，判定从头计数', met.model
     FROM met
     WHERE met.was_model IS NOT NULL`,
    [
      JSON.stringify(
        raised
          .map(({ device, event }) => ({
            tenant: device.tenant,
            id: uuidv7(),
            bc: device.bc,
            site: device.site,
            device: device.id,
            type: event.type,
            model: event.model ?? '',
            at: event.at,
          }))
          .sort((a, b) => (a.device + a.type < b.device + b.type ? -1 : 1)),
      ),
    ],
  )
}

/** The pair of an alarm. */
interface Of {
  device_id: string
  site_id: string
  type: string
}
const setting = (key: SettingKey) => `${settingSql(key, '$1', 'p.bc_id')}::text::int`
/** Pairs `p` of the tenant: all, or that of one alarm. */
const pairs = (tenant: string, of: Of | undefined): Where => {
  const where = new Where().add((p) => `p.tenant_id = ${p}`, tenant)
  return of
    ? where
        .add((p) => `p.device_id = ${p}`, of.device_id)
        .add((p) => `p.site_id = ${p}`, of.site_id)
        .add((p) => `p.type = ${p}`, of.type)
    : where
}

/**
 * What the last verdicts make of a pair, or of all of a tenant: too often wrong, nobody is told of its alarms any more;
 * right again, they are. Told by whoever judges, in that transaction, after the verdict is written.
 */
export async function weigh(
  tx: Tx,
  { tenant, at, of }: { tenant: string; at: Date; of?: Of },
): Promise<number> {
  const where = pairs(tenant, of)
  const { rows } = await tx.query(
    'trusts.weigh',
    row({
      id: uuid,
      bc: uuid,
      site: uuid,
      sn: text,
      type: text.of(alarmType),
      model: text,
      n: int4,
      wrong: int4,
      was: text.of(trustState),
      state: text.of(trustState),
    }),
    `SELECT p.id, p.bc_id AS bc, p.site_id AS site, d.sn, p.type, p.model, s.n, s.wrong, p.state AS was, z.state
     FROM alarm_pairs p
     JOIN devices d ON d.tenant_id = $1 AND d.id = p.device_id
     CROSS JOIN LATERAL (SELECT ${setting('trustSample')} AS sample, ${setting('trustDemote')} AS demote,
       ${setting('trustPromote')} AS promote) k
     CROSS JOIN LATERAL (
       SELECT count(*)::int AS n, (count(*) FILTER (WHERE v.verdict = '${alarmVerdict.code.wrong}'))::int AS wrong
       FROM (SELECT a.verdict
         FROM alarms a
         WHERE a.tenant_id = $1 AND a.device_id = p.device_id AND a.site_id = p.site_id AND a.type = p.type
           AND a.model = p.model AND a.verdict IN ('${alarmVerdict.code.real}', '${alarmVerdict.code.wrong}')
         ORDER BY a.at DESC, a.id DESC
         LIMIT k.sample) v) s
     CROSS JOIN LATERAL (SELECT CASE
       WHEN s.n < k.sample OR p.state NOT IN ('${notify}', '${review}') THEN p.state
       WHEN s.wrong * 100 >= k.demote * s.n THEN '${review}'
       WHEN s.wrong * 100 <= k.promote * s.n THEN '${notify}'
       ELSE p.state END AS state) z
     WHERE ${where.text}${of ? '' : ' AND z.state <> p.state'}
     ORDER BY p.id
     FOR UPDATE OF p`,
    where.values,
  )
  const turned = rows.filter((r) => r.state !== r.was)
  await turn(
    tx,
    tenant,
    at,
    turned.map((r) => ({
      id: r.id,
      state: r.state,
      event: r.state === review ? trustEvent.code.demoted : trustEvent.code.promoted,
      text: `误报 ${r.wrong}/${r.n}`,
      model: r.model,
      actor: SYSTEM,
    })),
  )
  const system = { user: { tenant, nickname: SYSTEM }, now: () => at, newId: uuidv7 }
  for (const r of rows) {
    const title = `${r.sn} 的“${alarmType.label(r.type)}”${trustState.label(r.state)}：误报 ${r.wrong}/${r.n}`
    const line = r.state === r.was ? {} : { line: { kind: 'device' as const, title } }
    tell(tx, system, { topic: 'trust', bc: r.bc, site: r.site, id: r.id, ...line })
  }
  await noteShifts(tx, { tenant, at, ...(of ? { of } : {}) })
  return turned.length
}

interface Turn {
  id: string
  state: string
  event: string
  text: string
  model: string
  actor: string
}
/** Pairs that are locked, in a new state, each with a line of its history. */
async function turn(tx: Tx, tenant: string, at: Date, turns: readonly Turn[]): Promise<void> {
  if (turns.length === 0) return
  await tx.run(
    'trusts.turn',
    `UPDATE alarm_pairs p
     SET state = x.state, why = x.text, changed_by = x.actor, changed_at = $3, version = p.version + 1
     FROM json_to_recordset($2::json) AS x(id uuid, state text, text text, actor text)
     WHERE p.tenant_id = $1 AND p.id = x.id`,
    [tenant, JSON.stringify(turns), at],
  )
  await writeHistory(tx, tenant, at, turns)
}
const writeHistory = (tx: Tx, tenant: string, at: Date, lines: readonly Omit<Turn, 'state'>[]) =>
  tx.run(
    'trusts.log',
    `INSERT INTO alarm_pair_logs (tenant_id, id, pair_id, at, actor, event, text, model)
     SELECT $1::uuid, x.line, x.id, $3, x.actor, x.event, x.text, x.model
     FROM json_to_recordset($2::json) AS x(line uuid, id uuid, actor text, event text, text text, model text)`,
    [tenant, JSON.stringify(lines.map((l) => ({ ...l, line: uuidv7() }))), at],
  )

/** 1.96 squared: a difference that chance makes once in twenty is none. */
const CLEARLY = 3.84
/** Once a version: its share differs from that of the one before by more than chance, both with enough verdicts. */
async function noteShifts(tx: Tx, { tenant, at, of }: { tenant: string; at: Date; of?: Of }): Promise<void> {
  const where = pairs(tenant, of)
  const { rows } = await tx.query(
    'trusts.shifts',
    row({ id: uuid, model: text, was: text, n: int4, wrong: int4, wasN: int4, wasWrong: int4 }),
    `SELECT p.id, p.model, p.was_model AS was, s.n, s.wrong, s."wasN", s."wasWrong"
     FROM alarm_pairs p
     JOIN alarm_trusts t ON t.tenant_id = $1 AND t.device_id = p.device_id AND t.site_id = p.site_id
       AND t.type = p.type AND t.model = p.model
     JOIN alarm_trusts b ON b.tenant_id = $1 AND b.device_id = p.device_id AND b.site_id = p.site_id
       AND b.type = p.type AND b.model = p.was_model
     CROSS JOIN LATERAL (SELECT t."real" + t.wrong AS n, t.wrong, b."real" + b.wrong AS "wasN",
       b.wrong AS "wasWrong") s
     WHERE ${where.text}
       AND least(s.n, s."wasN") >= ${setting('trustSample')}
       AND (s.wrong * s."wasN" - s."wasWrong" * s.n)::float8 ^ 2 * (s.n + s."wasN")
         > ${CLEARLY} * s.n * s."wasN" * (s.wrong + s."wasWrong") * (s.n + s."wasN" - s.wrong - s."wasWrong")
       AND NOT EXISTS (SELECT 1 FROM alarm_pair_logs l
         WHERE l.tenant_id = $1 AND l.pair_id = p.id AND l.model = p.model
           AND l.event = '${trustEvent.code.shift}')`,
    where.values,
  )
  if (rows.length)
    await writeHistory(
      tx,
      tenant,
      at,
      rows.map((r) => ({
        id: r.id,
        event: trustEvent.code.shift,
        text: `${modelOf(r.was)} 误报 ${r.wasWrong}/${r.wasN}，${modelOf(r.model)} 误报 ${r.wrong}/${r.n}`,
        model: r.model,
        actor: SYSTEM,
      })),
    )
}

/** All pairs of a tenant, with thresholds as they are now; those that a release before has met are met here. */
export async function weighAll(tx: Tx, tenant: string, at: Date): Promise<string> {
  await tx.run(
    'trusts.missed',
    `INSERT INTO alarm_pairs (tenant_id, id, bc_id, site_id, device_id, type, model, model_at)
     SELECT DISTINCT ON (t.device_id, t.site_id, t.type) t.tenant_id, gen_random_uuid(), t.bc_id, t.site_id,
       t.device_id, t.type, t.model, $2::timestamptz
     FROM alarm_trusts t
     WHERE t.tenant_id = $1
     ORDER BY t.device_id, t.site_id, t.type, t.model DESC
     ON CONFLICT (tenant_id, device_id, site_id, type) DO NOTHING`,
    [tenant, at],
  )
  const turned = await weigh(tx, { tenant, at })
  return turned ? `${turned} 类报警的提醒方式按判定改变` : ''
}

/** A person decides for good, or leaves it to the verdicts again. */
export async function pinPair(
  tx: Tx,
  call: Call,
  action: TrustAction,
  body: { id: string; version: number; reason: string },
): Promise<void> {
  const pair = found(await lockPair(tx, call.user.scope, body.id))
  if (pair.version !== body.version)
    throw overtaken('类报警', pair.since === null ? undefined : { name: pair.by, at: pair.since })
  refuse(trustActions.refusal(action, pair, actorAt(call.user, pair)))
  const { nickname, tenant } = call.user
  const state = String(trustActions.arrives(action, pair.state))
  await turn(tx, tenant, call.now(), [
    { id: pair.id, state, event: action, text: body.reason, model: pair.model, actor: nickname },
  ])
  await call.log(tx, {
    action: trustActions.table[action].label,
    object: 'trust',
    objectId: pair.id,
    before: { state: pair.state },
    after: {
      device_id: pair.device_id,
      site_id: pair.site_id,
      type: pair.type,
      state,
      reason: body.reason,
    },
  })
  tell(tx, call, {
    topic: 'trust',
    bc: pair.bc_id,
    site: pair.site_id,
    id: pair.id,
    line: {
      kind: 'device',
      title: `${pair.deviceSn} 的“${alarmType.label(pair.type)}”：${trustState.label(state)}，${body.reason}`,
    },
  })
  if (state !== alwaysNotify && state !== alwaysReview) await weigh(tx, { tenant, at: call.now(), of: pair })
}
