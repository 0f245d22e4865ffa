import { filesApi } from '@zhuguan/contract/features/files/files.api.ts'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { draw } from '../../../simulator/pictures.ts'
import { report, sendFile } from '../../testing/device.ts'
import { startTestServer, type TestServer } from '../../testing/start.ts'
import { seconds } from '../../testing/time.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.stop())

test('the branch’s watermark stands on the whole picture, in the name of who looks, and on no small one', async () => {
  const camera = server.devices.find((d) => d.type === 'camera' && d.sn.includes('HZ'))!
  const { data } = await sendFile(
    server.url,
    camera,
    await draw({ type: 'smoking', variant: 1, camera: camera.sn, time: '2026-11-21 10:00:00' }),
  )
  await report(server.url, camera, [
    { id: 'seen', kind: 'alarm', at: seconds() - 5, type: 'smoking', confidence: 0.9, picture: data.key },
  ])
  const gm = await server.as('branch_gm')
  const look = async (size?: 'thumb') => {
    const response = await fetch(
      `${server.url}${filesApi.get.path}?key=${data.key}${size ? `&size=${size}` : ''}`,
      { headers: { token: gm.token, 'tenant-id': gm.tenant } },
    )
    const bytes = Buffer.from(await response.arrayBuffer())
    return {
      cache: response.headers.get('cache-control'),
      pixels: await sharp(bytes).resize(320, 180).greyscale().raw().toBuffer(),
    }
  }
  const plain = await look()
  const small = await look('thumb')
  await server.sql(
    `INSERT INTO settings (tenant_id, bc_id, key, value) SELECT tenant_id, bc_id, 'watermark', 'true' FROM companies WHERE code = 'HZ'`,
  )
  const marked = await look()
  /** How many of the pixels are clearly another than before. */
  const changed = (a: Buffer, b: Buffer) =>
    a.reduce((n, v, i) => n + (Math.abs(v - b[i]!) > 8 ? 1 : 0), 0) / a.length
  expect(changed(plain.pixels, marked.pixels)).toBeGreaterThan(0.008)
  expect(marked.cache).toBe('no-store')
  expect(plain.cache).toContain('max-age')
  expect(changed(small.pixels, (await look('thumb')).pixels)).toBe(0)
  const tiny = await sharp({ create: { width: 40, height: 30, channels: 3, background: '#123' } })
    .jpeg()
    .toBuffer()
  const { watermarked } = await import('./watermark.service.ts')
  expect((await sharp(await watermarked(tiny, '<甲> & 乙')).metadata()).width).toBe(40)
})
