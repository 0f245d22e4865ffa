import { randomUUID } from 'node:crypto'

import { api } from '@zhuguan/contract/api.ts'
import { type Endpoint, nothing } from '@zhuguan/contract/kit/api.ts'
import { uuid } from '@zhuguan/contract/kit/paging.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'

import { SEED_ROLES } from '../database/seed/roles.ts'
import type { Example, Records } from '../testing/example.ts'
import { examples } from '../testing/examples.ts'
import { idFields, type IdField, valueAt, withValue } from '../testing/id-fields.ts'
import { CANARY, endpoints, held, type Matrix, openMatrix } from '../testing/matrix.ts'
import { cellsOf } from '../testing/sheets.ts'
import type { Person } from '../testing/start.ts'

/**
 * The authorization matrix (G-01): every call as every role, in its own branch, against records of the sibling branch and
 * of the other tenant. What is expected is worked out here from the seed's roles, not from the server.
 */
let matrix: Matrix
beforeAll(async () => (matrix = await openMatrix()))
afterAll(() => matrix?.server.stop())
const inForce = <I extends object>(input: I, known: Map<string, number>): I =>
  JSON.parse(JSON.stringify(input), (_name, value) =>
    value && typeof value === 'object' && 'version' in value
      ? { ...value, version: known.get(value.id) ?? value.version }
      : value,
  ) as I
/** Everything that a call could change, a word each; signing in is one's own. */
const state = async () => {
  const tables = `absences alarm_pairs alarm_pair_logs alarm_trusts alarms attendance_events companies consents
    correction_logs corrections devices files imports named_views notifications
    rank_weights rank_weight_logs site_ranks recordings recording_holds video_views
    page_powers pages role_pages role_powers roles settings site_members site_stages sites stores tidiness_checks
    tidiness_judgings user_branches user_roles user_stores violation_logs violations feedback feedback_events
    feedback_supervisors supervision_remarks visits patrol_items
    promise_events promises warning_events warnings question_answers questions receptions home_contacts
    video_grants video_grant_cameras
    thread_messages thread_outcomes thread_reads thread_templates threads
    patrol_plans patrol_tasks patrol_templates patrols
    contracts contract_change_lines contract_changes contract_files contract_instalments contract_items
    contract_receipts contract_refunds document_numbers
    orders order_lines order_revisions pieces goods_moves piece_counts site_arrivals carried change_pieces
    dispatches trips logistics logistics_nodes note_holds goods_changes judgements links link_acts link_openings
    previews preview_items
    carriers channels channel_messages mails mail_addresses notice_rules
    owed_lines owed_charges owed_payments statements statement_objections
    customer_briefs customer_promises handover_questions handovers
    customers examine_requests examine_views quotations quotation_lines quotation_versions
    package_alternatives package_items packages product_categories product_prices products
    workers face_removals arrangements screens person_requests erasures barred_numbers`
  const users = `SELECT 'users', md5(string_agg((to_jsonb(t) - 'last_login')::text, ',' ORDER BY id)) FROM users t`
  const digests = tables
    .split(/\s+/)
    .map((table) => `SELECT '${table}', md5(string_agg(t::text, ',' ORDER BY t::text)) FROM ${table} t`)
  const sessions = `SELECT 'sessions', count(revoked_at)::text FROM sessions`
  return matrix.server.sql(`${[users, ...digests, sessions].join(' UNION ALL ')} ORDER BY 1`)
}
type Asked = Answered & { cells: string }
type Answered = Awaited<ReturnType<Person['ask']>>
/** A call and every word of its answer, also of a workbook. */
async function hear(person: Person, endpoint: Endpoint, input: Example | undefined): Promise<Asked> {
  const answer: Answered = await person.ask(endpoint, input)
  const isSheet = answer.headers.get('content-type')?.includes('sheet')
  return { ...answer, cells: isSheet ? JSON.stringify(await cellsOf(answer.bytes)) : answer.text }
}

/** What an endpoint's examples leave out: all, or the field of an id. */
function missing(endpoint: Endpoint, given: Example[] = []): string[] {
  const fields = idFields(endpoint)
  if (!given.length) return endpoint.body || fields.length ? [`${endpoint.path}: no example`] : []
  return fields
    .filter((field) => given.every((example) => valueAt(example, field) === undefined))
    .map(({ where, path }) => `${endpoint.path}: no ${where}.${path.join('.')} in its example`)
}

test('every endpoint that takes an id or a body has an example with every id that it takes', async () => {
  const known = examples(await matrix.recordsOf('HZ'))
  expect(endpoints.flatMap((e) => missing(e, known[e.path]))).toEqual([])
  const paths = endpoints.map((e) => e.path)
  expect(Object.keys(known).filter((path) => !paths.includes(path))).toEqual([])
  const found = endpoints.flatMap((e) =>
    idFields(e).map(({ where, path }) => `${e.path} ${where}.${path.join('.')}`),
  )
  // Each kind of id is seen for one: in a list, in rows of a list, under a name of its own, a key, a serial number.
  expect(found).toEqual(
    expect.arrayContaining([
      `${api.sites.list.path} query.bc_id`,
      `${api.alarms.assignMany.path} body.alarms.0.id`,
      `${api.pages.sort.path} body.parent_id`,
      `${api.userlogs.list.path} query.object_id`,
      `${api.files.get.path} query.key`,
      `${api.alarms.submit.path} body.pictures`,
      `${api.deviceStock.bindaction.path} body.with`,
    ]),
  )
})

test('the control: an endpoint that nobody gave an example, or one without an id of it, is found', () => {
  const fake: Endpoint = {
    method: 'POST',
    path: '/fake',
    title: '新的',
    access: 'signedIn',
    query: z.object({ site_id: uuid.optional() }),
    body: z.object({ rows: z.array(z.object({ worker_id: uuid, day: z.string() })) }),
    data: z.null(),
  }
  const rows = [{ worker_id: randomUUID(), day: '2026-01-01' }]
  expect(missing(fake, undefined)).toEqual(['/fake: no example'])
  const of = (input: object) => [input as Example]
  expect(missing(fake, of({ body: { rows } }))).toEqual(['/fake: no query.site_id in its example'])
  expect(missing(fake, of({ query: { site_id: randomUUID() }, body: { rows: [{}] } }))).toEqual([
    '/fake: no body.rows.0.worker_id in its example',
  ])
  expect(missing({ ...fake, query: undefined, body: undefined }, undefined)).toEqual([])
})

const bounds = (e: Endpoint) => idFields(e).some(({ narrows }) => !narrows)
interface Case {
  endpoint: Endpoint
  /** Which of the endpoint's examples. */
  index: number
  own: Example
  strange: Example
  /** Fields whose ids are other people's: of the other branch, roles and pages are one's own. */
  fields: IdField[]
}
/** Every example with ids that are not one's own. */
function casesOf(mine: Records, theirs: Records): Case[] {
  const [own, strange] = [examples(mine), examples(theirs)]
  return endpoints.flatMap((endpoint) =>
    (own[endpoint.path] ?? []).flatMap((example, index) => {
      const other = strange[endpoint.path]![index]!
      const fields = idFields(endpoint).filter(
        (field) => JSON.stringify(valueAt(example, field)) !== JSON.stringify(valueAt(other, field)),
      )
      return fields.length ? [{ endpoint, index, own: example, strange: other, fields }] : []
    }),
  )
}
/** What these strange ids may be answered with, by the example's own word. */
function due({ answers }: Example, fields: IdField[]): number[] {
  const each = fields.map(({ path }) => answers?.[path.join('.')] ?? answers?.[path[0]!] ?? 403)
  return each.every((code) => code === 200) ? each : each.filter((code) => code !== 200)
}
/** Those who see the whole tenant see its second branch. */
const strangersTo = (code: string) => SEED_ROLES.filter((r) => code === 'SZ' || r.scope !== 'tenant')
/** One of each width of sight, of those who may make the call. */
function oneOfEach(roles: readonly (typeof SEED_ROLES)[number][], endpoint: Endpoint) {
  const able = roles.filter((role) => held(role, endpoint))
  return able.filter((role, i) => able.findIndex((other) => other.scope === role.scope) === i)
}

const asksOnly = ({ body, data }: Endpoint) => !body && data !== nothing

test('records of the sibling branch and the other tenant: 403 without a hint, nothing changed, no foreign word in any answer', async () => {
  const before = await state()
  const mine = await matrix.recordsOf('HZ')
  let asked = 0
  for (const [code, words] of Object.entries(CANARY)) {
    const theirs = await matrix.recordsOf(code)
    const cases = casesOf(mine, theirs).filter(({ endpoint }) => bounds(endpoint))
    for (const role of strangersTo(code)) {
      const person = matrix.people.get(role.code)!
      for (const { endpoint, strange, fields } of cases.filter((one) => held(role, one.endpoint))) {
        const answer = await hear(person, endpoint, strange)
        const what = `${role.code} ${endpoint.path} ${answer.msg}`
        expect(due(strange, fields), what).toContain(answer.code)
        expect(answer.status, what).toBe(answer.code === 403 ? 403 : 200)
        for (const word of words.filter((w) => !JSON.stringify(strange).includes(w)))
          expect(answer.text, what).not.toContain(word)
        asked += 1
      }
      // What takes no id answers of one's own, whatever else is said; what answers nothing changes one's own.
      for (const endpoint of endpoints.filter((e) => held(role, e) && asksOnly(e) && !bounds(e) && !e.raw))
        for (const query of [{}, { bc_id: theirs.bc_id, keyword: words[0], pageSize: 100 }]) {
          const answer = await person.askAny(endpoint, { query })
          for (const word of words.filter((w) => w !== (query as { keyword?: string }).keyword))
            expect(answer.text, `${role.code} ${endpoint.path}`).not.toContain(word)
        }
    }
  }
  expect(asked).toBeGreaterThan(500)
  expect(await state()).toEqual(before)
}, 600_000)

/** The example with no id but this one. */
const onlyWith = (endpoint: Endpoint, example: Example, field: IdField): Example =>
  idFields(endpoint)
    .filter((other) => other.path.join() !== field.path.join())
    .reduce((input, other) => withValue(input, other, undefined), example)
/** Without the second and the minute that it was said in. */
const timeless = (text: string) => text.replaceAll(/"at":\d+|截至 \d\d:\d\d/g, '')

test('a list narrowed by somebody else’s record answers as if there were no such record', async () => {
  const mine = await matrix.recordsOf('HZ')
  const nobody = examples(await matrix.neverWere())
  const ofNobody = new Map<string, Asked>()
  let narrowed = 0
  for (const [code, words] of Object.entries(CANARY)) {
    const cases = casesOf(mine, await matrix.recordsOf(code)).filter(({ endpoint }) => !bounds(endpoint))
    for (const { endpoint, index, strange, fields } of cases)
      for (const field of fields)
        for (const role of oneOfEach(strangersTo(code), endpoint)) {
          const person = matrix.people.get(role.code)!
          const what = `${role.code} ${endpoint.path} by ${field.path.join('.')} of ${code}`
          const answer = await hear(person, endpoint, onlyWith(endpoint, strange, field))
          const asked = `${role.code} ${endpoint.path} ${index} ${field.path.join('.')}`
          const none =
            ofNobody.get(asked) ??
            (await hear(person, endpoint, onlyWith(endpoint, nobody[endpoint.path]![index]!, field)))
          ofNobody.set(asked, none)
          for (const word of words) expect(answer.cells, what).not.toContain(word)
          const rows = (answer.data as { list?: unknown[] } | null)?.list
          if (rows) expect(rows, what).toEqual([])
          expect([answer.code, timeless(answer.cells)], what).toEqual([none.code, timeless(none.cells)])
          narrowed += 1
        }
  }
  expect(narrowed).toBeGreaterThan(150)
}, 600_000)

test('one strange id among one’s own: refused, nothing changed', async () => {
  const mine = await matrix.recordsOf('HZ')
  // One's own records are where the call may be made, so that nothing but the strange id stands in its way.
  const ours = [mine.alarm, mine.correction]
  await matrix.server.sql(
    `UPDATE corrections SET correction_status = 2, step = 'doing' WHERE id = ANY ($1)`,
    [ours],
  )
  await matrix.server.sql('UPDATE devices SET device_status = 5 WHERE sn = $1', [mine.spare])
  await matrix.server.sql(`UPDATE sites SET no_work = '{1}', no_work_run = 3 WHERE id = $1`, [mine.site])
  const before = await state()
  const known = await matrix.versions()
  let asked = 0
  const ofCaller = await matrix.examplesAs(mine)
  for (const [code, words] of Object.entries(CANARY)) {
    const cases = casesOf(mine, await matrix.recordsOf(code)).filter(({ endpoint }) => bounds(endpoint))
    for (const { endpoint, index, strange, fields } of cases)
      for (const field of fields) {
        for (const role of oneOfEach(strangersTo(code), endpoint)) {
          const own = ofCaller(role.code)[endpoint.path]![index]!
          const mixed = withValue(own, field, valueAt(strange, field))
          const input = inForce(mixed, known)
          await matrix.server.sql(
            `UPDATE corrections SET assignee_id = (SELECT id FROM users WHERE user_name = $2) WHERE id = ANY ($1)`,
            [ours, role.code],
          )
          await matrix.server.sql(
            'UPDATE patrols SET inspector_id = (SELECT id FROM users WHERE user_name = $2) WHERE id = $1',
            [mine.patrol, role.code],
          )
          const answer = await hear(matrix.people.get(role.code)!, endpoint, input)
          const what = `${role.code} ${endpoint.path} ${field.where}.${field.path.join('.')} of ${code}`
          expect([403, ...due(strange, [field])], `${what}: ${answer.text}`).toContain(answer.code)
          asked += 1
          for (const word of words.filter((w) => !JSON.stringify(input).includes(w)))
            expect(answer.text, what).not.toContain(word)
        }
      }
  }
  expect(asked).toBeGreaterThan(200)
  await matrix.server.sql('UPDATE corrections SET assignee_id = NULL WHERE id = ANY ($1)', [ours])
  await matrix.server.sql('UPDATE patrols SET inspector_id = $2 WHERE id = $1', [mine.patrol, mine.person])
  expect(await state()).toEqual(before)
}, 600_000)

// Holes that are planted in a server of their own: `npm run goal -- G-01`.
test('the control: a word of another branch is seen in an answer that may hold it', async () => {
  const admin = matrix.people.get('admin')!
  const own = await matrix.recordsOf('NB')
  const answer = await admin.ask(api.sites.details, { query: { id: own.site } })
  expect(CANARY.NB.some((word) => answer.text.includes(word))).toBe(true)
})

test('records that are deleted or never existed read the same: refused, one line each, nothing changed', async () => {
  const own = await matrix.recordsOf('HZ')
  const strange = await matrix.recordsOf('NB')
  const never = await matrix.neverWere()
  const before = await state()
  let asked = 0
  for (const role of ['branch_gm', 'device_keeper', 'inspector']) {
    const held_ = endpoints.filter((e) =>
      held(
        SEED_ROLES.find((r) => r.code === role)!,
        e,
      ),
    )
    const person = matrix.people.get(role)!
    const cases = casesOf(own, never).filter(({ endpoint }) => held_.includes(endpoint) && bounds(endpoint))
    for (const { endpoint: e, strange: example, fields } of cases) {
      const lines = await matrix.refusals()
      const answer = await person.askAny(e, example)
      expect(due(example, fields), `${role} ${e.path}: never existed: ${answer.text}`).toContain(answer.code)
      expect(await matrix.refusals(), `${role} ${e.path}`).toBe(lines + (answer.code === 403 ? 1 : 0))
      asked += 1
    }
    for (const e of held_.filter((x) => !x.raw && /list|pick|stat|all|cards|monitor|sheet/.test(x.path))) {
      const answer = await person.askAny(e, {
        query: { bc_id: strange.bc_id, bcId: strange.bc_id },
        body: { bc_id: strange.bc_id, bcs: null, tenant_id: strange.bc_id, scope: 'tenant' },
      })
      for (const word of CANARY.NB)
        expect(answer.text, `${role} ${e.path} asks for another branch`).not.toContain(word)
    }
  }
  expect(asked).toBeGreaterThan(20)
  expect(await state()).toEqual(before)
  for (const [table, field] of [
    ['sites', 'site'],
    ['devices', 'device'],
    ['workers', 'worker'],
  ] as const) {
    await matrix.server.sql(`UPDATE ${table} SET deleted_at = :now WHERE id = $1`, [own[field]])
    const deleted = await state()
    for (const name of ['branch_gm', 'device_keeper', 'admin']) {
      const role = SEED_ROLES.find((r) => r.code === name)!
      const cases = casesOf(own, { ...own, [field]: never[field] })
      for (const { endpoint, own: example, fields } of cases) {
        if (!held(role, endpoint) || !bounds(endpoint) || due(example, fields).includes(200)) continue
        const answer = await matrix.people.get(name)!.askAny(endpoint, example)
        const what = `${name} ${endpoint.path}: a deleted ${field}: ${answer.text.slice(0, 100)}`
        expect(answer.code, what).not.toBe(200)
      }
    }
    expect(await state()).toEqual(deleted)
    await matrix.server.sql(`UPDATE ${table} SET deleted_at = NULL WHERE id = $1`, [own[field]])
  }
  // The control: the same call with one's own ids goes through.
  expect(
    (await matrix.people.get('branch_gm')!.ask(api.sites.details, { query: { id: own.site } })).code,
  ).toBe(200)
}, 600_000)

// Last, because calls that name no version do what they say.
test('the control: with nothing strange in it, every example is let in to somebody', async () => {
  const ofCaller = await matrix.examplesAs(await matrix.recordsOf('HZ'))
  // A version that nobody has seen stops the others.
  const unread = new Map([...(await matrix.versions()).keys()].map((id) => [id, 1_000_000]))
  const entered = new Set<string>()
  const named = endpoints.filter(bounds)
  for (const endpoint of named)
    for (const role of oneOfEach(SEED_ROLES, endpoint))
      for (const [index, example] of ofCaller(role.code)[endpoint.path]!.entries()) {
        const answer = await hear(matrix.people.get(role.code)!, endpoint, inForce(example, unread))
        if (answer.code !== 403 && answer.code !== 401) entered.add(`${endpoint.path} ${index}`)
      }
  const known = named.flatMap((e) =>
    ofCaller('admin')[e.path]!.map((_example, index) => `${e.path} ${index}`),
  )
  expect(known.filter((one) => !entered.has(one))).toEqual([])
}, 600_000)
