import { randomBytes, randomUUID } from 'node:crypto'

import { api } from '@zhuguan/contract/api.ts'
import { customerStep } from '@zhuguan/contract/features/customers/customers.record.ts'

import { addDays, shanghaiDay } from '../../server/kit/shanghai.ts'
import { type Caller, caller } from './client.ts'
import type { Write } from './found-written.ts'
import { customerLike, freshNumber } from './market-records.ts'
import type { Stage } from './stage.ts'

/** Times that a call is written which leaves a record behind. */
const FEW = 20
/** A link and a wall take so little from one address, all acts together. */
const BY_LINK = 4
const VERSION = 7

/** Writes about customers and for them, about what is shown of a home, and on walls. */
export async function writeMarket(
  write: Write,
  stage: Stage,
  url: string,
  admin: Caller,
  of: Record<'bc' | 'site' | 'store', string>,
): Promise<void> {
  const sql = async <R = { id: string }>(text: string, values: unknown[] = []) =>
    (await stage.owner.query(text, values)).rows as R[]
  /** A record of a table, as it must stand for the next command. */
  const put =
    (table: string, id: string, facts: string) => async (): Promise<{ id: string; version: number }> => {
      await sql(`UPDATE ${table} SET version = ${VERSION}, ${facts} WHERE id = $1`, [id])
      return { id, version: VERSION }
    }
  const made = async (...[endpoint, asked]: Parameters<Caller['ask']>): Promise<string> => {
    const heard = await admin.ask(endpoint, asked)
    if (heard.code !== 200) throw new Error(`${endpoint.path}: ${heard.code} ${heard.msg}`)
    return (heard.data as { id: string }).id
  }
  const [{ id: consultant } = { id: '' }] = await sql(
    `SELECT u.id FROM users u WHERE u.bc_id = $1 AND u.user_name = 'sales'`,
    [of.bc],
  )
  const { data: team } = await admin.ask(api.customers.consultants, { query: { bc_id: of.bc } })
  const second = (team as { id: string }[]).find(({ id }) => id !== consultant)!.id
  const customer = await made(api.customers.add, {
    body: {
      bc_id: of.bc,
      store_id: of.store,
      name: '逐项客户',
      phone: freshNumber(),
      consultant_id: consultant,
    },
  })
  const lead = () => customerLike(stage, customer)
  const heldBy = (who: string, refuses = false) =>
    put(
      'customers',
      customer,
      `held = 'assigned', lost_reason = NULL, consultant_id = '${who}', refuses = ${refuses}`,
    )
  const mine = heldBy(consultant)
  await write(api.customers.addContact, async () => {
    await sql('DELETE FROM customer_contacts WHERE customer_id = $1', [customer])
    return { ...(await mine()), relation: 'spouse', phone: freshNumber() }
  })
  await write(
    api.customers.dropContact,
    async () => {
      const contact_id = randomUUID()
      await sql(
        `INSERT INTO customer_contacts (tenant_id, id, customer_id, name, relation, phone, created_at)
         SELECT tenant_id, $2, id, '逐项家人', 'other', $3, now() FROM customers WHERE id = $1`,
        [customer, contact_id, freshNumber()],
      )
      return { ...(await mine()), contact_id }
    },
    FEW,
  )
  await write(api.customers.hand, async () => ({ ...(await heldBy(second)()), to: consultant }))
  await write(api.customers.lose, async () => ({ ...(await mine()), why: 'price' }))
  await write(api.customers.refuse, mine)
  await write(api.customers.accept, heldBy(consultant, true))
  await write(api.customers.ask, async () => {
    await sql('UPDATE customers SET step = $2 WHERE id = $1', [customer, customerStep.code.quoted])
    return { ...(await mine()), what: 'deposit' }
  })
  await write(
    api.customers.merge,
    async () => {
      const gone = await lead()
      const { version } = await mine()
      return { id: gone, version: 0, into: customer, intoVersion: version }
    },
    FEW,
  )

  const today = shanghaiDay(new Date())
  const now = Math.floor(Date.now() / 1_000)
  const followed = { customer_id: customer, kind: 'phone' }
  await mine()
  await write(api.followUps.add, () => ({ ...followed, at: now - 60 }))
  await write(api.followUps.plan, () => ({ ...followed, at: now + 86_400 }), FEW)
  const planned = await made(api.followUps.plan, {
    body: { ...followed, at: now + 86_400, content: '再聊户型' },
  })
  const waiting = put(
    'follow_ups',
    planned,
    `state = 'planned', closed_at = NULL, closed_by = '', result = ''`,
  )
  await write(api.followUps.done, async () => ({ ...(await waiting()), at: now - 60 }))
  await write(api.followUps.cancel, waiting)
  await write(api.signingBoard.setTarget, (n) => ({
    month: addDays(today, 31 * (1 + (n % 20))).slice(0, 7),
    bc_id: of.bc,
    people: n,
    money: '900000',
  }))

  await write(
    api.handovers.write,
    async () => {
      const { data } = await admin.ask(api.handovers.brief, { query: { customer_id: customer } })
      return { customer_id: customer, version: (data as { version: number }).version }
    },
    FEW,
  )
  const promised = { customer_id: customer, subject: 'goods', due: addDays(today, 90), post: 1 }
  await write(api.handovers.promise, () => promised, FEW)
  const early = await made(api.handovers.promise, { body: { ...promised, content: '瓷砖按样板' } })
  await write(api.handovers.withdraw, put('customer_promises', early, `state = 'open', text = ''`))
  const [{ id: sheet } = { id: '' }] = await sql(
    `INSERT INTO handovers (tenant_id, id, bc_id, site_id, customer_id, store_id, consultant_id, taste, people, fears,
       given, made_at)
     SELECT tenant_id, gen_random_uuid(), bc_id, $2, id, store_id, consultant_id, '', '', '', '', now()
     FROM customers WHERE id = $1 RETURNING id`,
    [customer, of.site],
  )
  const sheetIs = (state: string) => put('handovers', sheet, `state = '${state}', confirmed_at = NULL`)
  await write(api.handovers.ask, sheetIs('waiting'))
  await write(api.handovers.answer, sheetIs('asked'))

  await write(
    api.persons.add,
    async () => ({ ask: 'collect', kind: 'customer', subject_id: await lead() }),
    FEW,
  )
  const request = await made(api.persons.add, {
    body: { ask: 'erase', kind: 'customer', subject_id: await lead(), words: '本人来电' },
  })
  await write(api.persons.refuse, put('person_requests', request, `state = 'received', refused_for = ''`))
  await put('person_requests', request, `state = 'restricted'`)()
  await write(api.persons.reveal, () => ({ id: request }), FEW)

  await write(
    api.cases.add,
    async () => {
      await sql(`UPDATE cases SET state = 'withdrawn' WHERE site_id = $1`, [of.site])
      return { site_id: of.site, pictures: [] }
    },
    FEW,
  )
  const [{ id: shown } = { id: '' }] = await sql(
    `SELECT id FROM cases WHERE site_id = $1 AND state = 'candidate' ORDER BY made_at DESC, id LIMIT 1`,
    [of.site],
  )
  const [{ id: contact } = { id: '' }] = await sql(
    'SELECT id FROM home_contacts WHERE site_id = $1 AND owner_id IS NOT NULL AND ended_at IS NULL',
    [of.site],
  )
  const caseIs = (state: string) =>
    put(
      'cases',
      shown,
      `state = '${state}', asked_at = now(), until = '2099-01-01', contact_id = '${contact}',
       scope = ARRAY['photos'], places = ARRAY['store', 'link']`,
    )
  await write(api.cases.edit, async () => ({ ...(await caseIs('candidate')()), pictures: [] }))
  await write(api.cases.revise, caseIs('asked'))
  await write(api.cases.withdraw, caseIs('published'))
  await write(api.cases.takeDown, caseIs('published'))
  const [{ id: picture } = { id: '' }] = await sql(
    `INSERT INTO case_pictures (tenant_id, id, case_id, picture, taken_on)
     SELECT tenant_id, gen_random_uuid(), id, gen_random_uuid() || '.jpg', current_date FROM cases WHERE id = $1
     RETURNING id`,
    [shown],
  )
  await write(
    api.cases.pull,
    async () => {
      await caseIs('consented')()
      return put(
        'case_pictures',
        picture,
        `state = 'masked', masked_picture = gen_random_uuid() || '.jpg',
        masked_id = '${consultant}'`,
      )()
    },
    FEW,
  )

  const items = [{ kind: 'site', target_id: of.site }]
  await write(api.previews.add, () => ({ customer_id: customer, items }), FEW)
  const preview = await made(api.previews.add, {
    body: { customer_id: customer, title: '给您的方案', words: '', items },
  })
  await write(api.previews.save, async () => ({
    ...(await put('previews', preview, `state = 'draft'`)()),
    items,
  }))
  await write(api.previews.end, put('previews', preview, `state = 'sent'`))
  await put('previews', preview, `state = 'draft'`)()
  const sent = await admin.ask(api.links.create, { body: { kind: 'preview', target_id: preview } })
  const { token } = sent.data as { token: string }
  const bearer = { token, pass: '', device: randomBytes(16).toString('hex') }
  const stranger = caller(url, {})
  await stranger.ask(api.sharePage.state, { body: bearer })
  await write(
    api.sharePage.interest,
    () => ({ ...bearer, act: randomUUID(), phone: freshNumber(), agreed: true }),
    BY_LINK,
    stranger,
  )

  const scenes = [{ kind: 'figures', seconds: 15 }]
  await write(api.arrangements.add, () => ({ store_id: of.store, scenes }), FEW)
  const arrangement = await made(api.arrangements.add, {
    body: { store_id: of.store, name: '逐项编排', scenes },
  })
  await sql('DELETE FROM arrangements WHERE id <> $1', [arrangement])
  await write(api.arrangements.edit, async () => ({
    ...(await put('arrangements', arrangement, `before = NULL`)()),
    scenes,
  }))
  const size = { tab: randomBytes(16).toString('hex'), width: 1_920, height: 1_080 }
  let wall = stranger
  const unpaired = async (): Promise<string> => {
    const heard = await stranger.ask(api.screenDoor.look, { body: size })
    wall = caller(url, { cookie: heard.headers.get('set-cookie')!.split(';')[0]! })
    return (heard.data as { code: string }).code
  }
  await write(api.screenDoor.look, () => size, BY_LINK, stranger)
  await write(
    api.screens.pair,
    async () => ({ code: await unpaired(), store_id: of.store, kind: 'public', arrangement_id: arrangement }),
    BY_LINK,
  )
  const [{ id: screen } = { id: '' }] = await sql(
    'SELECT id FROM screens ORDER BY paired_at DESC, id LIMIT 1',
  )
  await write(api.screenDoor.report, () => ({ ...size, scene: 'figures', frames: 1, age: 0 }), BY_LINK, wall)
  await write(api.screens.revoke, put('screens', screen, `revoked_at = NULL, why = ''`))

  const robot = {
    maker: 'dingtalk',
    address: 'https://oapi.dingtalk.com/robot/send?access_token=example',
    bc_id: of.bc,
    kinds: ['alarm'],
  }
  await write(api.channels.add, () => robot, FEW)
  const channel = await made(api.channels.add, { body: { ...robot, name: '报警群', secret: 'SEC1' } })
  const active = put('channels', channel, `state = 'active'`)
  await write(api.channels.edit, async () => {
    const { maker: _, ...facts } = robot
    return { ...(await active()), ...facts }
  })
  await write(api.channels.stop, active)
}
