import { readdirSync } from 'node:fs'
import { join } from 'node:path'

import { report } from '../../server/testing/device.ts'
import { seconds } from '../../server/testing/time.ts'
import { type Caller, fitting, type Heard, signIn } from './client.ts'
import { deliveryRecords } from './delivery-records.ts'
import { setDelivery } from './delivery-stage.ts'
import { type Machine, machinesOf } from './machine-records.ts'
import type { Served, Stage } from './stage.ts'
import { statementMachine } from './statement-records.ts'
import { HEARTBEAT, type Lines, SITE } from './states.ts'

interface Judged {
  pairs: number
  problems: string[]
}
const DONE = (heard: Heard) => heard.code === 200
/** 401: not by this person's right. 403: goods that have not arrived have no sheet yet. */
const REFUSED = [400, 401, 403, 409]
/** A table may say less than the record: `2` stands for every step of 2. */
const same = (told: string, stands: string) => told === stands || stands.startsWith(`${told} `)

/** Every command from every situation of one machine, or from some of them. */
export async function judge(
  name: string,
  machine: Machine,
  only = Object.keys(machine.lines),
): Promise<Judged> {
  const problems: string[] = []
  const commands = [...new Set(Object.values(machine.lines).flatMap((l) => Object.keys(l)))]
  let pairs = 0
  for (const situation of only) {
    for (const command of commands) {
      const arrives = machine.lines[situation]![command]
      for (const reason of machine.reasons.includes(command) && arrives ? ['', '说明原因'] : ['说明原因']) {
        await machine.put(situation)
        const before = await machine.stands()
        const heard = await machine.ask(command, reason)
        const after = await machine.stands()
        pairs += 1
        const should = arrives !== undefined && reason !== ''
        const right = should
          ? DONE(heard) && same(arrives, after)
          : REFUSED.includes(heard.code) && after === before
        if (!right)
          problems.push(
            `${name} ${situation} ${command}${reason ? '' : ' without a reason'}: ${heard.code} ${heard.msg}, ${before} → ${after}, should ${should ? arrives : 'stay'}`,
          )
      }
    }
  }
  return { pairs, problems }
}

interface Declared {
  names: readonly string[]
  codes: { values: readonly (number | string)[] }
}
/** Every table of actions that a feature of the contract declares. */
async function registry(): Promise<Record<string, Declared>> {
  const features = join(import.meta.dirname, '..', '..', 'contract', 'features')
  const found: Record<string, Declared> = {}
  for (const file of readdirSync(features, { recursive: true }).map(String))
    if (file.endsWith('.ts') && !file.endsWith('.test.ts')) {
      const exported = (await import(join(features, file))) as Record<string, unknown>
      for (const [name, value] of Object.entries(exported))
        if (typeof value === 'object' && value !== null && 'refusal' in value && 'arrives' in value)
          found[name] = value as unknown as Declared
    }
  return found
}
/** What exists and has no line, or stands in a table and does not exist. */
function unjudged(declared: Record<string, Declared>, tables: Record<string, Lines>): string[] {
  const missing: string[] = []
  for (const name of new Set([...Object.keys(declared), ...Object.keys(tables)])) {
    const [code, lines] = [declared[name], tables[name]]
    if (!code || !lines) {
      missing.push(`${name}: ${code ? 'no table' : 'no machine'}`)
      continue
    }
    const commands = new Set(Object.values(lines).flatMap((l) => Object.keys(l)))
    const states = new Set(Object.keys(lines).map((s) => s.split(' ')[0]!))
    for (const n of code.names) if (!commands.has(n)) missing.push(`${name}: ${n} has no line`)
    for (const n of commands) if (!code.names.includes(n)) missing.push(`${name}: no command ${n}`)
    for (const v of code.codes.values)
      if (v !== 0 && !states.has(String(v))) missing.push(`${name}: ${v} has no line`)
  }
  return missing
}

/** Every situation × command of every machine, and what a heartbeat does to a device. */
export async function machines(stage: Stage, served: Served): Promise<Judged & { control: boolean }> {
  const { url } = served
  const { headers, ask } = await signIn(url, 'admin')
  const admin: Caller = {
    headers,
    ask: (endpoint, asked = {}) => ask(endpoint, { ...asked, body: fitting(endpoint, asked.body) }),
  }
  const delivery = await setDelivery(stage, () => served)
  const { declared: delivered, others } = await deliveryRecords(delivery)
  const all: Record<string, Machine> = {
    ...(await machinesOf(stage, url, admin)),
    ...delivered,
    statementActions: await statementMachine(delivery),
  }
  const declared = await registry()
  const tables = Object.fromEntries(Object.entries(all).map(([name, m]) => [name, m.lines]))
  const judged: Judged = { pairs: 0, problems: unjudged(declared, tables) }
  for (const [name, machine] of Object.entries({ ...all, ...others })) {
    const one = await judge(name, machine)
    judged.pairs += one.pairs
    judged.problems.push(...one.problems)
  }
  const heard = await heartbeats(stage, url, all.deviceActions!)
  judged.pairs += heard.pairs
  judged.problems.push(...heard.problems)

  // Controls: a cancelled alarm that lands in 3 all the same, a refused command that moves, a machine nobody wrote down.
  await stage.owner.query(`CREATE FUNCTION goal_bent() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN NEW.correction_status = 3; RETURN NEW; END $$;
    CREATE TRIGGER goal_bent BEFORE UPDATE ON corrections FOR EACH ROW
    WHEN (NEW.correction_status = 4 AND OLD.correction_status = 1) EXECUTE FUNCTION goal_bent()`)
  const bent = await judge('alarm', all.alarmActions!, ['1'])
  await stage.owner.query('DROP FUNCTION goal_bent CASCADE')
  const lenient = { ...all.siteActions!, lines: { ...SITE, '2 staffed': { terminate: '3' } } }
  const moved = await judge('site', { ...lenient, lines: { ...lenient.lines, '4 ended': { start: '1' } } }, [
    '2 staffed',
  ])
  const control =
    bent.problems.length > 0 &&
    moved.problems.length > 0 &&
    unjudged({ ...declared, newActions: { names: ['x'], codes: { values: [1] } } }, tables).length === 1
  // What was forced by hand is counted right again.
  await stage.owner.query(
    `UPDATE sites w SET open_alarms = (SELECT count(*) FROM alarms a
       WHERE a.tenant_id = w.tenant_id AND a.site_id = w.id AND a.correction_status IN (1, 2))`,
  )
  return { ...judged, control }
}

async function heartbeats(stage: Stage, url: string, machine: Machine): Promise<Judged> {
  const problems: string[] = []
  const device = stage.devices.filter((d) => d.type === 'camera' && d.sn.includes('HZ'))[0]!
  for (const [n, [situation, arrives]] of Object.entries(HEARTBEAT).entries()) {
    await machine.put(situation)
    const at = seconds()
    const beat = { id: `beat${n}`, kind: 'heartbeat', at, signal: 80, frameAt: at }
    const { status, msg } = await report(url, device, [beat])
    const stands = await machine.stands()
    if (stands !== arrives)
      problems.push(`device ${situation} heartbeat: ${status} ${msg} ${stands}, should ${arrives}`)
  }
  await machine.put('1 bound')
  return { pairs: Object.keys(HEARTBEAT).length, problems }
}
