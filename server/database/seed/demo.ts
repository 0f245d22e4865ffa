import { createHash } from 'node:crypto'

import { NOTICES } from '@zhuguan/contract/features/consents/notices.record.ts'
import { deviceStatus, deviceType } from '@zhuguan/contract/features/devices/devices.record.ts'
import { siteStage, siteStatus } from '@zhuguan/contract/features/sites/sites.record.ts'
import { workerType } from '@zhuguan/contract/features/workers/trades.record.ts'

import { protect, travelling } from '../../features/session/passwords.service.ts'
import { uuidv7 } from '../../kit/ids.ts'
import { initials } from '../../kit/initials.ts'
import { seal } from '../../kit/secret.ts'
import { addDays, shanghaiDay } from '../../kit/shanghai.ts'
import type { Database, Scope, Tx } from '../connect.ts'
import { openBranch } from './demo-branches.ts'
import {
  DEVICES_OF_BRANCH,
  MODELS,
  moodOf,
  PEOPLE_OF_BRANCH,
  POST_OF_ROLE,
  type SimulatedDevice,
  spareStatus,
  spareType,
  statusOf,
} from './demo-cast.ts'
import { insertChannels } from './demo-channels.ts'
import { insertHomes } from './demo-homes.ts'
import { sellAndPack } from './demo-packages.ts'
import { insertScreens } from './demo-screens.ts'
import type { CALENDAR } from './holidays.ts'
import { BRANCHES, LAYOUTS, lottery, personName, phone, placeIn, STYLES, TENANTS } from './names.ts'
import { papersOf } from './papers.ts'
import { insert } from './rows.ts'
import { hourOf, tellDeviceStory, tellOfficeStory, tellSiteStory } from './stories.ts'
import { seedTenant } from './tenant.ts'

export const DEMO_PASSWORD = 'Zhuguan666'
/** Every group and branch: the seed alone writes there. */
export const EVERYWHERE: Scope = { tenant: '', bcs: null, sites: null, user: null, system: true }
const SEED = 20_260_000
/** Days that a stage takes in the plan, and one more in life. */
const STAGE_DAYS = 9
const DAY_MS = 86_400_000
/** The groups' settings: when work is done, and when the cameras look. */
const SET = { workStart: '07:30', workEnd: '18:00', tidinessTimes: ['18:00'] }
const ENDED_DAYS_AGO = 3
const STOCKED_DAYS_AGO = 120

/** The demo story: two groups, three branches, 40 sites, 300 workers, 120 devices, one user of each role. */
export async function seedDemo(
  db: Database,
  {
    secretKey,
    now,
    calendar = [],
    before,
  }: {
    secretKey: Buffer
    now: Date
    /** Holidays that the groups keep; stories stand on any day and begin without. */
    calendar?: typeof CALENDAR
    /** The records that must not be missing where the people are there. */
    before?: (tx: Tx, devices: SimulatedDevice[]) => Promise<void>
  },
): Promise<SimulatedDevice[]> {
  const l = lottery(SEED)
  const today = shanghaiDay(now)
  const password = await protect(travelling(DEMO_PASSWORD))
  const simulated: SimulatedDevice[] = []
  /** Stories of the timeline wait for the months that they fall in. */
  const late: (() => Promise<void>)[] = []

  await db.tx(EVERYWHERE, async (tx) => {
    const tenants = TENANTS.map((name) => ({ id: uuidv7(), name }))
    const roles: Map<string, string>[] = []
    for (const t of tenants) roles.push(await seedTenant(tx, { ...t, created_at: now }))
    await insert(
      tx,
      'settings',
      tenants.flatMap(({ id }) =>
        Object.entries({ ...SET, ...(calendar.length ? { calendar } : {}) }).map(([key, value]) => ({
          tenant_id: id,
          key,
          value,
        })),
      ),
    )
    await insert(
      tx,
      'calendar_days',
      tenants.flatMap(({ id }) => calendar.map(({ day, rest }) => ({ tenant_id: id, day, rest }))),
    )

    /** By group: who opened its branches. */
    const admins = new Map<number, { id: string; user: string; name: string; role: string }>()
    for (const [b, branch] of BRANCHES.entries()) {
      const tenant = tenants[branch.tenant]!.id
      const { bc, merchant, stores } = await openBranch(tx, l, tenant, branch, b)

      const codes = PEOPLE_OF_BRANCH[b]!
      // A second manager and steward, so that “own sites” is less than the branch.
      const extra =
        b < 2 ? ['pm', 'steward'].map((role) => ({ user: `${role}_${branch.code.toLowerCase()}`, role })) : []
      const people = [...codes, ...extra].map((c) => ({ ...c, id: uuidv7(), name: personName(l) }))
      for (const p of people) if (p.role === 'admin') admins.set(branch.tenant, p)
      await insert(
        tx,
        'users',
        people.map((p) => ({
          tenant_id: tenant,
          id: p.id,
          user_name: p.user,
          nickname: p.name,
          phone: phone(l),
          avatar: '',
          introduction: '',
          bc_id: p.role === 'admin' || p.role === 'hq_ops' ? null : bc,
          post: POST_OF_ROLE[p.role] ?? null,
          password,
          status: 1,
          version: 0,
          must_change: false,
        })),
      )
      await insert(
        tx,
        'user_roles',
        people.map((p) => ({ tenant_id: tenant, user_id: p.id, role_id: roles[branch.tenant]!.get(p.role) })),
      )
      await insert(
        tx,
        'user_branches',
        people
          .filter((p) => p.role !== 'admin' && p.role !== 'hq_ops')
          .map((p) => ({ tenant_id: tenant, user_id: p.id, bc_id: bc })),
      )
      await insert(
        tx,
        'user_stores',
        people
          .filter((p) => ['supplier', 'quoter', 'sales'].includes(p.role))
          .map((p) => ({
            tenant_id: tenant,
            user_id: p.id,
            store_id: (p.role === 'supplier' ? merchant : stores[0]!).id,
          })),
      )
      const managers = people.filter((p) => p.role === 'pm')
      const stewards = people.filter((p) => p.role === 'steward')

      const trades = [3, 3, 4, 4, 5, 5, 6, 6, 7]
      const workers = Array.from({ length: branch.workers }, (_, i) => ({
        tenant_id: tenant,
        id: uuidv7(),
        w_id: `${branch.code}${String(i + 1).padStart(4, '0')}`,
        w_name: personName(l),
        bc_id: bc,
        w_type: l.pick(trades),
        w_sex: l.below(12) ? 1 : 2,
        w_contact: phone(l),
        team: '',
        user_id: null,
        status: 1,
        // A few are still to be told what is kept of them.
        notice: i % 6 ? NOTICES.worker.version : '',
        version: 0,
      }))
      const leaders = [
        ...managers.map((m) => [m, workerType.code.manager] as const),
        ...stewards.map((m) => [m, workerType.code.steward] as const),
      ]
      // Everybody of one crew works under the name of its first hand.
      const crewSize = Math.floor(branch.workers / branch.sites)
      for (const [i, w] of workers.entries()) w.team = `${workers[i - (i % crewSize)]!.w_name}班组`
      // The last hands of a crew without a site are the people who lead: the same as their accounts.
      for (const [i, [leader, w_type]] of leaders.entries())
        Object.assign(workers.at(-1 - i)!, { w_name: leader.name, w_type, user_id: leader.id })
      await insert(tx, 'workers', workers)
      await insert(tx, 'worker_documents', papersOf(workers, b, today))

      const perSite = Math.floor(branch.workers / branch.sites)
      const sites = Array.from({ length: branch.sites }, (_, i) => {
        const status = statusOf(i, branch.sites)
        const begun = addDays(today, -(20 + l.below(70)))
        // A finished site has all its stages behind it.
        const started =
          status === siteStatus.code.finished
            ? addDays(today, -ENDED_DAYS_AGO + 1 - 10 * (STAGE_DAYS + 1))
            : begun
        let done = 0
        if (status === siteStatus.code.finished) done = 10
        else if (status === siteStatus.code.building)
          done = Math.min(
            9,
            Math.floor((Date.parse(today) - Date.parse(started)) / DAY_MS / (STAGE_DAYS + 1)),
          )
        const community = l.pick(branch.communities)
        return {
          id: uuidv7(),
          code: `GD${branch.code}${String(i + 1).padStart(3, '0')}`,
          name: `${community} ${1 + l.below(20)} 幢 ${100 * (1 + l.below(25)) + 1 + l.below(4)}`,
          community,
          status,
          started,
          done,
          store: stores[i % 2]!.id,
          owner: uuidv7(),
          manager: managers[i % 2 ? managers.length - 1 : 0]!,
          steward: stewards[i % 2 ? stewards.length - 1 : 0]!,
        }
      })
      await insert(
        tx,
        'owners',
        sites.map((s) => ({
          tenant_id: tenant,
          id: s.owner,
          bc_id: bc,
          name: personName(l),
          phone: phone(l),
        })),
      )
      await insert(
        tx,
        'sites',
        sites.map((s) => ({
          tenant_id: tenant,
          id: s.id,
          code: s.code,
          ws_name: s.name,
          initials: initials(s.name),
          bc_id: bc,
          store_id: s.store,
          owner_id: s.owner,
          community: s.community,
          address: `${branch.city}市${l.pick(branch.roads)} ${1 + l.below(900)} 号`,
          area: 70 + l.below(110),
          layout: l.pick(LAYOUTS),
          style: l.pick(STYLES),
          ...placeIn(branch, s.community, l),
          status: s.status,
          stage: s.status === siteStatus.code.notStarted ? null : siteStage.values[Math.min(9, s.done)],
          progress: s.done * 10,
          start_date: s.status === siteStatus.code.notStarted ? null : s.started,
          planned_start: s.started,
          planned_finish: addDays(s.started, STAGE_DAYS * 10),
          actual_finish: s.status === siteStatus.code.finished ? addDays(today, -ENDED_DAYS_AGO) : null,
          terminated_at:
            s.status === siteStatus.code.terminated ? hourOf(addDays(today, -ENDED_DAYS_AGO), 15) : null,
          steward_id: s.steward.id,
          manager_id: s.manager.id,
          no_work: [],
          no_work_run: 0,
          no_work_sum: 0,
          devices_online: 0,
          devices_total: 0,
        })),
      )
      await insertHomes(tx, { tenant, bc, today, sites })
      const stagesOf = (s: (typeof sites)[number]) =>
        siteStage.values.map((stage, i) => ({
          stage,
          begun:
            s.status !== siteStatus.code.notStarted && i <= s.done
              ? addDays(s.started, i * (STAGE_DAYS + 1))
              : null,
          over: i < s.done ? addDays(s.started, (i + 1) * (STAGE_DAYS + 1) - 1) : null,
        }))
      await insert(
        tx,
        'site_stages',
        sites.flatMap((s) =>
          stagesOf(s).map(({ stage, begun, over }, i) => ({
            tenant_id: tenant,
            site_id: s.id,
            stage,
            sort: i + 1,
            planned_start: addDays(s.started, i * STAGE_DAYS),
            planned_finish: addDays(s.started, (i + 1) * STAGE_DAYS - 1),
            baseline_start:
              s.status === siteStatus.code.notStarted ? null : addDays(s.started, i * STAGE_DAYS),
            baseline_finish:
              s.status === siteStatus.code.notStarted ? null : addDays(s.started, (i + 1) * STAGE_DAYS - 1),
            actual_start: begun,
            actual_finish: over,
          })),
        ),
      )
      const crews = sites.map((s, i) =>
        s.status === siteStatus.code.notStarted ? [] : workers.slice(i * perSite, (i + 1) * perSite),
      )
      await insert(
        tx,
        'site_members',
        sites.flatMap((s, i) =>
          crews[i]!.map((w) => ({
            tenant_id: tenant,
            site_id: s.id,
            worker_id: w.id,
            entered_on: s.started,
            left_on: s.status === siteStatus.code.building ? null : addDays(today, -ENDED_DAYS_AGO),
          })),
        ),
      )

      // Two cameras and a terminal a site; what is left over lies spare or in stock.
      const bound = sites.flatMap((s, i) =>
        s.status === siteStatus.code.building
          ? [0, 1, 2].map((k) => ({
              site: s,
              crew: crews[i]!,
              type: k === 2 ? 'faceTerminal' : 'camera',
              mood: moodOf(b, i),
              k,
            }))
          : [],
      )
      const total = DEVICES_OF_BRANCH[b]!
      const devices = Array.from({ length: total }, (_, i) => {
        const at = bound[i]
        const secret = createHash('sha256')
          .update(`${seal(secretKey, String(i))}`)
          .digest('base64url')
        const type = at?.type ?? spareType(i)
        return {
          at,
          secret,
          row: {
            tenant_id: tenant,
            id: uuidv7(),
            sn: `${MODELS[type]!.prefix}-${branch.code}-${String(i + 1).padStart(3, '0')}`,
            secret: seal(secretKey, secret),
            type,
            model: MODELS[type]!.model,
            bc_id: bc,
            bind_status: at ? 2 : 1,
            site_id: at?.site.id ?? null,
            device_status: at ? deviceStatus.code.notEnabled : spareStatus(i),
            firmware: '',
            notice: at && type === deviceType.code.camera ? NOTICES.camera.version : '',
            remark: '',
            version: 0,
          },
        }
      })
      const rows = devices.map((d) => d.row)
      await insert(tx, 'devices', rows)
      // Up a day before its site begins; what lies in the store room has lain there all along.
      await insert(
        tx,
        'device_spans',
        devices.map((d) => ({
          tenant_id: tenant,
          device_id: d.row.id,
          from_at: hourOf(d.at ? addDays(d.at.site.started, -1) : addDays(today, -STOCKED_DAYS_AGO), 10),
          state: d.row.device_status,
          cause: d.at ? 'bound' : 'stocked',
        })),
      )
      const place = { tenant, bc }
      await tellDeviceStory(
        tx,
        place,
        devices.map((d) => ({ id: d.row.id, sn: d.row.sn, site: d.at?.site ?? null })),
        people.find((p) => p.role === 'device_keeper')?.name ?? people[0]!.name,
        addDays(today, -STOCKED_DAYS_AGO),
      )
      late.push(async () => {
        await tellSiteStory(
          tx,
          place,
          sites.map((s) => ({
            ...s,
            manager: s.manager.name,
            steward: s.steward.name,
            stages: stagesOf(s),
            ended:
              s.status === siteStatus.code.finished || s.status === siteStatus.code.terminated
                ? addDays(today, -ENDED_DAYS_AGO)
                : null,
          })),
        )
        const admin = admins.get(branch.tenant) ?? people[0]!
        await tellOfficeStory(tx, place, branch.name, people, admin, today)
      })
      for (const d of devices)
        if (d.at)
          simulated.push({
            sn: d.row.sn,
            secret: d.secret,
            type: d.row.type,
            site: d.at.site.id,
            siteCode: d.at.site.code,
            siteName: d.at.site.name,
            mqtt: d.at.k === 0,
            workers: d.at.k === 2 ? d.at.crew.map((w) => w.w_id) : [],
            crew: d.at.crew.map((w) => w.w_id),
            from: d.at.site.started,
            mood: d.at.k === 0 || d.at.mood === 'stuck' || d.at.mood === 'quiet' ? d.at.mood : 'usual',
          })
    }
    await tx.run(
      'seed.counts',
      `UPDATE sites w SET devices_total = (
         SELECT count(*) FROM devices d
         WHERE d.tenant_id = w.tenant_id AND d.site_id = w.id AND d.device_status <> 3)`,
      [],
    )
    await tx.run('seed.months', 'SELECT ensure_months($1::date, $2::date)', [
      addDays(today, -STOCKED_DAYS_AGO - 2),
      addDays(today, 40),
    ])
    for (const [t, { id }] of tenants.entries())
      await sellAndPack(tx, lottery(SEED + t), {
        tenant: id,
        by: admins.get(t)?.name ?? '',
        now,
        today,
      })
    await insertChannels(tx, { tenants, admins, secretKey, now })
    await insertScreens(tx, { tenants, admins, now })
    for (const tell of [...late, () => before?.(tx, simulated)]) await tell()
  })
  return simulated
}
