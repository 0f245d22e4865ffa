import { api } from '@zhuguan/contract/api.ts'
import type { Endpoint } from '@zhuguan/contract/kit/api.ts'

import { signIn } from './client.ts'
import { deliveryRecords } from './delivery-records.ts'
import { setDelivery } from './delivery-stage.ts'
import { writeFound } from './found-written.ts'
import { type HomePhone, writeHome } from './home-written.ts'
import { type Machine, machinesOf } from './machine-records.ts'
import { writeMarket } from './market-written.ts'
import { PAYLOADS, payload } from './payloads.ts'
import { writeSold } from './sold-written.ts'
import type { Served, Stage } from './stage.ts'
import { statementMachine } from './statement-records.ts'
import { payloadWords, saying, textFields } from './worded.ts'

export interface Written {
  sites: string[]
  workers: string[]
  /** The person who reads it on the page of a home. */
  phone: HomePhone
  accepted: number
  /** Text fields of the contract that took no payload. */
  missing: string[]
}
/** Signing in writes nothing that a page shows; a picture's key and a cell are checked by a pattern or by their own import. */
const NOT_SHOWN: readonly string[] = [
  api.session.login.path,
  api.session.ssoBegin.path,
  api.session.ssoFinish.path,
  api.session.totpConfirm.path,
]

/** What leaves a line each time. */
const FEW = 12
/** As many as one person has under way at once. */
const LANES = 6

/** Each command of a machine, from each situation that allows it. */
async function saidEverywhere(machine: Machine): Promise<void> {
  for (const [situation, commands] of Object.entries(machine.lines))
    for (const command of Object.keys(commands)) {
      await machine.put(situation)
      await machine.ask(command, '说明原因')
    }
}

/** Every text field of every call takes every payload that fits into it, as a form would send it. */
export async function writeEverywhere(stage: Stage, served: Served): Promise<Written> {
  const { url } = served
  const admin = await signIn(url, 'admin')
  const taken = new Map<string, Set<string>>()
  const took = (endpoint: Endpoint, name: string, text: string) => {
    const field = `${endpoint.path} ${name}`
    taken.set(field, (taken.get(field) ?? new Set()).add(text))
  }
  const { words, refused } = payloadWords(took)
  const machines = await machinesOf(stage, url, saying(admin, words))
  const one = async (text: string, values: unknown[] = []) =>
    (await stage.owner.query<Record<string, string>>(text, values)).rows[0]!
  const of = await one(
    `SELECT c.bc_id AS bc, c.tenant_id AS tenant,
       (SELECT id FROM roles r WHERE r.tenant_id = c.tenant_id AND r.code = 'pm') AS role,
       (SELECT id FROM pages p WHERE p.tenant_id = c.tenant_id AND p.component_name = 'SiteList') AS page,
       (SELECT parent_id FROM pages p WHERE p.tenant_id = c.tenant_id AND p.component_name = 'SiteList') AS menu,
       (SELECT id FROM workers k WHERE k.bc_id = c.bc_id ORDER BY w_id DESC LIMIT 1) AS worker,
       (SELECT id FROM stores t WHERE t.bc_id = c.bc_id LIMIT 1) AS store
     FROM companies c WHERE c.code = 'HZ'`,
  )
  const elsewhere = await one('SELECT bc_id AS bc FROM companies WHERE tenant_id = $1 AND bc_id <> $2', [
    of.tenant,
    of.bc,
  ])
  const made: Record<string, string[]> = {}
  let accepted = 0
  const write = async (
    endpoint: Endpoint,
    body: (n: number) => object | Promise<object>,
    times = PAYLOADS.length,
    who = admin,
  ) => {
    const fields = textFields(endpoint)
    const one = async (n: number, given: object) => {
      const text = Object.fromEntries(fields.map((f) => [f.name, payload(n, f.room)]))
      const heard = await who.ask(endpoint, { body: { ...text, ...given } })
      if (heard.code !== 200) {
        if (n === 0) console.log(`${endpoint.path}: ${heard.code} ${heard.msg} ${heard.text.slice(0, 120)}`)
        return
      }
      accepted += 1
      const id = (heard.data as { id?: string } | null)?.id
      // Under its own number: what changes it later must not take another's name.
      if (id) (made[endpoint.path] ??= [])[n] = id
      for (const f of fields.filter((one) => !(one.name in given))) took(endpoint, f.name, text[f.name]!)
    }
    // What has to be put into a situation first goes one after the other; the rest, each with a record of its own, together.
    const first = body(0)
    const lanes = first instanceof Promise ? 1 : LANES
    await first
    let next = 0
    await Promise.all(
      Array.from({ length: lanes }, async () => {
        while (next < times) {
          const n = next++
          await one(n, await body(n))
        }
      }),
    )
  }
  const reset = (table: string, id: string, set = '', key = 'id') =>
    stage.owner.query(`UPDATE ${table} SET version = 0${set} WHERE ${key} = $1`, [id])

  await write(api.sites.add, () => ({ bc_id: of.bc }))
  await write(api.workers.add, () => ({ bc_id: of.bc, w_type: 3 }))
  const sites = made[api.sites.add.path] ?? []
  const workers = made[api.workers.add.path] ?? []
  await write(api.sites.edit, (n) => ({ id: sites[n], version: 0, bc_id: of.bc }))
  await write(api.workers.edit, (n) => ({ id: workers[n], version: 0, bc_id: of.bc, w_type: 3 }))
  await write(api.stores.add, () => ({ bc_id: of.bc, status: 1 }))
  const stores = made[api.stores.add.path] ?? []
  await write(api.stores.edit, (n) => ({ id: stores[n], version: 0, bc_id: of.bc, status: 1 }))
  await write(api.companies.add, (n) => ({ code: `X${n}`, status: 1 }))
  const companies = made[api.companies.add.path] ?? []
  await write(api.companies.edit, (n) => ({ id: companies[n], version: 0, code: `X${n}`, status: 1 }))
  await write(api.roles.add, (n) => ({ code: `role_${n}`, dataScope: 'ownSites', status: 1 }))
  const roles = made[api.roles.add.path] ?? []
  await write(api.roles.edit, (n) => ({
    id: roles[n],
    version: 0,
    code: `role_${n}`,
    dataScope: 'ownSites',
    status: 1,
  }))
  await write(api.accounts.add, (n) => ({ userName: `person${n}`, bc_id: of.bc, roles: [of.role] }))
  const people = made[api.accounts.add.path] ?? []
  await write(api.accounts.edit, (n) => ({
    id: people[n],
    version: 0,
    userName: `person${n}`,
    bc_id: of.bc,
    roles: [of.role],
  }))
  await write(
    api.accounts.del,
    async (n) => (await reset('users', people[n]!), { id: people[n], version: 0 }),
    30,
  )
  await write(api.pages.add, (n) => ({
    system: 'xc',
    path: `/Page${'abcdefghij'[n % 10]}${'abcdefghij'[Math.floor(n / 10)]}`,
    componentName: undefined,
  }))
  await write(api.pages.edit, async () => {
    await reset('pages', of.page!)
    return { id: of.page, version: 0, parent_id: of.menu, visible: true }
  })
  await write(api.pages.addPower, async () => {
    await stage.owner.query(`DELETE FROM page_powers WHERE label = 'site:add'`)
    return { page_id: of.page, label: 'site:add' }
  })
  await write(api.pages.editPower, () => ({ page_id: of.page, label: 'site:add' }))
  await write(api.views.keep, (n) => ({ page: '/Site/SiteList', search: `?keyword=${payload(n)}` }))
  await write(api.views.change, (n) => ({ id: made[api.views.keep.path]?.[n % 5], search: '' }))
  await write(api.deviceStock.stock, (n) => ({ type: 'camera', bc_id: of.bc, sns: [`SCRIPT-${n}`] }))
  const stocked = await stage.owner.query<{ id: string; sn: string }>(
    `SELECT id, sn FROM devices WHERE sn LIKE 'SCRIPT-%' ORDER BY length(sn), sn`,
  )
  const device = (n: number) => stocked.rows[n % stocked.rows.length]!
  await write(api.deviceStock.distribution, (n) => ({
    ids: [device(n).id],
    bc_id: n % 2 ? of.bc : elsewhere.bc,
  }))
  await stage.owner.query('UPDATE devices SET bc_id = $1, version = 0 WHERE sn LIKE $2', [of.bc, 'SCRIPT-%'])
  await write(api.deviceStock.updatedevice, (n) => ({ id: device(n).id, version: 0 }))
  await write(
    api.deviceStock.bindaction,
    (n) => ({ action: 'bind', sn: device(n).sn, site_id: sites[n] }),
    30,
  )
  await stage.owner.query(
    `UPDATE devices SET version = 0, bind_status = 1, site_id = NULL, device_status = 5 WHERE sn LIKE $1`,
    ['SCRIPT-%'],
  )
  await write(api.deviceStock.deldevice, (n) => ({ id: device(n).id, version: 0 }), 10)

  // What the machines are asked, each from a situation that allows it.
  const { put } = machines.deviceActions!
  const bound = await one(`SELECT id FROM devices WHERE sn = $1`, [
    stage.devices.find((d) => d.type === 'camera' && d.sn.includes('HZ'))!.sn,
  ])
  const own = await one('SELECT site_id AS site FROM devices WHERE id = $1', [bound.id])
  await write(
    api.devices.bind,
    async () => (await put('5 free'), { id: bound.id, version: 7, site_id: own.site }),
  )
  await write(
    api.devices.change,
    async () => (await put('1 bound'), { id: bound.id, version: 7, action: 'fault' }),
  )
  await put('1 bound')
  const alarm = await one('SELECT id, assignee_id FROM alarms WHERE device_id = $1', [bound.id])
  const from = async (situation: string, more: object = {}) => {
    await machines.alarmActions!.put(situation)
    return { id: alarm.id, version: 7, ...more }
  }
  await write(api.alarms.back, () => from('2 submitted theirs'))
  await write(api.alarms.dispute, () => from('2 doing mine'))
  await write(api.alarms.cancel, () => from('1', { cause: 'wrong' }))
  await write(api.alarms.reopen, () => from('4 lately'))
  await write(api.alarms.cancelMany, async () => {
    await from('1')
    return { alarms: [{ id: alarm.id, version: 7 }], cause: 'wrong' }
  })
  const pictures = await one(`SELECT key FROM files WHERE user_id IS NOT NULL LIMIT 1`)
  await write(api.alarms.submit, () => from('2 doing mine', { pictures: [pictures.key] }))
  await write(api.sites.state, async () => {
    await machines.siteActions!.put('2 staffed')
    return { id: own.site, version: 7, action: 'terminate' }
  })
  await machines.siteActions!.put('1 half accepted')
  await write(api.stages.change, async () => {
    await machines.stageActions!.put('3 building')
    const stages = await stage.owner.query<{ stage: string }>(
      'SELECT stage FROM site_stages WHERE site_id = $1 ORDER BY sort',
      [own.site],
    )
    return { id: own.site, version: 7, stage: stages.rows[3]!.stage, action: 'redo' }
  })
  await write(api.workers.state, async () => {
    await machines.workerActions!.put('1')
    return { id: of.worker, version: 7, action: 'stop' }
  })
  await machines.workerActions!.put('1')
  await write(api.workers.phone, () => ({ id: of.worker }))
  await write(api.sites.move, async (n) => {
    await reset('sites', sites[n]!)
    return { id: sites[n], version: 0, bc_id: elsewhere.bc }
  })
  await write(api.noWork.reason, async () => {
    await reset('sites', own.site!, ', no_work_run = 5, no_work_sum = 5, no_work = ARRAY[2]::smallint[]')
    return { id: own.site, version: 0, reason: 'other' }
  })
  const today = new Date(Date.now() + 8 * 3_600_000).toISOString().slice(0, 10)
  await admin.ask(api.workers.send, { body: { id: of.worker, site_id: own.site, day: today } })
  await write(api.attendance.makeup, async () => ({
    site_id: own.site,
    worker_id: of.worker,
    day: today,
    in: '00:00',
  }))
  const manager = (await one('SELECT manager_id AS id FROM sites WHERE id = $1', [own.site])).id!
  await writeFound(write, stage, url, admin, machines, {
    bc: of.bc!,
    site: own.site!,
    worker: of.worker!,
    device: bound.id!,
    manager,
  })
  const phone = await writeHome(write, stage, url, admin, machines, { bc: of.bc!, site: own.site!, manager })
  await writeMarket(write, stage, url, admin, { bc: of.bc!, site: own.site!, store: of.store! })
  const makeups = await stage.owner.query<{ id: string }>(
    `SELECT id FROM attendance_events WHERE source = 'makeup' ORDER BY id DESC LIMIT 20`,
  )
  await write(api.attendance.withdraw, (n) => ({ id: makeups.rows[n]?.id }), 20)
  await write(api.workers.forgetFace, async () => {
    await reset('workers', of.worker!, `, w_face = 'face.jpg'`)
    return { id: of.worker, version: 0 }
  })
  const agreed = { answer: 1, how: 'spoken', answeredOn: '2026-01-01' }
  await write(api.faces.answer, async () => {
    await reset('workers', of.worker!)
    await stage.owner.query('DELETE FROM consents WHERE subject_id = $1', [of.worker])
    return { id: of.worker, version: 0, ...agreed }
  })
  await write(api.faces.withdraw, async () => {
    await reset('workers', of.worker!)
    await stage.owner.query('DELETE FROM consents WHERE subject_id = $1', [of.worker])
    await admin.ask(api.faces.answer, { body: { id: of.worker, version: 0, ...agreed, scope: '工地考勤' } })
    return { id: of.worker, version: 1 }
  })

  const delivery = await setDelivery(stage, () => served, words)
  await writeSold(delivery, saying(admin, words))
  const { declared, others } = await deliveryRecords(delivery)
  const statement = await statementMachine(delivery)
  // Nobody has answered for the worker yet.
  await stage.owner.query('DELETE FROM consents WHERE subject_id = $1', [of.worker])
  for (const machine of [...Object.values({ ...machines, ...declared, ...others }), statement])
    await saidEverywhere(machine)
  const cashier = await delivery.server.as('cashier')
  const [paying] = Object.entries(statement.lines).find(([, commands]) => commands.pay)!
  for (let n = 0; n < FEW; n += 1) {
    await statement.put(paying)
    await statement.ask('pay', '')
    const paid = await one('SELECT id FROM owed_payments ORDER BY id DESC LIMIT 1')
    await cashier.askAny(api.statements.reverse, { body: { ...paid, version: 0 } })
  }

  const missing = Object.values(api)
    .flatMap((f) => Object.values(f) as Endpoint[])
    .filter((e) => !NOT_SHOWN.includes(e.path) && e.access !== 'device')
    .flatMap((e) =>
      textFields(e).map((f) => ({ field: `${e.path} ${f.name}`, why: refused.get(e.path) ?? '' })),
    )
    .filter(({ field }) => !taken.has(field))
    .map(({ field, why }) => `${field} ${why}`.trimEnd())
  return { sites, workers, phone, accepted, missing }
}
