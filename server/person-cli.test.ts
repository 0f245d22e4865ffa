import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { api } from '@zhuguan/contract/api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { childEnv, WATCHED } from './testing/children.ts'
import { uploadPhoto } from './testing/photo.ts'
import { type Person, startTestServer, type TestServer } from './testing/start.ts'

const { customers, feedback, persons, userlogs } = api
let server: TestServer
let admin: Person, service: Person, gm: Person
let folder: string
beforeAll(async () => {
  server = await startTestServer()
  admin = await server.as('admin')
  service = await server.as('service')
  gm = await server.as('branch_gm')
  folder = mkdtempSync(join(tmpdir(), 'person-cli-'))
})
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await server.stop()
})

const cli = (...args: string[]) =>
  new Promise<{ status: number; answer: Record<string, unknown> | null; why: string }>((resolve) => {
    const env = childEnv({ DATABASE_URL: server.ownerUrl, DATA_DIR: server.dataDir })
    execFile(
      process.execPath,
      [...WATCHED, join(import.meta.dirname, 'cli.ts'), 'person', ...args],
      { encoding: 'utf8', env },
      (error, stdout, stderr) => {
        const status = error ? Number(error.code ?? 1) : 0
        const answer = status === 0 ? (JSON.parse(stdout) as Record<string, unknown>) : null
        resolve({ status, answer, why: stderr.trim() })
      },
    )
  })
const seen = (id: string) => admin.call(persons.details, { query: { id } })
/** A request about a customer; looked at with a paper, unless it is only received. */
async function asked(ask: 'collect' | 'erase', phone: string, isVerified = true) {
  const [who] = await service.call(persons.find, { query: { kind: 'customer', keyword: phone } })
  const { id } = await service.call(persons.add, {
    body: { ask, kind: 'customer', subject_id: who!.id, words: '来店签字提出' },
  })
  if (isVerified)
    await service.call(persons.verify, {
      body: { id, version: 0, proof: 'paper', paper: await uploadPhoto(server.url, service) },
    })
  return { id, no: (await seen(id)).no }
}
async function lead(name: string, phone: string) {
  const [place] = await server.sql<{ bc_id: string }>(`SELECT bc_id FROM users WHERE user_name = 'branch_gm'`)
  return gm.call(customers.add, { body: { bc_id: place!.bc_id, store_id: null, name, phone } })
}

test('collected on the machine: a file that was not there, by a second person who is named in the log', async () => {
  await lead('令狐采荷', '13966660001')
  const { id, no } = await asked('collect', '13966660001')
  const file = join(folder, 'all.pdf')
  writeFileSync(file, 'mine')
  const over = await cli('collect', no, file, '--by', 'admin')
  expect([over.status, over.why]).toEqual([1, `文件 ${file} 已存在，请换一个名字`])
  expect(readFileSync(file, 'utf8')).toBe('mine')
  expect((await seen(id)).state).toBe('verified')

  const other = join(folder, 'other.pdf')
  for (const [by, why] of [
    ['service', '没有'],
    ['nobody-here', '没有账号'],
  ] as const) {
    const no1 = await cli('collect', no, other, '--by', by)
    expect([by, no1.status, no1.why.includes(why) || no1.why.includes('核实的人')]).toEqual([by, 1, true])
  }
  expect((await cli('erase', no, '--by', 'admin')).why).toContain('查阅复制请求')
  expect((await cli('collect', 'GX-NONE', other, '--by', 'admin')).why).toBe('没有编号为 GX-NONE 的请求')
  expect(existsSync(other)).toBe(false)

  const done = await cli('collect', no, other, '--by', 'admin')
  expect(done.why).toBe('')
  expect(done.answer).toMatchObject({ no, by: 'admin', said: `${no} 已汇总给本人` })
  expect(readFileSync(other).subarray(0, 5).toString()).toBe('%PDF-')
  expect(await seen(id)).toMatchObject({ state: 'executed' })
  const [line] = await server.sql<{ user_name: string; agent: string }>(
    `SELECT user_name, agent FROM user_logs WHERE action = '汇总个人信息' AND object_id = $1`,
    [id],
  )
  expect(line).toEqual({ user_name: 'admin', agent: '命令行' })
})

test('erased on the machine as on the page: not before it is verified, not by who verified it, once', async () => {
  await lead('令狐采莲', '13966660002')
  const { id, no } = await asked('erase', '13966660002', false)
  expect((await cli('erase', no, '--by', 'admin')).status).toBe(1)
  expect((await seen(id)).state).toBe('received')
  // Whoever verified it is no second person.
  await admin.call(persons.verify, {
    body: { id, version: 0, proof: 'paper', paper: await uploadPhoto(server.url, admin) },
  })
  const own = await cli('erase', no, '--by', 'admin')
  expect([own.status, own.why]).toEqual([1, expect.stringContaining('不能自己执行')])
  expect((await seen(id)).state).toBe('verified')
  await server.sql(
    `UPDATE person_requests SET verified_id = (SELECT id FROM users WHERE user_name = 'service') WHERE id = $1`,
    [id],
  )
  const done = await cli('erase', no, '--by', 'admin')
  expect(done.why).toBe('')
  expect(done.answer).toMatchObject({ no, state: 'executed', said: `${no} 已删除` })
  expect(await seen(id)).toMatchObject({ state: 'executed', name: '' })
  const { list } = await gm.call(customers.list, { query: { keyword: '令狐采莲' } })
  expect(list).toEqual([])
  expect(readFileSync(join(server.dataDir, 'erasures.jsonl'), 'utf8').length).toBeGreaterThan(0)
  expect((await cli('erase', no, '--by', 'admin')).status).toBe(1)
  expect((await admin.call(userlogs.verify, { body: {} })).ok).toBe(true)
})

test('what stands in the way restricts, in words, with code 0; the rest is the night’s', async () => {
  const [home] = await server.sql<{ site: string; contact: string; phone: string }>(
    `SELECT w.id AS site, h.id AS contact, o.phone FROM sites w
     JOIN owners o ON o.tenant_id = w.tenant_id AND o.id = w.owner_id AND o.phone <> ''
     JOIN home_contacts h ON h.site_id = w.id AND h.owner_id = o.id AND h.ended_at IS NULL
     WHERE w.status = 4 AND w.bc_id = (SELECT bc_id FROM users WHERE user_name = 'branch_gm')
     ORDER BY w.code LIMIT 1`,
  )
  await gm.call(feedback.enter, {
    body: {
      site_id: home!.site,
      kind: 'complaint',
      level: 2,
      about: 'work',
      channel: 'phone',
      words: '墙面开裂，请来看看',
    },
  })
  const { id } = await service.call(persons.add, {
    body: { ask: 'erase', kind: 'owner', subject_id: home!.contact, words: '来店签字提出' },
  })
  await service.call(persons.verify, {
    body: { id, version: 0, proof: 'paper', paper: await uploadPhoto(server.url, service) },
  })
  const { no } = await seen(id)
  const done = await cli('erase', no, '--by', 'admin')
  expect(done.why).toBe('')
  expect(done.answer).toMatchObject({ state: 'restricted', said: expect.stringContaining('已受限') })
  expect(await seen(id)).toMatchObject({ state: 'restricted' })
})
