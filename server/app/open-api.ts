import { createHash } from 'node:crypto'

import { api } from '@zhuguan/contract/api.ts'
import type { Endpoint } from '@zhuguan/contract/kit/api.ts'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'

import type { Built } from './build.ts'

interface Schema {
  properties?: Record<string, object>
  required?: string[]
}
/** What refers to itself has a name (`.meta({ id })`) and stands among the document's own schemas. */
const named: Record<string, object> = {}
function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Schema {
  const { $schema: _dialect, $defs, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  const moved = JSON.parse(
    JSON.stringify({ rest, $defs: $defs ?? {} }).replaceAll('#/$defs/', '#/components/schemas/'),
  ) as { rest: Schema; $defs: Record<string, object> }
  Object.assign(named, moved.$defs)
  return moved.rest
}
const NAMES = new Map<Endpoint, { tag: string; id: string }>(
  Object.entries(api).flatMap(([tag, calls]) =>
    Object.entries(calls as Record<string, Endpoint>).map(
      ([name, endpoint]) => [endpoint, { tag, id: `${tag}_${name}` }] as const,
    ),
  ),
)
const json = (schema: object) => ({ 'application/json': { schema } })
const envelope = (data: object) => ({
  type: 'object',
  required: ['code', 'msg', 'data'],
  properties: {
    code: { type: 'integer', description: '200 为成功，其余见错误目录' },
    msg: { type: 'string', description: '给人看的一句话' },
    data,
  },
})
const answered = (endpoint: Endpoint) =>
  endpoint.raw
    ? { description: '文件或数据流；被拒绝时是信封', content: { '*/*': { schema: {} } } }
    : { description: '信封', content: json(envelope(schemaOf(endpoint.data, 'output'))) }
const REFUSED = {
  401: { $ref: '#/components/responses/SignIn' },
  403: { $ref: '#/components/responses/Forbidden' },
  429: { $ref: '#/components/responses/Later' },
  503: { $ref: '#/components/responses/Later' },
}
function security(endpoint: Endpoint): object[] {
  if (endpoint.access === 'public') return []
  return endpoint.access === 'device' ? [{ device: [] }] : [{ token: [], tenant: [] }]
}
/** What a write may carry, that it is done once however often it is sent (docs/decisions/0142). */
const ONCE = '可带 Idempotency-Key 请求头：断线后原样再发一次，只做一次，答案相同。'

function operation(endpoint: Endpoint): object {
  const query: Schema = endpoint.query ? schemaOf(endpoint.query, 'input') : {}
  const { tag, id } = NAMES.get(endpoint)!
  return {
    operationId: id,
    tags: [tag],
    summary: endpoint.title,
    description: `${endpoint.title}。${endpoint.body ? ONCE : ''}`,
    security: security(endpoint),
    parameters: Object.entries(query.properties ?? {}).map(([name, schema]) => ({
      name,
      in: 'query',
      required: query.required?.includes(name) ?? false,
      schema,
    })),
    ...(endpoint.body
      ? { requestBody: { required: true, content: json(schemaOf(endpoint.body, 'input')) } }
      : {}),
    responses: { 200: answered(endpoint), ...REFUSED },
  }
}

/** The API as an OpenAPI document, derived from the same endpoints that the server answers. */
export function openApi(routes: Built['routes']): object {
  const paths: Record<string, Record<string, object>> = {}
  for (const { method, path, endpoint } of routes)
    if (NAMES.has(endpoint)) paths[path] = { ...paths[path], [method.toLowerCase()]: operation(endpoint) }
  const header = (name: string, description: string) => ({ type: 'apiKey', in: 'header', name, description })
  const refused = (description: string) => ({ description, content: json(envelope({})) })
  return {
    openapi: '3.1.0',
    info: {
      title: '筑管',
      version: '1',
      description: '装修集团员工后台的全部调用。应答是信封 {code, msg, data}；code 200 为成功。',
      license: { name: 'UNLICENSED', identifier: 'LicenseRef-UNLICENSED' },
    },
    servers: [{ url: '/' }],
    tags: Object.entries(api).map(([name, calls]) => ({
      name,
      description: Object.values(calls as Record<string, Endpoint>)
        .map((endpoint) => endpoint.title)
        .join('、'),
    })),
    components: {
      schemas: named,
      securitySchemes: {
        token: header('token', '登录得到的令牌'),
        tenant: header('tenant-id', '登录得到的租户'),
        device: header('x-sign', '设备签名，与 x-device-sn、x-timestamp、x-nonce 一起，见设备协议'),
      },
      responses: {
        SignIn: refused('没有登录，或登录已失效'),
        Forbidden: refused('没有权限'),
        Later: {
          ...refused('现在太忙，过 Retry-After 秒再试'),
          headers: { 'Retry-After': { schema: { type: 'integer' }, description: '秒' } },
        },
      },
    },
    paths,
  }
}

/** Formed once, at the first question: it is large, and strangers may ask for it. */
export function serveOpenApi(app: FastifyInstance, routes: () => Built['routes']): void {
  let formed: { text: string; tag: string } | undefined
  app.get('/open/openapi.json', (request, reply) => {
    if (!formed) {
      const text = JSON.stringify(openApi(routes()))
      formed = { text, tag: `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"` }
    }
    reply.header('etag', formed.tag).header('cache-control', 'no-cache')
    if (request.headers['if-none-match'] === formed.tag) return reply.status(304).send()
    return reply.header('content-type', 'application/json; charset=utf-8').send(formed.text)
  })
}
