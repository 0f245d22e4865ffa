import { randomBytes, randomUUID } from 'node:crypto'

import { carrierDoorApi, carriersApi } from '@zhuguan/contract/features/dispatch/carriers.api.ts'
import { driverApi } from '@zhuguan/contract/features/dispatch/driver.api.ts'
import { filesApi } from '@zhuguan/contract/features/files/files.api.ts'
import { linksApi } from '@zhuguan/contract/features/links/links.api.ts'

import { post, signed } from '../../server/testing/device.ts'
import { linkFrom, telephone } from '../../server/testing/driving.ts'
import { plainJpeg, uploadPhoto } from '../../server/testing/photo.ts'
import { seconds } from '../../server/testing/time.ts'
import { caller, send } from './client.ts'
import { type DeliveryStage, setDelivery } from './delivery-stage.ts'
import type { Served, Stage } from './stage.ts'

const NAME = '洞里瓷砖'
/** Further off than a door allows, by whichever clock. */
const SKEW = 400
interface Trying {
  closed(name: string, ok: boolean, more?: string): void
  works(name: string, ok: boolean, more?: string): void
}
interface Told {
  code: number
  text?: string
  msg: string
}
const no = (t: Told) => t.code !== 200

/** G-03 of what opens without an account: the driver's link and the carriers' door. */
export async function linkHoles(stage: Stage, served: Served, tried: Trying): Promise<void> {
  const of = await setDelivery(stage, () => served)
  const { items } = await of.shop.sold({ name: NAME, quantity: '1000' })
  const underWay = async (carrier = '', waybill = '') => {
    const order = (await of.shop.place([{ item_id: items[NAME]!, quantity: '2' }])).orders[0]!.id
    const note = (await of.shop.accept(order)).notes[0]!.id
    await of.shop.ship(note)
    await of.sql('UPDATE dispatches SET carrier = $2, waybill = $3 WHERE id = $1', [note, carrier, waybill])
    await of.sql('UPDATE logistics SET carrier = $2, waybill = $3 WHERE note_id = $1', [
      note,
      carrier,
      waybill,
    ])
    return note
  }
  await driver(of, underWay, tried)
  await carriers(of, underWay, tried, stage.devices[0]!)
}

async function driver(of: DeliveryStage, underWay: () => Promise<string>, { closed, works }: Trying) {
  const { server, shop, sql, url } = of
  const [mine, theirs] = [await underWay(), await underWay()]
  const { phone, token, id } = await linkFrom(server, shop.supplier, mine)
  const beside = await linkFrom(server, shop.supplier, theirs)
  const stood = async () =>
    JSON.stringify(
      await sql(
        `SELECT d.state, d.version, d.photo, (SELECT count(*) FROM logistics_nodes n JOIN logistics g
           ON g.id = n.logistics_id WHERE g.note_id = d.id) AS nodes FROM dispatches d
         WHERE d.id = ANY ($1) ORDER BY d.id`,
        [[mine, theirs]],
      ),
    )
  const before = await stood()
  works('a driver opens their link', (await phone.open()).code === 200 && (await phone.state()).code === 200)

  // The link of another note, a note of nobody, a record that is no note.
  for (const [name, note] of [
    ['another note', theirs],
    ['no note', randomUUID()],
    ['a site', (await shop.note(mine)).site_id],
    ['an order', (await shop.note(mine)).order_id],
  ] as const) {
    const said = await phone.node(note, '偷报')
    closed(`link: node of ${name}`, no(said), said.text)
    const handed = await phone.handOver(note)
    closed(`link: hand over ${name}`, no(handed), handed.text)
  }
  closed('link: of another note shows this one', !(await beside.phone.state()).text.includes(mine))
  // Guessed, cut, spoiled and borrowed tokens.
  const other = randomBytes(48).toString('base64url')
  for (const [name, guess] of Object.entries({
    random: other,
    'of the right group': token.slice(0, 22) + other.slice(22),
    cut: token.slice(0, -1),
    longer: `${token}A`,
    'another case': token.toUpperCase(),
    'the link’s number': id,
    'its stored hash': await sql<{ h: string }>(
      `SELECT encode(hash, 'base64') AS h FROM links WHERE id = $1`,
      [id],
    ).then((rows) => rows[0]!.h),
    'a session': shop.supplier.token,
    percent: `${token}%00`,
    empty: '',
  })) {
    const p = telephone(server, guess)
    const heard = await p.state()
    closed(`link token ${name}`, no(heard) && no(await p.open()), heard.text)
  }
  closed(
    'link: a token as a session',
    no(await caller(url(), { token, 'tenant-id': shop.supplier.tenant }).ask(filesApi.get)),
  )
  // Pictures: of another driver, of the clerk, used before, none; and what is behind them.
  const strange = (await beside.phone.photo()).data.key
  const clerks = await uploadPhoto(url(), shop.clerk)
  for (const [name, photo] of Object.entries({
    'of another link': strange,
    'of the clerk': clerks,
    'made up': `${randomUUID()}.jpg`,
    'with a path': `../${strange}`,
  }))
    closed(`link: a picture ${name}`, no(await phone.handOver(mine, { photo })))
  const own = (await phone.photo()).data.key
  closed(
    'link: the same picture as signature',
    no(await phone.handOver(mine, { photo: own, signature: own })),
  )
  for (const size of ['', 'thumb']) {
    const heard = await send(url(), 'GET', `${filesApi.get.path}?key=${own}${size && `&size=${size}`}`, {
      'x-link': token,
      'x-link-device': phone.bearer.device,
    })
    closed(`link: reads a picture ${size}`, heard.status !== 200)
  }
  for (const [name, bytes] of Object.entries({
    svg: Buffer.from('<svg onload=alert(1)>'),
    html: Buffer.from('<html><script>alert(1)</script>'),
    nothing: Buffer.from(''),
    'more than 1 MiB': Buffer.alloc(1_200_000, 7),
  }))
    closed(`link: uploads ${name}`, no(await phone.photo(bytes)))
  closed('link: uploads without a link', no(await telephone(server, 'x').photo(await plainJpeg())))
  // Other people's commands through a link, and foreign columns.
  closed(
    'link: the bearer writes whose it is',
    no(await phone.handOver(theirs, { tenant_id: shop.other.tenant, bc_id: shop.bc_id } as object)),
  )
  for (const person of [shop.gm2, shop.other, shop.acceptor]) {
    const body = { kind: 'driver', target_id: mine, person: '偷来的' } as const
    closed('link: made by who does not ship', no(await person.ask(linksApi.create, { body })))
    closed(
      'link: listed by who does not ship',
      !/"id"/.test((await person.ask(linksApi.list, { query: { kind: 'driver', target_id: mine } })).text),
    )
    closed('link: taken back by who does not ship', no(await person.ask(linksApi.revoke, { body: { id } })))
  }
  closed('link: nothing happened to either note', (await stood()) === before, await stood())

  // Password, expiry, taken back, after the handover.
  const locked = await linkFrom(server, shop.supplier, theirs, { password: 'abcd1234' })
  closed('link: without its password', no(await locked.phone.state()))
  closed('link: with a wrong password', no(await locked.phone.open('abcd1235')))
  works('link: with its password', (await locked.phone.open('abcd1234')).code === 200)
  const { pass } = locked.phone.bearer
  phone.bearer.pass = pass
  const again = telephone(server, locked.token)
  closed('link: the pass of another link', no(await telephone(server, locked.token).state()))
  again.bearer.pass = 'x'.repeat(pass.length)
  closed('link: a made-up pass', no(await again.state()))
  phone.bearer.pass = ''
  await sql(`UPDATE links SET expires_at = now() - interval '1 second' WHERE id = $1`, [beside.id])
  closed(
    'link: expired',
    no(await beside.phone.state()) && no(await beside.phone.handOver(theirs, { photo: strange })),
  )
  await shop.supplier.call(linksApi.revoke, { body: { id: locked.id } })
  closed('link: taken back', no(await locked.phone.state()) && no(await locked.phone.node(theirs, '偷报')))
  const body = { ...phone.done(), photo: own, signature: null }
  const handed = await phone.handOver(mine, body)
  works('a driver hands over', handed.code === 200, handed.text)
  const after = await stood()
  closed(
    'link: the same handover again is another',
    (await phone.handOver(mine, body)).code !== 200 || (await stood()) === after,
  )
  closed('link: a handover after the handover', no(await phone.handOver(mine)))
  closed('link: a node after the handover', no(await phone.node(mine, '回程')))
  closed('link: the address after the handover', !(await phone.state()).text.includes('1201'))
  closed('link: nothing moved after the handover', (await stood()) === after)
  closed(
    'link: an act of another body',
    no(await phone.handOver(mine, { ...body, place: '别处' })) || (await stood()) === after,
  )
  for (const endpoint of [driverApi.state, driverApi.node, driverApi.handOver])
    closed(
      `link: ${endpoint.path} without anything`,
      no(await send(url(), 'POST', endpoint.path, { 'content-type': 'application/json' }, '{}')),
    )
}

async function carriers(
  of: DeliveryStage,
  underWay: (carrier: string, waybill: string) => Promise<string>,
  { closed, works }: Trying,
  camera: Key,
) {
  const { shop, sql, url } = of
  const made = await shop.admin.call(carriersApi.add, { body: { name: '洞里物流' } })
  const rival = await shop.admin.call(carriersApi.add, { body: { name: '洞里快运' } })
  const [carrier, second] = [made, rival].map((c) => ({ sn: c.account, secret: c.secret })) as [Key, Key]
  const waybill = `WB-${randomUUID()}`
  const note = await underWay('洞里物流', waybill)
  const nodes = async () =>
    (
      await sql<{ n: number }>(
        `SELECT count(*)::int AS n FROM logistics_nodes k JOIN logistics g ON g.id = k.logistics_id
         WHERE g.note_id = $1 AND k.source = 'carrier'`,
        [note],
      )
    )[0]!.n
  const event = (id: string, more: object = {}) => ({
    id,
    at: seconds(),
    carrier: '洞里物流',
    waybill,
    text: '运输中',
    ...more,
  })
  const request = (events: unknown, { at = seconds(), who = carrier } = {}) =>
    signed(who, Buffer.from(JSON.stringify({ events })), at, 'x-carrier')
  const tell = (r: ReturnType<typeof request>) => post(url(), carrierDoorApi.events.path, r)
  const good = request([event('g1')])
  works('a carrier tells', (await tell(good)).data?.accepted === 1 && (await nodes()) === 1)
  // What a door must not let in; nothing is filed.
  const spoiled = request([event('b1')])
  spoiled.body = Buffer.from(spoiled.body.toString().replace('b1', 'b2'))
  const renamed = request([event('b3')])
  renamed.headers['x-carrier'] = second.sn
  const unsigned = request([event('b4')])
  delete unsigned.headers['x-sign']
  const timed = request([event('b5')])
  timed.headers['x-timestamp'] = String(seconds() - 1)
  const filmed = signed(camera, Buffer.from(JSON.stringify({ events: [event('b6')] })))
  for (const [name, bad] of Object.entries({
    'the same request again': good,
    'with another body': spoiled,
    'under another account': renamed,
    unsigned,
    'at another time': timed,
    'of long ago': request([event('b7')], { at: seconds() - SKEW }),
    'of the future': request([event('b8')], { at: seconds() + SKEW }),
    'with another secret': request([event('b9')], { who: { ...carrier, secret: second.secret } }),
    'with no secret': request([event('b10')], { who: { ...carrier, secret: '' } }),
    'of nobody': request([event('b11')], { who: { ...carrier, sn: 'nobody' } }),
    'of another group’s number': request([event('b12')], {
      who: { ...carrier, sn: accountIn(shop.other.tenant, carrier.sn) },
    }),
    'signed by a camera': filmed,
  })) {
    const heard = await tell(bad)
    closed(`carrier: ${name}`, heard.status === 401 && (await nodes()) === 1, JSON.stringify(heard))
  }
  for (const [name, events] of Object.entries({
    'of another carrier’s waybill': [event('c1', { carrier: '洞里快运' })],
    'of a waybill that is none': [event('c2', { waybill: '%' })],
    'of an hour that comes': [event('c3', { at: seconds() + 4_000 })],
    'with a code that is none': [event('c4', { code: 'given' })],
    'told before': [event('g1')],
  })) {
    const heard = await tell(request(events))
    closed(
      `carrier: an event ${name}`,
      heard.data?.accepted === 0 && (await nodes()) === 1,
      JSON.stringify(heard),
    )
  }
  const theirs = await tell(request([event('d1', { carrier: '洞里快运', waybill })], { who: second }))
  closed('carrier: the waybill of another one', theirs.data?.accepted === 0 && (await nodes()) === 1)
  await tell(request([event('e1', { code: 'delivered' })]))
  closed('carrier: its word is no delivery', (await shop.note(note)).state === 2)
  closed('carrier: a list without the right', no(await shop.gm.ask(carriersApi.list)))
  closed(
    'carrier: stopped by another group',
    no(await shop.other.ask(carriersApi.stop, { body: { id: made.id } })),
  )
  closed(
    'carrier: a secret in the list',
    !(await shop.admin.ask(carriersApi.list)).text.includes(made.secret),
  )
  await shop.admin.call(carriersApi.stop, { body: { id: made.id } })
  const stopped = await nodes()
  closed(
    'carrier: stopped',
    (await tell(request([event('f1')]))).status === 401 && (await nodes()) === stopped,
  )
}
interface Key {
  sn: string
  secret: string
}
/** The same carrier's number in another group. */
function accountIn(tenant: string, account: string): string {
  const bytes = Buffer.from(account, 'base64url')
  Buffer.from(tenant.replaceAll('-', ''), 'hex').copy(bytes)
  return bytes.toString('base64url')
}
