import { ownersApi } from '@zhuguan/contract/features/owners/owners.api.ts'
import type { HomeRow } from '@zhuguan/contract/features/owners/owners.record.ts'
import { promisesApi } from '@zhuguan/contract/features/promises/promises.api.ts'
import { searchApi } from '@zhuguan/contract/features/search/search.api.ts'
import { sitesApi } from '@zhuguan/contract/features/sites/sites.api.ts'
import { timelineApi } from '@zhuguan/contract/features/timeline/timeline.api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { cellsOf } from '../../testing/sheets.ts'
import { type Person, startTestServer, type TestServer } from '../../testing/start.ts'
import { dayAhead } from '../../testing/time.ts'
import { toldLog } from '../../testing/told-log.ts'

let server: TestServer
let gm: Person
let steward: Person
let service: Person
let bc: string
beforeAll(async () => {
  server = await startTestServer()
  ;[gm, steward, service] = [
    await server.as('branch_gm'),
    await server.as('steward'),
    await server.as('service'),
  ]
  ;[{ bc }] = (await server.sql<{ bc: string }>(
    `SELECT bc_id AS bc FROM users WHERE user_name = 'branch_gm'`,
  )) as [{ bc: string }]
})
afterAll(() => server.stop())

let made = 0
/** A site of the branch, with an owner if one is named. */
async function site(owner?: string, ownerPhone = '', who = gm): Promise<string> {
  const name = `业主小区 ${(made += 1)} 幢`
  const facts = { ws_name: name, bc_id: bc, address: '某路 1 号', ...(owner ? { owner, ownerPhone } : {}) }
  return (await who.call(sitesApi.add, { body: facts })).id
}
const homeOf = async (id: string, who = gm): Promise<HomeRow | undefined> =>
  (await who.call(ownersApi.list, { query: { id } })).list[0]
const people = async (id: string, who = gm) =>
  (await who.call(ownersApi.details, { query: { site_id: id } })).contacts.map((c) => ({
    name: c.name,
    relation: c.relation,
    here: c.endedAt === null,
  }))
const signatory = async (id: string) => {
  const { contact_id, contactVersion } = (await homeOf(id))!
  return { id: contact_id, version: contactVersion }
}

test('whoever a site names as its owner is its first contact: by hand, by list and as the demo has it', async () => {
  const id = await site('李女士', '13900002001')
  expect(await homeOf(id)).toMatchObject({ ownerName: '李女士', phone: '139****2001', contacts: 0 })
  expect(await people(id)).toEqual([{ name: '李女士', relation: 'owner', here: true }])
  const bare = await site()
  expect(await homeOf(bare)).toBeUndefined()
  // Every home of the demo has one who signs, and no more than one.
  expect(
    await server.sql(
      `SELECT count(*)::int AS n FROM sites w
       WHERE w.owner_id IS NOT NULL AND 1 <> (SELECT count(*) FROM home_contacts h
         WHERE h.site_id = w.id AND h.owner_id = w.owner_id AND h.ended_at IS NULL)`,
    ),
  ).toEqual([{ n: 0 }])
  // Named later, on the site's form or here.
  const { version, ws_name, address } = await gm.call(sitesApi.details, { query: { id: bare } })
  const form = { id: bare, version, ws_name, bc_id: bc, address, owner: '周先生', ownerPhone: '' }
  await gm.call(sitesApi.edit, { body: form })
  expect((await people(bare)).map((p) => p.name)).toEqual(['周先生'])
  const third = await site()
  await service.call(ownersApi.add, { body: { site_id: third, name: '吴女士', phone: '' } })
  expect((await people(third)).map((p) => p.name)).toEqual(['吴女士'])
  const again = await service.ask(ownersApi.add, { body: { site_id: third, name: '郑女士' } })
  expect([again.code, again.msg]).toEqual([409, expect.stringContaining('已有业主；换了人请用“更换业主”')])
})

test('a site’s form writes nobody over its owner, and says how it is done', async () => {
  const id = await site('钱女士', '13900002002')
  const { version, ws_name, address } = await gm.call(sitesApi.details, { query: { id } })
  const form = { id, version, ws_name, bc_id: bc, address }
  const other = await gm.ask(sitesApi.edit, { body: { ...form, owner: '买家', ownerPhone: '' } })
  expect([other.code, other.msg]).toEqual([400, expect.stringContaining('“更换业主”')])
  const number = await gm.ask(sitesApi.edit, {
    body: { ...form, owner: '钱女士', ownerPhone: '13900002999' },
  })
  expect([number.code, number.msg]).toEqual([400, expect.stringContaining('“更正业主”')])
  expect(await homeOf(id)).toMatchObject({ ownerName: '钱女士', phone: '139****2002' })
  expect((await gm.ask(sitesApi.edit, { body: { ...form, owner: '钱女士', ownerPhone: '' } })).code).toBe(200)
})

test('the same person under the right name: on all their homes, with a reason, once', async () => {
  const [id] = [await site('孙小姐', '13900002003')]
  const bare = await site()
  await gm.call(ownersApi.add, { body: { site_id: bare, name: '孙小姐', phone: '13900002003' } })
  expect((await gm.call(ownersApi.details, { query: { site_id: id } })).others.map((o) => o.id)).toEqual([
    bare,
  ])
  const seen = await signatory(id)
  const body = { ...seen, name: '孙晓洁', phone: '', reason: '身份证上的字' }
  expect((await gm.ask(ownersApi.correct, { body: { ...body, reason: '' } })).code).toBe(400)
  await steward.ask(ownersApi.correct, { body })
  await gm.call(ownersApi.correct, { body })
  for (const home of [id, bare])
    expect(await homeOf(home)).toMatchObject({ ownerName: '孙晓洁', phone: '139****2003' })
  // Of two who correct at once the second reads what the first wrote, on whichever of the homes.
  const late = await gm.ask(ownersApi.correct, { body: { ...body, name: '孙小洁' } })
  expect([late.code, late.msg]).toEqual([409, expect.stringMatching(/^已被 .* 处理/)])
  expect(await homeOf(bare)).toMatchObject({ ownerName: '孙晓洁', contactVersion: 1 })
  const now = { ...body, ...(await signatory(id)) }
  expect((await gm.ask(ownersApi.correct, { body: now })).msg).toBe('没有要更正的内容')
  // A number that is another owner's is not taken.
  await site('冯先生', '13900002004')
  const taken = await gm.ask(ownersApi.correct, { body: { ...now, phone: '13900002004' } })
  expect([taken.code, taken.msg]).toEqual([400, '这个号码在本分公司是另一位业主的，请核对'])
  expect((await homeOf(id))!.phone).toBe('139****2003')
  // Nor does anybody else get somebody's record by their number alone.
  const name = await gm.ask(ownersApi.add, {
    body: { site_id: await site(), name: '褚先生', phone: '13900002004' },
  })
  expect(name.msg).toBe('这个号码在本分公司登记的是“冯先生”，请核对姓名和电话')
})

test('another owner is another person: who was there before is not any more, and keeps the name they had', async () => {
  const id = await site('陈女士', '13900002005')
  await gm.call(ownersApi.addContact, {
    body: { site_id: id, name: '陈先生', relation: 'spouse', phone: '13900002006' },
  })
  const seen = await signatory(id)
  const body = { ...seen, name: '卫先生', phone: '13900002007', reason: '房屋转让' }
  expect((await steward.ask(ownersApi.change, { body })).code).toBe(401)
  expect((await service.ask(ownersApi.change, { body })).code).toBe(401)
  const same = await gm.ask(ownersApi.change, { body: { ...body, phone: '13900002005' } })
  expect(same.msg).toContain('电话和现在的业主一样')
  const customers = await server.sql('SELECT count(*)::int AS n FROM owners')
  await gm.call(ownersApi.change, { body })
  expect(await people(id)).toEqual([
    { name: '卫先生', relation: 'owner', here: true },
    { name: '陈女士', relation: 'owner', here: false },
    { name: '陈先生', relation: 'spouse', here: false },
  ])
  expect(await homeOf(id)).toMatchObject({ ownerName: '卫先生', phone: '139****2007', contacts: 0 })
  expect(await server.sql('SELECT count(*)::int AS n FROM owners')).toEqual([
    { n: (customers[0] as { n: number }).n + 1 },
  ])
  // Whoever saw the home before changes nothing of it.
  const late = await gm.ask(ownersApi.change, { body: { ...body, name: '第三位' } })
  expect([late.code, late.msg]).toEqual([409, expect.stringContaining('已被')])
  const now = await signatory(id)
  const dead = await gm.ask(ownersApi.endContact, { body: { ...now, reason: '试试看' } })
  expect(dead.msg).toContain('业主本人不能移除')
  const { list } = await gm.call(timelineApi.list, { query: { site_id: id } })
  expect(list.map((line) => line.title)).toContain('业主由陈女士换为卫先生')
})

test('what was promised to the one before is taken over, or taken back, as is said', async () => {
  for (const [promises, state] of [
    ['taken', 'open'],
    ['withdrawn', 'withdrawn'],
  ] as const) {
    const [home] = await server.sql<{ id: string }>(
      `SELECT w.id FROM sites w JOIN users u ON u.id = w.steward_id AND u.user_name = 'steward'
       WHERE w.status = 1 AND w.owner_id IS NOT NULL ORDER BY w.code LIMIT 1`,
    )
    const { id } = await gm.call(promisesApi.add, {
      body: {
        site_id: home!.id,
        subject: 'other',
        content: `答应的事 ${promises}`,
        due: dayAhead(700),
        post: 2,
        answers: [],
      },
    })
    await gm.call(ownersApi.change, {
      body: { ...(await signatory(home!.id)), name: '接手的人', phone: '', promises, reason: '房屋转让' },
    })
    expect((await gm.call(promisesApi.list, { query: { id } })).list[0]).toMatchObject({ state })
    await server.sql(`UPDATE promises SET state = 'withdrawn' WHERE id = $1`, [id])
  }
})

test('of two who change the owner at once one is told who was first', async () => {
  const id = await site('蒋女士', '13900002008')
  const seen = await signatory(id)
  const change = (name: string) =>
    gm.ask(ownersApi.change, { body: { ...seen, name, phone: '', reason: '房屋转让' } })
  const codes = (await Promise.all([change('沈先生'), change('韩先生')])).map((a) => a.code).sort()
  expect(codes).toEqual([200, 409])
  expect((await people(id)).filter((p) => p.here)).toHaveLength(1)
})

test('other people of a home: eight at most, never a second owner, removed with a reason', async () => {
  const id = await site('杨女士', '13900002009')
  const add = (name: string, relation: 'spouse' | 'owner' | 'other', phone = '') =>
    steward.ask(ownersApi.addContact, { body: { site_id: id, name, relation, phone } })
  expect((await add('外人', 'spouse')).code).toBe(403)
  await server.sql(
    `UPDATE sites SET steward_id = (SELECT id FROM users WHERE user_name = 'steward') WHERE id = $1`,
    [id],
  )
  steward = await server.as('steward')
  expect((await add('朱先生', 'owner')).msg).toBe('业主只有一位，其他人请选别的关系')
  for (let i = 0; i < 8; i += 1) expect((await add(`亲友${i}`, 'other', '13900002009')).code).toBe(200)
  expect((await add('第九位', 'other')).msg).toBe('除业主外最多 8 位联系人')
  const { contacts } = await steward.call(ownersApi.details, { query: { site_id: id } })
  const [, first, second] = contacts
  expect(first!.phone).toBe('139****2009')
  await steward.call(ownersApi.editContact, {
    body: { id: first!.id, version: first!.version, name: '秦先生', relation: 'spouse', phone: '' },
  })
  const stale = await steward.ask(ownersApi.endContact, {
    body: { id: first!.id, version: first!.version, reason: '搬走了' },
  })
  expect([stale.code, stale.msg]).toEqual([409, expect.stringContaining('已被')])
  await steward.call(ownersApi.endContact, {
    body: { id: second!.id, version: second!.version, reason: '搬走了' },
  })
  const gone = await steward.ask(ownersApi.editContact, {
    body: { id: second!.id, version: second!.version + 1, name: '回来', relation: 'other' },
  })
  expect(gone.msg).toBe('这位联系人已经不属于这个家了')
  expect((await homeOf(id))!.contacts).toBe(7)
  expect((await people(id)).filter((p) => p.name === '秦先生')).toEqual([
    { name: '秦先生', relation: 'spouse', here: true },
  ])
})

test('a number is read by a reason, and the look stands in the log before it leaves', async () => {
  const id = await site('尤女士', '13900002010')
  const { id: contact } = await signatory(id)
  expect((await service.ask(ownersApi.phone, { body: { id: contact, reason: '' } })).code).toBe(400)
  expect((await service.call(ownersApi.phone, { body: { id: contact, reason: '回访' } })).phone).toBe(
    '13900002010',
  )
  const lines = await toldLog(server, `object = 'contact' AND object_id = $1`, [id])
  expect(lines[0]).toMatchObject({ action: '查看联系人电话', after: { name: '尤女士', reason: '回访' } })
  const all = await server.sql<{ text: string }>(
    `SELECT concat(before, after, beside) AS text FROM user_logs WHERE object = 'contact'`,
  )
  // Not within an id.
  expect(all.filter(({ text }) => /\b1\d{10}\b/.test(text))).toEqual([])
  expect(
    (await (await server.as('cashier')).ask(ownersApi.phone, { body: { id: contact, reason: '看看' } })).code,
  ).toBe(401)
  // Who reads it beside the site reads it beside the owner.
  expect(
    (await (await server.as('hq_ops')).call(ownersApi.phone, { body: { id: contact, reason: '督办' } }))
      .phone,
  ).toBe('13900002010')
})

test('found by name and by the whole number, by who may open them; the file holds no number', async () => {
  const id = await site('罕见姓名', '13900002011')
  const hits = async (who: Person, keyword: string) =>
    (await who.call(searchApi.all, { query: { keyword } })).filter((h) => h.kind === 'owner')
  expect(await hits(gm, '罕见姓')).toEqual([
    expect.objectContaining({ title: '罕见姓名', link: `/OwnerInfo?site_id=${id}` }),
  ])
  expect((await hits(gm, '13900002011')).map((h) => h.title)).toEqual(['罕见姓名'])
  expect(await hits(gm, '1390000201')).toEqual([])
  expect(await hits(await server.as('supplier'), '罕见姓')).toEqual([])
  expect(await hits(await server.as('branch_gm2'), '罕见姓')).toEqual([])
  const find = async (keyword: string) =>
    (await gm.call(ownersApi.list, { query: { keyword } })).list.map((h) => h.ownerName)
  expect([await find('罕见姓'), await find('13900002011'), await find('0002011')]).toEqual([
    ['罕见姓名'],
    ['罕见姓名'],
    [],
  ])
  const file = await gm.ask(ownersApi.export, { query: { id } })
  const cells = await cellsOf(file.bytes)
  expect(cells[0]!.slice(0, 3)).toEqual(['姓名', '最急时限', '电话'])
  expect([cells[1]![0], cells[1]![2]]).toEqual(['罕见姓名', '139****2011'])
  expect((await steward.ask(ownersApi.export, { query: {} })).code).toBe(401)
})

test('a home that goes to another branch takes its people along; the old branch has lost them', async () => {
  const admin = await server.as('admin')
  const id = await site('许女士', '13900002012')
  const kept = await site()
  await gm.call(ownersApi.add, { body: { site_id: kept, name: '许女士', phone: '13900002012' } })
  await gm.call(ownersApi.addContact, { body: { site_id: id, name: '许先生', relation: 'spouse' } })
  const [other] = await server.sql<{ bc_id: string }>(`SELECT bc_id FROM companies WHERE code = 'NB'`)
  const { version } = await admin.call(sitesApi.details, { query: { id } })
  await admin.call(sitesApi.move, { body: { id, version, bc_id: other!.bc_id, reason: '业主搬家' } })
  expect(await homeOf(id)).toBeUndefined()
  expect(await homeOf(kept)).toMatchObject({ ownerName: '许女士' })
  const theirs = await server.as('branch_gm2')
  expect(await homeOf(id, theirs)).toMatchObject({ ownerName: '许女士', contacts: 1 })
  // Two records now: what is corrected in one branch is not in the other.
  const { contact_id, contactVersion } = (await homeOf(id, theirs))!
  await theirs.call(ownersApi.correct, {
    body: { id: contact_id, version: contactVersion, name: '许晓云', phone: '', reason: '更正姓名' },
  })
  expect(await homeOf(kept)).toMatchObject({ ownerName: '许女士' })
})
