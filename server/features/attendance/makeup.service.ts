import type { attendanceApi } from '@zhuguan/contract/features/attendance/attendance.api.ts'
import { NIGHT_ENDS, punchDirection } from '@zhuguan/contract/features/attendance/attendance.record.ts'
import type { BodyOf } from '@zhuguan/contract/kit/api.ts'

import type { Tx } from '../../database/connect.ts'
import { found, invalid, refuse } from '../../kit/refuse.ts'
import { bool, date, row, text, there, timestamptz, type RowOf, uuid } from '../../kit/row.ts'
import { reaching, scoped } from '../../kit/scoped.ts'
import type { Call } from '../../kit/serve.ts'
import { addDays, shanghaiDay, startOfDay } from '../../kit/shanghai.ts'
import { tell } from '../live/live.service.ts'
import { settingOf } from '../settings/settings.reads.ts'
import { counts, memberOn } from './attendance.reads.ts'
import { countSiteDays, filePunches, recountDays, settleNight } from './attendance.service.ts'
import { decidePosts } from './posts.service.ts'
import { countNoWork } from './standstill.service.ts'

type Makeup = BodyOf<(typeof attendanceApi)['makeup']>

const placeRow = row({ bc_id: uuid, ws_name: text, entered: text.null, member: bool })
const personRow = row({ w_name: text })
type Place = RowOf<typeof placeRow> & RowOf<typeof personRow>
/** The site and the person, both inside the caller's scope, whether or not they ever stood on it. */
async function placeOf(tx: Tx, call: Call, { site_id, worker_id, day }: Makeup): Promise<Place> {
  const { scope } = call.user
  const where = scoped(scope, 'w', { site: 'id' }).add((p) => `w.id = ${p}::uuid`, site_id)
  const [who, at] = [`$${where.values.push(worker_id)}::uuid`, `$${where.values.push(day)}::date`]
  const { rows } = await tx.query(
    'makeup.place',
    placeRow,
    `SELECT w.bc_id, w.ws_name, min(m.entered_on)::text AS entered,
       coalesce(bool_or(${memberOn('m', at)}), false) AS member
     FROM sites w
     LEFT JOIN site_members m ON m.tenant_id = $1 AND m.site_id = w.id AND m.worker_id = ${who}
     WHERE ${where.text} AND w.deleted_at IS NULL
     GROUP BY w.bc_id, w.ws_name`,
    where.values,
  )
  const person = reaching(scope, 'k', {
    branch: (p) => `k.bc_id = ANY(${p}::uuid[])`,
    site: (p) =>
      `EXISTS (SELECT 1 FROM site_members o
         WHERE o.tenant_id = $1 AND o.worker_id = k.id AND o.site_id = ANY(${p}::uuid[]))`,
  }).add((p) => `k.id = ${p}::uuid`, worker_id)
  const people = await tx.query(
    'makeup.person',
    personRow,
    `SELECT k.w_name FROM workers k WHERE ${person.text}`,
    person.values,
  )
  return { ...found(rows[0]), ...found(people.rows[0]) }
}

/** The instants to be filed, or a sentence why not. */
async function instants(
  tx: Tx,
  call: Call,
  body: Makeup,
  place: Place,
): Promise<{ direction: 'in' | 'out'; at: Date }[]> {
  const today = shanghaiDay(call.now())
  if (!body.in && !body.out) throw invalid('in', '请至少填写进场或离场时间')
  if (body.in && body.out && (body.out === body.in || (body.out < body.in && body.out > NIGHT_ENDS)))
    throw invalid('out', `离场时间应晚于进场时间；夜班的离场在次日，最晚 ${NIGHT_ENDS}`)
  if (body.day > today) throw invalid('day', '不能给将来的日期补卡')
  const days = await settingOf<number>(tx, call.user.tenant, place.bc_id, 'makeupDays')
  if (body.day < addDays(today, -days)) throw invalid('day', `只能补最近 ${days} 天的卡`)
  if (place.entered && body.day < place.entered)
    throw invalid('day', `${place.w_name} ${place.entered} 才进场，不能补之前的卡`)
  if (!place.member) throw invalid('day', `${place.w_name} 这一天不在 ${place.ws_name}`)
  const isNext = await leavesNextDay(tx, call, body)
  const wanted = (['in', 'out'] as const).flatMap((direction) => {
    const clock = body[direction]
    const day = direction === 'out' && isNext ? addDays(body.day, 1) : body.day
    return clock ? [{ direction, at: new Date(startOfDay(day).getTime() + minutes(clock) * 60_000) }] : []
  })
  const future = wanted.find((w) => w.at > call.now())
  if (future) throw invalid(future.direction, '不能给将来的时间补卡')
  return wanted
}
/** An exit of the small hours is of the next morning, unless it follows an entry after midnight. */
async function leavesNextDay(tx: Tx, call: Call, body: Makeup): Promise<boolean> {
  if (!body.out || body.out > NIGHT_ENDS) return false
  if (body.in) return body.out < body.in
  const { rows } = await tx.query(
    'makeup.entered',
    there,
    `SELECT 1 FROM attendance_events e
     WHERE e.tenant_id = $1 AND e.site_id = $2 AND e.worker_id = $3 AND e.direction = 'in' AND ${counts('e')}
       AND e.at >= $4 AND e.at <= $5
     LIMIT 1`,
    [
      call.user.tenant,
      body.site_id,
      body.worker_id,
      startOfDay(body.day),
      new Date(startOfDay(body.day).getTime() + minutes(body.out) * 60_000),
    ],
  )
  return rows.length === 0
}
const minutes = (clock: string) => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3))

const addEvent = (
  tx: Tx,
  call: Call,
  e: {
    id: string
    bc: string
    site: string
    worker: string
    at: Date
    day: string
    direction: string
    reason: string
    reverses: string | null
  },
) =>
  tx.run(
    'makeup.event',
    `INSERT INTO attendance_events (tenant_id, id, bc_id, site_id, worker_id, at, day, direction, source,
         reason, actor_id, actor, made_at, reverses)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 'makeup', $9, $10, $11, $12, $13)`,
    [
      call.user.tenant,
      e.id,
      e.bc,
      e.site,
      e.worker,
      e.at,
      e.day,
      e.direction,
      e.reason,
      call.user.id,
      call.user.nickname,
      // One moment for both punches of a make-up: it holds them together.
      tx.now,
      e.reverses,
    ],
  )
const tellPunch = (
  tx: Tx,
  call: Call,
  e: { bc: string; site: string; worker: string; at: Date; title: string },
): void =>
  tell(tx, call, {
    topic: 'attendance',
    bc: e.bc,
    site: e.site,
    id: e.site,
    line: { kind: 'clockin', at: e.at, title: e.title, ref: e.worker },
  })

/** Nobody is at one place twice at the same time, nor at two. */
async function refuseOverlap(
  tx: Tx,
  tenant: string,
  body: Makeup,
  made: readonly { id: string; at: Date }[],
) {
  const times = made.map((e) => e.at.getTime())
  const { rows } = await tx.query(
    'makeup.overlap',
    row({ ws_name: text, from: text, to: text }),
    `SELECT w.ws_name, to_char(s.begun AT TIME ZONE 'Asia/Shanghai', 'HH24:MI') AS from,
       to_char(s.ended AT TIME ZONE 'Asia/Shanghai', 'HH24:MI') AS to
     FROM (
       SELECT e.site_id, e.made_at, min(e.at) AS begun, max(e.at) AS ended
       FROM attendance_events e
       WHERE e.tenant_id = $1 AND e.worker_id = $2 AND e.source = 'makeup' AND ${counts('e')}
         AND e.at > $4::timestamptz - interval '1 day' AND e.at < $5::timestamptz + interval '1 day'
         AND e.id <> ALL ($3::uuid[])
       GROUP BY e.site_id, e.made_at) s
     JOIN sites w ON w.tenant_id = $1 AND w.id = s.site_id
     WHERE s.begun < $5 AND s.ended > $4
     LIMIT 1`,
    [
      tenant,
      body.worker_id,
      made.map((e) => e.id),
      new Date(Math.min(...times)),
      new Date(Math.max(...times)),
    ],
  )
  const [other] = rows
  refuse(other && `与已有的补卡重叠：${other.ws_name} ${other.from}–${other.to}，请先撤回那次补卡`)
}

/** Punches that the terminal missed, as records of their own; days, site days and days without work follow. */
export async function makeUp(tx: Tx, call: Call, body: Makeup): Promise<{ ids: string[] }> {
  const { tenant } = call.user
  const place = await placeOf(tx, call, body)
  const wanted = await instants(tx, call, body, place)
  await tx.run('makeup.month', 'SELECT ensure_months($1::date, $1::date + 1)', [body.day])
  const events = wanted.map((w) => ({
    ...w,
    id: call.newId(),
    bc: place.bc_id,
    site: body.site_id,
    worker: body.worker_id,
    day: body.day,
    reason: body.reason,
    reverses: null,
  }))
  for (const e of events) await addEvent(tx, call, e)
  // Now the person's day is held: whoever sent the same twice finds the first one here.
  await filePunches(
    tx,
    events.map((e) => ({
      tenant,
      day: e.day,
      site: e.site,
      worker: e.worker,
      bc: e.bc,
      at: e.at.getTime() / 1000,
      makeup: true,
    })),
  )
  const { rows } = await tx.query(
    'makeup.twice',
    row({ at: timestamptz }),
    `SELECT e.at FROM attendance_events e WHERE e.tenant_id = $1 AND e.worker_id = $2 AND e.site_id = $3 AND e.at = ANY ($4::timestamptz[]) AND e.source = 'makeup' AND e.reverses IS NULL
       AND NOT EXISTS (SELECT 1 FROM attendance_events r WHERE r.tenant_id = e.tenant_id AND r.reverses = e.id AND r.at = e.at) GROUP BY e.at HAVING count(*) > 1`,
    [tenant, body.worker_id, body.site_id, events.map((e) => e.at)],
  )
  refuse(rows.length ? '这个时间已经补过卡' : undefined)
  await refuseOverlap(tx, tenant, body, events)
  for (const e of events)
    tellPunch(tx, call, {
      ...e,
      title: `${place.w_name} 补卡${punchDirection.label(e.direction)}：${body.reason}`,
    })
  await call.log(tx, {
    action: '补卡',
    object: 'attendance',
    objectId: events[0]!.id,
    after: { ...body, ids: events.map((e) => e.id) },
  })
  return { ids: events.map((e) => e.id) }
}

/** Takes a wrong makeup back: a reversing record, and everything counted from the events again. */
export async function withdraw(
  tx: Tx,
  call: Call,
  { id, reason }: BodyOf<(typeof attendanceApi)['withdraw']>,
): Promise<void> {
  const { tenant } = call.user
  const where = scoped(call.user.scope, 'e').add((p) => `e.id = ${p}::uuid`, id)
  const made = found(
    (
      await tx.query(
        'makeup.one',
        row({
          bc_id: uuid,
          site_id: uuid,
          worker_id: uuid,
          w_name: text,
          at: timestamptz,
          day: date,
          direction: text.of(punchDirection),
        }),
        `SELECT e.bc_id, e.site_id, e.worker_id, k.w_name, e.at, e.day, e.direction
         FROM attendance_events e
         JOIN workers k ON k.tenant_id = e.tenant_id AND k.id = e.worker_id
         WHERE ${where.text} AND e.source = 'makeup' AND e.reverses IS NULL`,
        where.values,
      )
    ).rows[0],
  )
  const one = { from: made.day, to: made.day, site: made.site_id, worker: made.worker_id }
  // Holds the person's day, so that the second of two sees what the first did.
  await recountDays(tx, tenant, one)
  const before = await tx.query(
    'makeup.reversed',
    there,
    'SELECT 1 FROM attendance_events WHERE tenant_id = $1 AND reverses = $2 AND at = $3',
    [tenant, id, made.at],
  )
  refuse(before.rows.length ? '这条补卡已经撤回' : undefined)
  await addEvent(tx, call, {
    id: call.newId(),
    bc: made.bc_id,
    site: made.site_id,
    worker: made.worker_id,
    at: made.at,
    day: made.day,
    direction: made.direction,
    reason,
    reverses: id,
  })
  await recountDays(tx, tenant, one)
  const others = await decidePosts(tx, tenant, [made.day], [made.worker_id])
  await countSiteDays(tx, [{ tenant, day: made.day, site: made.site_id }, ...others])
  if (made.day < shanghaiDay(call.now())) await countNoWork(tx, tenant, made.day, made.day, [made.site_id])
  await settleNight(tx, { tenant, site: made.site_id, worker: made.worker_id, at: made.at.getTime() / 1000 })
  tellPunch(tx, call, {
    bc: made.bc_id,
    site: made.site_id,
    worker: made.worker_id,
    at: call.now(),
    title: `${made.w_name} ${made.day} 的补卡${punchDirection.label(made.direction)}撤回：${reason}`,
  })
  await call.log(tx, {
    action: '撤回补卡',
    object: 'attendance',
    objectId: id,
    // What was taken back is named, as it is with a makeup; it is no change of these facts.
    after: {
      day: made.day,
      site_id: made.site_id,
      worker_id: made.worker_id,
      at: made.at,
      direction: made.direction,
      reason,
    },
  })
}
