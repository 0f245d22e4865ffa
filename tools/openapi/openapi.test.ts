import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { createConfig, lintFromString } from '@redocly/openapi-core'
import openapiTypescript, { astToString } from 'openapi-typescript'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { sha256, startTestServer, type TestServer } from '../../server/testing/start.ts'

const ROOT = join(import.meta.dirname, '..', '..')
let server: TestServer
let text: string
let folder: string
beforeAll(async () => {
  server = await startTestServer()
  text = await (await fetch(`${server.url}/open/openapi.json`)).text()
  // Inside the repository, so that the client finds the compiler and its packages.
  folder = mkdtempSync(join(ROOT, '.tmp-client-'))
})
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await server.stop()
})

interface Document {
  paths: Record<string, Record<string, { operationId: string; tags: string[]; description: string }>>
  tags: { name: string }[]
}
const operationsOf = (document: Document) =>
  Object.values(document.paths).flatMap((path) => Object.values(path))

test('the document is read without an error by a linter of others, and a planted mistake is found', async () => {
  const config = await createConfig({ extends: ['recommended'] })
  const errorsOf = async (source: string) =>
    (await lintFromString({ source, config })).filter((p) => p.severity === 'error').map((p) => p.message)
  expect(await errorsOf(text)).toEqual([])
  const broken = JSON.parse(text) as { info: { title?: string } }
  delete broken.info.title
  expect(await errorsOf(JSON.stringify(broken))).not.toEqual([])
})

test('every call has a name of its own, a group that is described, and words', () => {
  const document = JSON.parse(text) as Document
  const operations = operationsOf(document)
  expect(operations.length).toBeGreaterThan(130)
  expect(new Set(operations.map((o) => o.operationId)).size).toBe(operations.length)
  const groups = document.tags.map((t) => t.name)
  for (const o of operations) {
    expect([o.operationId, groups.includes(o.tags[0]!)]).toEqual([o.operationId, true])
    expect([o.operationId, o.description.length > 2]).toEqual([o.operationId, true])
  }
})

test('a code says in the document which values it has, and what each means', () => {
  const { paths } = JSON.parse(text) as {
    paths: Record<string, { post: { requestBody: { content: { 'application/json': { schema: object } } } } }>
  }
  const { schema } = paths['/osmcore/api/recording/open']!.post.requestBody.content['application/json']
  expect(schema).toMatchObject({
    properties: {
      purpose: {
        enum: ['patrol', 'alarm', 'acceptance', 'owner', 'complaint', 'other'],
        description:
          'patrol 巡检，alarm 报警，acceptance 验收，owner 业主询问，complaint 投诉处理，other 其他',
      },
    },
  })
})

const CLIENT = (url: string, password: string) => `
import type { paths } from './schema.d.ts'

type Login = paths['/user/system/auth/login']['post']
type Sites = paths['/osmcore/api/site/list']['post']
type Answer<O extends { responses: { 200: { content: { 'application/json': unknown } } } }> =
  O['responses'][200]['content']['application/json']
const body: Login['requestBody']['content']['application/json'] = { username: 'pm', password: '${password}' }
const login = (await (
  await fetch('${url}/user/system/auth/login', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
).json()) as Answer<Login>
const query: NonNullable<Sites['parameters']['query']> = { pageSize: 10 }
const sites = (await (
  await fetch('${url}/osmcore/api/site/list?pageSize=' + String(query.pageSize), {
    method: 'POST',
    headers: { token: login.data.token, 'tenant-id': login.data.tenant_id },
  })
).json()) as Answer<Sites>
const names: string[] = sites.data.list.map((s) => s.ws_name)
// @ts-expect-error no row has it
void sites.data.list[0]?.siteName
console.log(JSON.stringify({ code: sites.code, total: sites.data.totalCount, names: names.length }))
`

test('a client generated from it compiles, and signs in and reads with it', async () => {
  const nodes = await openapiTypescript(text)
  writeFileSync(join(folder, 'schema.d.ts'), astToString(nodes))
  writeFileSync(join(folder, 'client.ts'), CLIENT(server.url, sha256('Zhuguan666')))
  const options = [
    '--noEmit',
    '--ignoreConfig',
    '--strict',
    '--module',
    'nodenext',
    '--target',
    'es2023',
    '--allowImportingTsExtensions',
  ]
  const compiled = spawnSync(
    join(ROOT, 'node_modules', '.bin', 'tsc'),
    [...options, '--types', 'node', 'client.ts'],
    {
      cwd: folder,
      encoding: 'utf8',
    },
  )
  expect(compiled.stdout).toBe('')
  const said = await new Promise<string>((resolve) => {
    const run = spawn(process.execPath, [join(folder, 'client.ts')], { stdio: ['ignore', 'pipe', 'inherit'] })
    let out = ''
    run.stdout.on('data', (b: Buffer) => (out += b.toString()))
    run.on('exit', () => resolve(out))
  })
  expect(JSON.parse(said)).toMatchObject({ code: 200 })
  expect((JSON.parse(said) as { total: number; names: number }).total).toBeGreaterThan(0)
})
