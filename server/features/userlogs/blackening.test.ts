import { ownersApi } from '@zhuguan/contract/features/owners/owners.api.ts'
import { sitesApi } from '@zhuguan/contract/features/sites/sites.api.ts'
import { userlogsApi } from '@zhuguan/contract/features/userlogs/userlogs.api.ts'
import { workersApi } from '@zhuguan/contract/features/workers/workers.api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { row, text } from '../../kit/row.ts'
import { cellsOf, download } from '../../testing/sheets.ts'
import { type Person, startTestServer, type TestServer } from '../../testing/start.ts'
import { forget, sealAll } from '../../testing/told-log.ts'

let server: TestServer
let gm: Person
let admin: Person
let bc: string
beforeAll(async () => {
  server = await startTestServer()
  ;[gm, admin] = [await server.as('branch_gm'), await server.as('admin')]
  ;[{ bc }] = (await server.sql<{ bc: string }>(
    `SELECT bc_id AS bc FROM users WHERE user_name = 'branch_gm'`,
  )) as [{ bc: string }]
})
afterAll(() => server.stop())

const group = (tenant = admin.tenant) => ({ tenant, bcs: null, sites: null, user: null })
const blacken = (...values: string[]) => forget(server, admin.tenant, ...values)
const seal = () => sealAll(server, admin.tenant)
/** The button of the log's page. */
const verify = async () => {
  await seal()
  return admin.call(userlogsApi.verify, { body: { next: null } })
}
const linesOf = async (object_id: string, who = gm) =>
  (await who.call(userlogsApi.list, { query: { object_id, pageSize: 100 } })).list
const changesOf = async (object_id: string, action: string) =>
  (await linesOf(object_id)).find((l) => l.action === action)!.changes
const sheetOf = async () => JSON.stringify(await cellsOf(await download(server.url, gm, userlogsApi.export)))
/** Everything that the table holds of whatever says a word, as the owner of the database reads it. */
const kept = async (word: string) =>
  server.sql<{ seq: number; line: string; held: string }>(
    `SELECT l.seq, l::text AS line, concat(l.before, l.after) AS held FROM user_logs l WHERE strpos(l::text, $1) > 0
     ORDER BY l.id`,
    [word],
  )

let made = 0
/** A home of its own with this owner. */
const homeOf = async (owner: string, ownerPhone: string, address = '甲路 1 号') =>
  (
    await gm.call(sitesApi.add, {
      body: { ws_name: `涂黑小区 ${(made += 1)} 幢`, bc_id: bc, address, owner, ownerPhone },
    })
  ).id
/** A line as releases before wrote it: all its words are in the chain. */
async function oldLine(facts: { after: object; before?: object; user_name?: string; object_id?: string }) {
  await seal()
  const id = `01900000-0000-7000-8000-${String((made += 1)).padStart(12, '0')}`
  await server.sql(
    `INSERT INTO user_logs (tenant_id, id, user_name, action, object, object_id, before, after, at)
     VALUES ($1, $2, $3, '编辑联系人', 'contact', $4, $5, $6, :now)`,
    [
      admin.tenant,
      id,
      facts.user_name ?? 'steward',
      facts.object_id ?? id,
      facts.before ? JSON.stringify(facts.before) : null,
      JSON.stringify(facts.after),
    ],
  )
  await seal()
  const [line] = await server.sql<{ seq: string }>('SELECT seq FROM user_logs WHERE id = $1', [id])
  return { id, seq: Number(line!.seq) }
}

test('a name stands beside the line: the chain has its digest, page and sheet have the name', async () => {
  const site = await homeOf('梅旁立', '13900770001', '旁立路 8 号')
  const rows = await kept('梅旁立')
  expect(rows.length).toBeGreaterThan(0)
  for (const { held } of rows) {
    expect(held).not.toContain('梅旁立')
    expect(held).toContain('digest')
  }
  expect((await kept('旁立路 8 号')).every((r) => !r.held.includes('旁立路'))).toBe(true)
  const [line] = await linesOf(site)
  expect(line!.changes).toEqual(
    expect.arrayContaining([
      { title: '业主', before: '', after: '梅旁立' },
      { title: '地址', before: '', after: '旁立路 8 号' },
      { title: '业主电话', before: '', after: '139****0001' },
    ]),
  )
  expect(line).not.toHaveProperty('beside')
  expect(await sheetOf()).toContain('业主：梅旁立')
  // Two lines of one name share no digest: nobody sees that they are about the same person.
  await homeOf('梅旁立', '13900770001', '旁立路 8 号')
  const digests = (await kept('梅旁立')).flatMap((r) => r.held.match(/[\da-f]{64}/g) ?? [])
  expect(new Set(digests).size).toBe(digests.length)
  expect(await verify()).toMatchObject({ ok: true, blackened: 0 })
})

test('who is forgotten stands in no line any more; the chain holds and counts the lines', async () => {
  const before = await verify()
  const site = await homeOf('葛忘川', '13900770002', '忘川路 9 号 3 幢')
  await gm.call(ownersApi.addContact, {
    body: { site_id: site, name: '葛小川', relation: 'child', phone: '13900770012' },
  })
  const contact = (await gm.call(ownersApi.details, { query: { site_id: site } })).contacts[0]!
  await gm.call(ownersApi.correct, {
    body: {
      id: contact.id,
      version: contact.version,
      name: '葛忘川川',
      phone: '',
      reason: '葛忘川自己说写错了',
    },
  })
  const mine = new Set([...(await kept('葛忘川')), ...(await kept('139****0002'))].map((r) => r.line)).size
  const done = await blacken('葛忘川', '葛忘川川', '13900770002', '忘川路 9 号 3 幢')
  expect(done).toEqual({ lines: mine, rewritten: 0 })
  for (const word of ['葛忘川', '139****0002', '忘川路']) expect(await kept(word), word).toEqual([])
  // The child of the home asked for nothing.
  expect((await kept('葛小川')).length).toBeGreaterThan(0)

  const added = await changesOf(site, '新增工地')
  expect(added).toEqual(
    expect.arrayContaining([
      { title: '业主', before: '', after: '（已删除）' },
      { title: '业主电话', before: '', after: '（已删除）' },
      { title: '地址', before: '', after: '（已删除）' },
      { title: '工地名称', before: '', after: expect.stringContaining('涂黑小区') },
    ]),
  )
  // Whether the name changed nobody can say any more: it is said that there was one.
  expect(await changesOf(site, '更正业主')).toEqual(
    expect.arrayContaining([
      { title: '姓名', before: '（已删除）', after: '（已删除）' },
      { title: '原因', before: '', after: '（已删除）' },
    ]),
  )
  const sheet = await sheetOf()
  expect(sheet).not.toContain('葛忘川')
  expect(sheet).toContain('业主：（已删除）')
  expect(sheet).toContain('葛小川')
  const after = await verify()
  expect([after.ok, after.blackened - before.blackened]).toEqual([true, mine])
  expect((await admin.call(userlogsApi.chain)).verified).toMatchObject({
    ok: true,
    blackened: after.blackened,
  })
  // Asked once more nothing is left to do.
  expect(await blacken('葛忘川', '13900770002')).toEqual({ lines: 0, rewritten: 0 })
})

test('lines of before are written over, and the chain goes on from the hash that they had', async () => {
  const before = await verify()
  const [first, second, third, other] = [
    await oldLine({
      user_name: '业主 商往昔',
      before: { name: '商往昔', phone: '139****0003' },
      after: { name: '商往昔（新）', rows: [{ to: '交给商往昔', n: 3 }], reason: '商往昔 13900770003 来电' },
    }),
    await oldLine({ after: { person: '139****0003' }, object_id: '商往昔的链接' }),
    // Of a mobile number enough stands when it is hidden.
    await oldLine({ after: { phone: '139****0003', n: 1 } }),
    await oldLine({ after: { name: '商往后', phone: '139****0004' } }),
  ]
  expect(await verify()).toMatchObject({ ok: true, blackened: before.blackened })
  const [hash] = await server.sql<{ hash: string }>('SELECT hash FROM user_logs WHERE id = $1', [first.id])
  expect(await blacken('商往昔', '13900770003')).toEqual({ lines: 3, rewritten: 3 })
  const rows = await server.sql<Record<string, unknown>>(
    'SELECT user_name, object_id, before, after, hash FROM user_logs WHERE id = ANY ($1) ORDER BY id',
    [[first.id, second.id, third.id, other.id]],
  )
  expect(rows).toEqual([
    {
      user_name: '业主 （已删除）',
      object_id: first.id,
      before: { name: '（已删除）', phone: '（已删除）' },
      after: {
        name: '（已删除）（新）',
        rows: [{ to: '交给（已删除）', n: 3 }],
        reason: '（已删除） （已删除） 来电',
      },
      hash: hash!.hash,
    },
    expect.objectContaining({ object_id: '（已删除）的链接', after: { person: '（已删除）' } }),
    expect.objectContaining({ after: { phone: '（已删除）', n: 1 } }),
    expect.objectContaining({ after: { name: '商往后', phone: '139****0004' } }),
  ])
  expect(await verify()).toMatchObject({ ok: true, blackened: before.blackened + 3 })
  expect((await linesOf(first.id, admin))[0]).toMatchObject({ userName: '业主 （已删除）' })

  // Another person of the same line is forgotten later: one entry, counted once.
  expect(await blacken('（新）')).toEqual({ lines: 1, rewritten: 1 })
  expect(await verify()).toMatchObject({ ok: true, blackened: before.blackened + 3 })
})

test('what others may have by chance stays: short words within texts, and hidden numbers that look alike', async () => {
  const long = await oldLine({
    after: { name: '单凤鸣', text: '单号 501', phone: '****22', room: '501', at: '凤' },
  })
  const strange = await oldLine({ after: { name: '别人', phone: '****22', note: '501 室', at: '凤来' } })
  expect(await blacken('单凤鸣', '0571-88770022', '501', '凤', '  ', '')).toEqual({ lines: 1, rewritten: 1 })
  const of = async (id: string) => (await server.sql(`SELECT after FROM user_logs WHERE id = $1`, [id]))[0]
  expect(await of(long.id)).toEqual({
    after: {
      name: '（已删除）',
      text: '单号 501',
      phone: '（已删除）',
      room: '（已删除）',
      at: '（已删除）',
    },
  })
  expect(await of(strange.id)).toEqual({
    after: { name: '别人', phone: '****22', note: '501 室', at: '凤来' },
  })
  expect(await blacken('', ' ')).toEqual({ lines: 0, rewritten: 0 })
})

test('lines that are not in the chain yet are sealed first, hundreds of lines are found, quotes too', async () => {
  await seal()
  const many = 1_100
  await server.sql(
    `INSERT INTO user_logs (tenant_id, id, action, object, object_id, after, at)
     SELECT $1, gen_random_uuid(), '新增联系人', 'contact', 'many', jsonb_build_object('name', '包"多多\\', 'n', n),
       :now
     FROM generate_series(1, $2::int) n`,
    [admin.tenant, many],
  )
  expect(await blacken('包"多多\\')).toEqual({ lines: many, rewritten: many })
  expect(await kept('多多')).toEqual([])
  expect(
    await server.sql('SELECT count(*)::int AS n FROM user_logs WHERE object_id = $1 AND seq IS NULL', [
      'many',
    ]),
  ).toEqual([{ n: 0 }])
  expect(await verify()).toMatchObject({ ok: true })
})

/** What stands of a line and its entry, and how it is put back. */
async function tamperWith(seq: number, statement: string, values: unknown[] = []): Promise<string> {
  const args = [admin.tenant, seq]
  const [line] = await server.sql<{ line: string }>(
    'SELECT to_jsonb(l)::text AS line FROM user_logs l WHERE tenant_id = $1 AND seq = $2',
    args,
  )
  const [entry] = await server.sql<{ entry: string }>(
    'SELECT to_jsonb(b)::text AS entry FROM log_blackened b WHERE tenant_id = $1 AND seq = $2',
    args,
  )
  await server.sql(statement, values)
  const verdict = await verify()
  expect([statement, verdict.ok]).toEqual([statement, false])
  await server.sql(
    `UPDATE user_logs l SET user_name = o.user_name, object_id = o.object_id, before = o.before, after = o.after,
       beside = o.beside, action = o.action, hash = o.hash
     FROM jsonb_populate_record(NULL::user_logs, $3::jsonb) o
     WHERE l.tenant_id = $1 AND l.seq = $2`,
    [...args, line!.line],
  )
  await server.sql('DELETE FROM log_blackened WHERE tenant_id = $1 AND (seq = $2 OR seq > 1000000)', args)
  if (entry)
    await server.sql(
      'INSERT INTO log_blackened SELECT * FROM jsonb_populate_record(NULL::log_blackened, $1::jsonb)',
      [entry.entry],
    )
  expect(await verify()).toMatchObject({ ok: true })
  return verdict.why
}

test('each way to forge it is red with a sentence of its own', async () => {
  const site = await homeOf('滕未涂', '13900770005', '未涂路 5 号')
  await seal()
  const seqOf = async (id: string) =>
    Number(
      (
        await server.sql<{ seq: string }>(
          `SELECT seq FROM user_logs WHERE object_id = $1 AND action = '新增工地'`,
          [id],
        )
      )[0]!.seq,
    )
  const fresh = await seqOf(site)
  const line = `tenant_id = '${admin.tenant}' AND seq = ${fresh}`
  // A value that was never asked to be forgotten.
  expect(await tamperWith(fresh, `UPDATE user_logs SET beside = NULL WHERE ${line}`)).toBe(
    `第 ${fresh} 行的个人信息被删去，没有签名的涂黑记录`,
  )
  const [one] = await server.sql<{ digest: string }>(
    `SELECT e.key AS digest FROM user_logs l, jsonb_each(l.beside) e WHERE ${line} AND e.value ->> 1 = '滕未涂'`,
  )
  const { digest } = one!
  expect(
    await tamperWith(
      fresh,
      `UPDATE user_logs SET beside = jsonb_set(beside, '{${digest},1}', '"滕改名"') WHERE ${line}`,
    ),
  ).toBe(`第 ${fresh} 行的个人信息和它的指纹不符`)
  expect(
    await tamperWith(
      fresh,
      `UPDATE user_logs SET beside = beside || '{"${'0'.repeat(64)}": ["x", "多出来的"]}' WHERE ${line}`,
    ),
  ).toBe(`第 ${fresh} 行的个人信息和它的指纹不符`)
  expect(
    await tamperWith(
      fresh,
      `UPDATE user_logs SET after = replace(after::text, '${digest}', '${'1'.repeat(64)}')::jsonb WHERE ${line}`,
    ),
  ).toBe(`第 ${fresh} 行被改动`)
  // An entry that nobody signed makes nothing right.
  const entry = (signature: string) =>
    `WITH w AS (UPDATE user_logs SET beside = NULL WHERE ${line} RETURNING seq, hash)
     INSERT INTO log_blackened (tenant_id, seq, previous, was, stands, signature, at)
     SELECT '${admin.tenant}', w.seq, p.hash, w.hash, w.hash, '${signature}', :now
     FROM w JOIN user_logs p ON p.tenant_id = '${admin.tenant}' AND p.seq = w.seq - 1`
  expect(await tamperWith(fresh, entry('f'.repeat(64)))).toBe(`第 ${fresh} 行的涂黑记录不是系统签名的`)
  // Nor does one of another line, whether there is such a line or not.
  await oldLine({ after: { name: '滕已涂' } })
  await blacken('滕已涂')
  const another = (seq: number) =>
    `INSERT INTO log_blackened SELECT tenant_id, ${seq}, previous, was, stands, signature, at FROM log_blackened
     WHERE tenant_id = '${admin.tenant}' ORDER BY seq DESC LIMIT 1`
  expect(await tamperWith(fresh, another(fresh))).toBe(`第 ${fresh} 行的涂黑记录不是系统签名的`)
  expect(await tamperWith(fresh, another(1_000_001))).toBe('涂黑记录写着第 1000001 行，没有这一行')
})

test('a blackened line bears no change and no missing entry', async () => {
  const old = await oldLine({ after: { name: '房已涂', n: 1 } })
  await blacken('房已涂')
  const line = `tenant_id = '${admin.tenant}' AND seq = ${old.seq}`
  const changed = `第 ${old.seq} 行涂黑之后又被改动`
  for (const set of [
    `after = '{"name": "房已涂", "n": 1}'`,
    `after = '{"name": "（已删除）", "n": 2}'`,
    `action = '删除联系人'`,
    `beside = '{"x": ["y", "z"]}'`,
  ])
    expect(await tamperWith(old.seq, `UPDATE user_logs SET ${set} WHERE ${line}`)).toBe(changed)
  expect(await tamperWith(old.seq, `UPDATE user_logs SET hash = md5(hash) WHERE ${line}`)).toBe(
    `第 ${old.seq} 行的涂黑记录不是系统签名的`,
  )
  for (const set of [
    ...['previous', 'was', 'stands', 'signature'].map((column) => `${column} = md5(${column})`),
    `at = at + interval '1 day'`,
  ])
    expect(await tamperWith(old.seq, `UPDATE log_blackened SET ${set} WHERE ${line}`), set).toBe(
      `第 ${old.seq} 行的涂黑记录不是系统签名的`,
    )
  expect(await tamperWith(old.seq, `DELETE FROM log_blackened WHERE ${line}`)).toBe(
    `第 ${old.seq} 行被改动：像是涂黑，但没有签名的涂黑记录`,
  )
  // What somebody forged is not signed with it.
  const forged = await oldLine({ after: { name: '房待涂', n: 1 } })
  await server.sql(
    `UPDATE user_logs SET after = '{"name": "房待涂", "n": 9}' WHERE seq = $1 AND tenant_id = $2`,
    [forged.seq, admin.tenant],
  )
  await expect(blacken('房待涂')).rejects.toThrow(`第 ${forged.seq} 行被改动`)
  await server.sql(
    `UPDATE user_logs SET after = '{"name": "房待涂", "n": 1}' WHERE seq = $1 AND tenant_id = $2`,
    [forged.seq, admin.tenant],
  )
  expect(await verify()).toMatchObject({ ok: true })
})

test('the app’s own logins change no line but by taking words out of their own group’s', async () => {
  const { seq } = await oldLine({ after: { name: '寿界限' } })
  const denied = async (statement: string, of = admin.tenant) =>
    expect(
      server.db.tx(group(of), (tx) => tx.run('x', statement, [])),
      statement,
    ).rejects.toThrow(/permission denied|not the caller's own|more than words taken out/)
  for (const set of [`after = '{}'`, `before = '{}'`, `beside = '{}'`, `user_name = ''`, `object_id = ''`])
    await denied(`UPDATE user_logs SET ${set}`)
  await denied('DELETE FROM log_blackened')
  await denied(`UPDATE log_blackened SET signature = ''`)
  await denied(
    `INSERT INTO log_blackened (tenant_id, seq, previous, was, stands, signature, at)
     VALUES ('${admin.tenant}', 1, '', '', '', '', :now)`,
  )
  const asked = (after: string, who = 'steward', beside = 'NULL') =>
    `SELECT blacken_log('${admin.tenant}', ${seq}, '${who}', l.object_id, NULL, '${after}', ${beside}, '', '', '', :now)
     FROM user_logs l WHERE l.seq = ${seq}`
  await denied(asked('{"name": "寿改名"}'))
  await denied(asked('{"name": "（已删除）", "more": 1}'))
  await denied(asked('{}'))
  await denied(asked('{"name": "寿界限"}', 'somebody'))
  await denied(asked('{"name": "（已删除）"}', 'steward', `'{"a": ["b", "c"]}'`))
  const other = await server.as('other')
  await denied(
    `SELECT blacken_log('${admin.tenant}', ${seq}, '', '', NULL, NULL, NULL, '', '', '', :now)`,
    other.tenant,
  )
  const [mine] = await server.db.tx(
    group(),
    async (tx) =>
      (
        await tx.query(
          'test.line',
          row({ name: text }),
          `SELECT after ->> 'name' AS name FROM user_logs WHERE seq = $1`,
          [seq],
        )
      ).rows,
  )
  expect(mine).toEqual({ name: '寿界限' })
})

test('a worker whose lines are read by reason and remark is forgotten by name alone', async () => {
  const { id } = await gm.call(workersApi.add, {
    body: { bc_id: bc, w_type: 3, w_sex: 1, w_name: '巫工长', w_contact: '13900770006' },
  })
  expect((await linesOf(id))[0]).toMatchObject({ objectName: '巫工长' })
  await blacken('巫工长', '13900770006')
  expect(await changesOf(id, '新增工人')).toEqual(
    expect.arrayContaining([
      { title: '姓名', before: '', after: '（已删除）' },
      { title: '联系方式', before: '', after: '（已删除）' },
    ]),
  )
  expect(await verify()).toMatchObject({ ok: true })
})
