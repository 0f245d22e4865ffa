import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import helmet from '@fastify/helmet'
import serveStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'

import { ROOT } from '../kit/paths.ts'

const DIST = join(ROOT, 'web', 'dist')

/** Other origins that a page may read from, because the installation's settings name them. */
export interface Outside {
  pictures: string[]
  /** The sign-in page offers the company's own sign-in; it reads so from a cookie, without a request of its own. */
  sso: boolean
}

/**
 * Serves the built pages; scripts inside index.html are allowed by their hash and no others (docs/figures.md, G-20).
 * Their kilobyte of headers is theirs alone: data is no document, PLAIN is all it needs (build.ts).
 */
export async function serveWeb(app: FastifyInstance, outside: Outside, dist = DIST): Promise<boolean> {
  const index = join(dist, 'index.html')
  const built = existsSync(index)
  const html = built ? readFileSync(index, 'utf8') : ''
  const hashes = [...html.matchAll(/<script(?![^>]*\bsrc=)[^>]*>([\s\S]*?)<\/script>/g)].map(
    (m) => `'sha256-${createHash('sha256').update(m[1]!).digest('base64')}'`,
  )
  await app.register(async (pages) => {
    await pages.register(helmet, {
      contentSecurityPolicy: {
        directives: {
          defaultSrc: [`'self'`],
          scriptSrc: [`'self'`, ...hashes],
          styleSrc: [`'self'`, `'unsafe-inline'`],
          imgSrc: [`'self'`, 'data:', 'blob:', ...outside.pictures],
          mediaSrc: [`'self'`, 'blob:'],
          connectSrc: [`'self'`],
          workerSrc: [`'self'`, 'blob:'],
          objectSrc: [`'none'`],
          frameAncestors: [`'none'`],
          upgradeInsecureRequests: null,
        },
      },
      strictTransportSecurity: false,
      crossOriginEmbedderPolicy: false,
    })
    if (!built)
      return void pages.get('/', (_request, reply) =>
        reply
          .status(503)
          .header('content-type', 'text/html; charset=utf-8')
          .send('网页还没有构建，请用 npm start 启动。'),
      )
    await pages.register(serveStatic, {
      root: dist,
      preCompressed: true,
      setHeaders: (reply, path) => {
        reply.header(
          'cache-control',
          path.includes('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
        )
        if (outside.sso && path.includes('index.html'))
          reply.header('set-cookie', 'sign-in=sso; Path=/; SameSite=Strict')
      },
    })
  })
  return built
}
