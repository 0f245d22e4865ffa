import { randomBytes, randomUUID } from 'node:crypto'

import { api } from '@zhuguan/contract/api.ts'
import { customerStep } from '@zhuguan/contract/features/customers/customers.record.ts'

import { addDays, shanghaiDay } from '../../server/kit/shanghai.ts'
import { type Caller, caller, type Heard, signIn } from './client.ts'
import type { Machine, Place } from './machine-records.ts'
import {
  CASE,
  CHANNEL,
  CUSTOMER,
  FOLLOW,
  HANDOVER,
  MESSAGE,
  PERSON,
  PREVIEW,
  SCREEN,
} from './market-states.ts'
import type { Stage } from './stage.ts'

/** A record's number, as every put leaves it. */
const VERSION = 7
let numbers = 0
/** A number that no customer has. */
export const freshNumber = () => `1390${String((numbers += 1)).padStart(7, '0')}`
/** Somebody else with the same consultant: entered one by one they would be too many numbers looked up in a minute. */
export async function customerLike(stage: Stage, id: string): Promise<string> {
  const { rows } = await stage.owner.query<{ id: string }>(
    `INSERT INTO customers (tenant_id, id, bc_id, store_id, name, phone, consultant_id, created_at, held, held_at,
       changed_at)
     SELECT tenant_id, gen_random_uuid(), bc_id, store_id, name, $2, consultant_id, now(), 'assigned', now(), now()
     FROM customers WHERE id = $1 RETURNING id`,
    [id, freshNumber()],
  )
  return rows[0]!.id
}

/** Customers of a store, what is planned with them, what is shown to them, and the walls. */
export async function marketRecords(
  stage: Stage,
  url: string,
  admin: Caller,
  of: Place,
  proof: (variant: number) => Promise<string>,
): Promise<Record<string, Machine>> {
  const all = async <R = { id: string }>(text: string, values: unknown[] = []) =>
    (await stage.owner.query(text, values)).rows as R[]
  const one = async <R = { id: string }>(text: string, values: unknown[] = []) =>
    (await all<R>(text, values))[0] as R
  const run = async (text: string, values: unknown[]) => void (await stage.owner.query(text, values))
  const made = async (...[endpoint, asked]: Parameters<Caller['ask']>): Promise<string> => {
    const heard = await admin.ask(endpoint, asked)
    if (heard.code !== 200) throw new Error(`${endpoint.path}: ${heard.code} ${heard.msg}`)
    return (heard.data as { id: string }).id
  }
  const at = (table: string, id: () => string) => async () =>
    (await one<{ at: string }>(`SELECT state AS at FROM ${table} WHERE id = $1`, [id()])).at
  const sales = await signIn(url, 'sales')
  const { id: consultant, store } = await one<{ id: string; store: string }>(
    `SELECT u.id, (SELECT s.store_id FROM user_stores s WHERE s.user_id = u.id LIMIT 1) AS store
     FROM users u WHERE u.user_name = 'sales'`,
  )
  const { data: team } = await admin.ask(api.customers.consultants, {
    query: { bc_id: of.bc, store_id: store },
  })
  const other = (team as { id: string }[]).find(({ id }) => id !== consultant)!.id
  const kept = await made(api.customers.add, {
    body: {
      bc_id: of.bc,
      store_id: store,
      name: '逐项客户',
      phone: freshNumber(),
      consultant_id: consultant,
    },
  })
  const lead = () => customerLike(stage, kept)

  // A customer of its own for every situation: who lost one lately may not claim it.
  let customer = await lead()
  const customerOf: Machine = {
    lines: CUSTOMER,
    reasons: ['hand', 'lose', 'refuse', 'accept', 'merge'],
    async put(situation) {
      const [held] = situation.split(' ')
      const last = customer
      customer = await lead()
      await run(
        `UPDATE customers SET version = ${VERSION}, held = $2, refuses = $3, step = $4,
           consultant_id = CASE WHEN $2 <> 'pool' THEN consultant_id END,
           lost_reason = CASE WHEN $2 = 'lost' THEN 'price' END,
           merged_into = CASE WHEN $2 = 'merged' THEN $5::uuid END
         WHERE id = $1`,
        [
          customer,
          held,
          situation.includes('refuses'),
          situation.includes('bound') ? customerStep.code.deposit : customerStep.code.fresh,
          kept,
        ],
      )
      // Nobody has more than they may have.
      await run(
        `UPDATE customers SET held = 'lost', lost_reason = 'other' WHERE id = $1 AND held IN ('pool', 'assigned')`,
        [last],
      )
    },
    async ask(command, reason) {
      const seen = { id: customer, version: VERSION }
      const intoVersion = (
        await one<{ version: number }>('SELECT version FROM customers WHERE id = $1', [kept])
      ).version
      const asked: Record<string, () => Promise<Heard>> = {
        claim: () => sales.ask(api.customers.claim, { body: seen }),
        assign: () => admin.ask(api.customers.assign, { body: { list: [seen], to: other } }),
        hand: () => admin.ask(api.customers.hand, { body: { ...seen, to: other, reason } }),
        lose: () => admin.ask(api.customers.lose, { body: { ...seen, why: 'price', reason } }),
        revive: () => admin.ask(api.customers.revive, { body: seen }),
        refuse: () => admin.ask(api.customers.refuse, { body: { ...seen, reason } }),
        accept: () => admin.ask(api.customers.accept, { body: { ...seen, reason } }),
        merge: () => admin.ask(api.customers.merge, { body: { ...seen, into: kept, intoVersion, reason } }),
      }
      return asked[command]!()
    },
    stands: async () =>
      (await one<{ at: string }>('SELECT held AS at FROM customers WHERE id = $1', [customer])).at,
  }

  const now = () => Math.floor(Date.now() / 1_000)
  const DAY_S = 86_400
  const follow = await made(api.followUps.plan, {
    body: { customer_id: kept, kind: 'phone', at: now() + DAY_S, content: '再聊户型' },
  })
  const followOf: Machine = {
    lines: FOLLOW,
    reasons: ['cancel'],
    put: (situation) =>
      run(
        `UPDATE follow_ups SET version = ${VERSION}, state = $2, moved = 0,
           at = now() + CASE WHEN $3 THEN interval '-1 hour' ELSE interval '1 day' END,
           closed_at = CASE WHEN $2 <> 'planned' THEN now() END
         WHERE id = $1`,
        [follow, situation.split(' ')[0], situation.endsWith('overdue')],
      ),
    ask(command, reason) {
      const seen = { id: follow, version: VERSION }
      if (command === 'done')
        return admin.ask(api.followUps.done, { body: { ...seen, at: now() - 60, result: '聊了户型' } })
      if (command === 'move')
        return admin.ask(api.followUps.move, { body: { ...seen, at: now() + 2 * DAY_S } })
      return admin.ask(api.followUps.cancel, { body: { ...seen, reason } })
    },
    stands: at('follow_ups', () => follow),
  }

  const today = shanghaiDay(new Date())
  const until = addDays(today, 90)
  const { contact, shown } = await one<{ contact: string; shown: string }>(
    `WITH gone AS (DELETE FROM cases WHERE site_id = $1)
     SELECT gen_random_uuid() AS shown, (SELECT h.id FROM home_contacts h
       WHERE h.site_id = $1 AND h.owner_id IS NOT NULL AND h.ended_at IS NULL) AS contact`,
    [of.site],
  )
  await run(
    `INSERT INTO cases (tenant_id, id, bc_id, site_id, title, words, made_by, made_at, changed_at)
     SELECT tenant_id, $2, bc_id, id, '良渚的家', '半年', '', now(), now() FROM sites WHERE id = $1`,
    [of.site, shown],
  )
  const caseOf: Machine = {
    lines: CASE,
    reasons: ['revise', 'withdraw', 'takeDown'],
    async put(situation) {
      const [state] = situation.replace(',', '').split(' ')
      await run(`UPDATE sites SET status = 1 WHERE id = $1`, [of.site])
      await run('DELETE FROM case_pictures WHERE case_id = $1', [shown])
      if (!situation.endsWith('without pictures'))
        await run(
          `INSERT INTO case_pictures (tenant_id, id, case_id, picture, taken_on, state, masked_picture, masked_id)
           SELECT tenant_id, gen_random_uuid(), id, gen_random_uuid() || '.jpg', current_date,
             CASE WHEN $2 THEN 'raw' ELSE 'released' END,
             CASE WHEN NOT $2 THEN gen_random_uuid() || '.jpg' END, CASE WHEN NOT $2 THEN $3::uuid END
           FROM cases WHERE id = $1`,
          [shown, situation.endsWith('nothing released'), of.manager],
        )
      await run(
        `UPDATE cases SET version = ${VERSION}, state = $2, asked_at = now(), until = $3, scope = ARRAY['photos'],
           places = ARRAY['store', 'link'], contact_id = $4, agreed = ARRAY(SELECT p.masked_picture FROM case_pictures p
             WHERE p.case_id = $1 AND p.masked_picture IS NOT NULL) WHERE id = $1`,
        [shown, state, until, contact],
      )
    },
    ask(command, reason) {
      const seen = { id: shown, version: VERSION }
      if (command === 'edit')
        return admin.ask(api.cases.edit, { body: { ...seen, title: '良渚的家', words: '', pictures: [] } })
      if (command === 'ask')
        return admin.ask(api.cases.ask, { body: { ...seen, scope: ['photos'], places: ['store'], until } })
      return admin.ask(api.cases[command as 'revise'], { body: { ...seen, reason } })
    },
    stands: at('cases', () => shown),
  }

  const items = [{ kind: 'site', target_id: of.site }] as const
  const preview = await made(api.previews.add, {
    // Another than into whom those were merged who do not want to hear from us.
    body: { customer_id: await lead(), title: '给您的方案', words: '', items },
  })
  const previewOf: Machine = {
    lines: PREVIEW,
    reasons: ['end'],
    put: (situation) =>
      run(`UPDATE previews SET version = ${VERSION}, state = $2 WHERE id = $1`, [preview, situation]),
    ask(command, reason) {
      const seen = { id: preview, version: VERSION }
      if (command === 'send')
        return admin.ask(api.links.create, { body: { kind: 'preview', target_id: preview } })
      if (command === 'end') return admin.ask(api.previews.end, { body: { ...seen, reason } })
      return admin.ask(api.previews.save, { body: { ...seen, title: '给您的方案', words: '', items } })
    },
    stands: at('previews', () => preview),
  }

  const nobody = caller(url, {})
  /** The code that a browser without a cookie shows. */
  const code = async () => {
    const size = { tab: randomBytes(16).toString('hex'), width: 1_920, height: 1_080 }
    return ((await nobody.ask(api.screenDoor.look, { body: size })).data as { code: string }).code
  }
  const scenes = [{ kind: 'figures', seconds: 15 }]
  const arrangement = await made(api.arrangements.add, {
    body: { store_id: store, name: `编排 ${randomUUID().slice(0, 8)}`, scenes },
  })
  const screen = await made(api.screens.pair, {
    body: {
      code: await code(),
      name: '前厅大屏',
      store_id: store,
      kind: 'public',
      arrangement_id: arrangement,
    },
  })
  const screenOf: Machine = {
    lines: SCREEN,
    reasons: ['revoke'],
    async put(situation) {
      await run('UPDATE arrangements SET version = $2 WHERE id = $1', [arrangement, VERSION])
      await run(
        `UPDATE screens SET version = ${VERSION}, revoked_at = CASE WHEN $2 = 'revoked' THEN now() END,
           said_at = CASE WHEN $2 = 'paired' THEN now() END,
           moved_at = CASE WHEN $2 = 'paired' THEN now() + interval '1 hour' END
         WHERE id = $1`,
        [screen, situation],
      )
    },
    async ask(command, reason) {
      const seen = { id: screen, version: VERSION }
      if (command === 'send')
        return admin.ask(api.arrangements.send, {
          body: { id: arrangement, version: VERSION, screens: [screen] },
        })
      if (command === 'replace')
        return admin.ask(api.screens.replace, { body: { ...seen, code: await code() } })
      return admin.ask(api.screens.revoke, { body: { ...seen, reason } })
    },
    stands: async () =>
      (
        await one<{ at: string }>(
          `SELECT CASE WHEN revoked_at IS NOT NULL THEN 'revoked'
             WHEN moved_at > now() - interval '60 s' THEN 'paired' ELSE 'silent' END AS at
           FROM screens WHERE id = $1`,
          [screen],
        )
      ).at,
  }

  const request = await made(api.persons.add, {
    body: { ask: 'erase', kind: 'customer', subject_id: await lead(), words: '本人来电' },
  })
  let papers = 70
  const personOf: Machine = {
    lines: PERSON,
    reasons: ['refuse', 'reveal'],
    // Who was erased is nobody: somebody else each time.
    put: async (situation) =>
      run(
        `UPDATE person_requests SET version = ${VERSION}, state = $2, ask = $3, verified_id = $4, subject_id = $5,
           name = '逐项客户', executed_at = CASE WHEN $2 = 'executed' THEN now() END WHERE id = $1`,
        [
          request,
          situation.split(' ')[0],
          situation.includes('collect') ? 'collect' : 'erase',
          situation.endsWith('mine') ? of.me : of.manager,
          await lead(),
        ],
      ),
    async ask(command, reason) {
      const seen = { id: request, version: VERSION }
      if (command === 'verify')
        return admin.ask(api.persons.verify, {
          body: { ...seen, proof: 'paper', paper: await proof((papers += 1)) },
        })
      if (command === 'execute') return admin.ask(api.persons.execute, { body: seen })
      if (command === 'collect') return admin.ask(api.persons.collect, { query: { id: request } })
      if (command === 'reveal') return admin.ask(api.persons.reveal, { body: { id: request, reason } })
      return admin.ask(api.persons.refuse, { body: { ...seen, reason } })
    },
    stands: at('person_requests', () => request),
  }

  const channel = await made(api.channels.add, {
    body: {
      maker: 'dingtalk',
      name: '逐项报警群',
      address: 'https://oapi.dingtalk.com/robot/send?access_token=example',
      secret: 'SEC1',
      bc_id: of.bc,
      kinds: ['alarm'],
    },
  })
  const channelOf: Machine = {
    lines: CHANNEL,
    reasons: ['stop'],
    put: (situation) =>
      run(`UPDATE channels SET version = ${VERSION}, state = $2 WHERE id = $1`, [channel, situation]),
    ask: (command, reason) =>
      admin.ask(api.channels[command as 'stop'], { body: { id: channel, version: VERSION, reason } }),
    stands: at('channels', () => channel),
  }
  // Far ahead, so that the post office leaves it alone while it is looked at.
  const { id: message } = await one(
    `INSERT INTO channel_messages (tenant_id, id, channel_id, event, at, state, since, next_at)
     SELECT tenant_id, gen_random_uuid(), id, 'trial', now(), 'sent', now(), now() + interval '1 year'
     FROM channels WHERE id = $1 RETURNING id`,
    [channel],
  )
  const messageOf: Machine = {
    lines: MESSAGE,
    reasons: [],
    async put(situation) {
      await channelOf.put(situation.endsWith('stopped') ? 'stopped' : 'active')
      await run(`UPDATE channel_messages SET state = $2, next_at = now() + interval '1 year' WHERE id = $1`, [
        message,
        situation.replace(',', '').split(' ')[0],
      ])
    },
    ask: () => admin.ask(api.channels.replay, { body: { id: message } }),
    stands: at('channel_messages', () => message),
  }

  const { id: sheet } = await one(
    `INSERT INTO handovers (tenant_id, id, bc_id, site_id, customer_id, store_id, consultant_id, taste, people, fears,
       given, made_at)
     SELECT tenant_id, gen_random_uuid(), bc_id, $2, id, store_id, consultant_id, '原木色', '', '', '', now()
     FROM customers WHERE id = $1 RETURNING id`,
    [kept, of.site],
  )
  const handoverOf: Machine = {
    lines: HANDOVER,
    reasons: [],
    async put(situation) {
      await run('UPDATE sites SET steward_id = $2 WHERE id = $1', [
        of.site,
        situation.endsWith('without steward') ? null : of.steward,
      ])
      await run(
        `UPDATE handovers SET version = ${VERSION}, state = $2,
           confirmed_at = CASE WHEN $2 = 'confirmed' THEN now() END WHERE id = $1`,
        [sheet, situation.split(' ')[0]],
      )
    },
    ask(command) {
      const seen = { id: sheet, version: VERSION }
      return command === 'confirm'
        ? admin.ask(api.handovers.confirm, { body: seen })
        : admin.ask(api.handovers[command as 'ask'], { body: { ...seen, text: '窗帘盒要不要留' } })
    },
    stands: at('handovers', () => sheet),
  }
  return {
    customerActions: customerOf,
    followActions: followOf,
    caseActions: caseOf,
    previewActions: previewOf,
    screenActions: screenOf,
    personActions: personOf,
    channelActions: channelOf,
    messageActions: messageOf,
    handoverActions: handoverOf,
  }
}
