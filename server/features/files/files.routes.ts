import { filesApi } from '@zhuguan/contract/features/files/files.api.ts'
import { found, invalid, outside } from '../../kit/refuse.ts'
import { type Feature, serve } from '../../kit/serve.ts'
import { type FileStore, picture, thumbnail } from './file-store.ts'
import type { FileRow } from './files.service.ts'

const TYPES: Record<string, string> = { jpg: 'image/jpeg', png: 'image/png', webp: 'image/webp', mp4: 'video/mp4' }

export function filesFeature(store: FileStore): Feature {
  return serve(filesApi, {
    async get({ query }, call) {
      const { scope } = call.user
      const file = found(
        (await call.read(async (tx) => (await tx.query<FileRow>('files.one', 'SELECT key, user_id, bc_id, site_id, kind FROM files WHERE tenant_id = $1 AND key = $2', [scope.tenant, query.key])).rows[0])),
      )
      // A picture is seen by who sees its site; one that is not tied to a record yet, by who uploaded it.
      const tied = file.site_id !== null
      const visible = file.user_id === call.user.id || (tied && (!scope.bcs || scope.bcs.includes(file.bc_id ?? '')) && (!scope.sites || scope.sites.includes(file.site_id!)))
      if (!visible) throw outside()
      const ext = query.key.split('.').pop()!
      const thumb = query.size === 'thumb' && file.kind === 'picture'
      const bytes = thumb ? await thumbnail(store, query.key) : await store.read(query.key)
      await call.reply
        .header('content-type', thumb ? 'image/webp' : (TYPES[ext] ?? 'application/octet-stream'))
        .header('cache-control', 'private, max-age=86400, immutable')
        .header('x-content-type-options', 'nosniff')
        .send(bytes)
    },
    async upload(_input, call) {
      const body = call.request.body
      if (!Buffer.isBuffer(body) || body.length === 0) throw invalid('file', '请选择一张照片')
      const bytes = await picture(body)
      const key = await store.put(bytes, 'jpg')
      await call.write(async (tx) => {
        await tx.query('files.add', `INSERT INTO files (key, tenant_id, user_id, kind, bytes, at) VALUES ($1, $2, $3, 'picture', $4, $5)`, [key, call.user.tenant, call.user.id, bytes.length, call.now()])
        await call.log(tx, { action: '上传照片', object: 'file', objectId: key })
      })
      return { key }
    },
  })
}
