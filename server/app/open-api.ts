import { createHash } from 'node:crypto'

import type { FastifyInstance } from 'fastify'
import { z } from 'zod'

import type { Built } from './build.ts'

const schemaOf = (schema: z.ZodType, io: 'input' | 'output') =>
  z.toJSONSchema(schema, { io, unrepresentable: 'any', target: 'openapi-3.0' }) as {
    properties?: Record<string, object>
    required?: string[]
  }

/** The API as an OpenAPI document, derived from the same endpoints that the server answers. */
export function openApi(routes: Built['routes']): object {
  const paths: Record<string, Record<string, object>> = {}
  for (const { method, path, endpoint } of routes) {
    const query = endpoint.query ? schemaOf(endpoint.query, 'input') : {}
    paths[path] = {
      ...paths[path],
      [method.toLowerCase()]: {
        summary: endpoint.title,
        security: endpoint.access === 'public' ? [] : [{ token: [], tenant: [] }],
        parameters: Object.entries(query.properties ?? {}).map(([name, schema]) => ({
          name,
          in: 'query',
          required: query.required?.includes(name) ?? false,
          schema,
        })),
        ...(endpoint.body
          ? { requestBody: { content: { 'application/json': { schema: schemaOf(endpoint.body, 'input') } } } }
          : {}),
        responses: {
          200: {
            description: endpoint.raw ? '文件或数据流' : '信封',
            ...(endpoint.raw
              ? {}
              : {
                  content: {
                    'application/json': {
                      schema: {
                        type: 'object',
                        properties: {
                          code: { type: 'integer' },
                          msg: { type: 'string' },
                          data: schemaOf(endpoint.data, 'output'),
                        },
                      },
                    },
                  },
                }),
          },
        },
      },
    }
  }
  const header = (name: string) => ({ type: 'apiKey', in: 'header', name })
  return {
    openapi: '3.0.3',
    info: { title: '筑管', version: '1' },
    components: { securitySchemes: { token: header('token'), tenant: header('tenant-id') } },
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
