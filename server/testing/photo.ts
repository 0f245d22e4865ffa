import { filesApi } from '@zhuguan/contract/features/files/files.api.ts'
import sharp from 'sharp'

import type { Person } from './person.ts'

let drawn = 0
/** A picture of one colour, as JPEG; unless one is given no two have the same. */
export const plainJpeg = (
  background = `#${(0x200000 + ((++drawn * 991) % 0xe00000)).toString(16)}`,
  { width = 40, height = 30 }: { width?: number; height?: number } = {},
): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background } })
    .jpeg()
    .toBuffer()

/** Uploads a JPEG as this person; answers its key. */
export async function uploadPhoto(url: string, who: Person, bytes?: Buffer): Promise<string> {
  const response = await fetch(url + filesApi.upload.path, {
    method: 'POST',
    headers: { token: who.token, 'tenant-id': who.tenant, 'content-type': 'image/jpeg' },
    body: new Uint8Array(bytes ?? (await plainJpeg())),
  })
  const { data, msg } = (await response.json()) as { data: { key: string } | null; msg: string }
  if (!data) throw new Error(`photo: ${response.status} ${msg}`)
  return data.key
}
