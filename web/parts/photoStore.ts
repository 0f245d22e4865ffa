import { filesApi } from '@zhuguan/contract/features/files/files.api.ts'
import { createStore, delMany, get, set } from 'idb-keyval'

import { ApiError, randomKey, upload } from '../kit/api.ts'

/** A picture of a draft; its bytes stay in this browser until the draft is handed in. */
export interface DraftPhoto {
  id: string
  /** Where the server keeps it, once it has been sent. */
  key: string | null
  /** Why the server does not take it. */
  why?: string
}
const photos = createStore('zhuguan-patrol-photos', 'photos')

/** The server takes no more of one picture (file-store.ts). */
const MOST_BYTES = 8 * 1024 * 1024
const LONGEST = 2_560
/** A picture that is too large is made smaller; any other goes as it was taken, with the time that it says. */
async function fitting(file: Blob): Promise<Blob> {
  if (file.size <= MOST_BYTES) return file
  const bitmap = await createImageBitmap(file)
  const scale = Math.min(1, LONGEST / Math.max(bitmap.width, bitmap.height))
  const canvas = new OffscreenCanvas(Math.round(bitmap.width * scale), Math.round(bitmap.height * scale))
  canvas.getContext('2d')!.drawImage(bitmap, 0, 0, canvas.width, canvas.height)
  return canvas.convertToBlob({ type: 'image/jpeg', quality: 0.85 })
}
/** Puts a picture away in this browser. */
export async function keepPhoto(file: Blob): Promise<DraftPhoto> {
  const photo = { id: randomKey(), key: null }
  await set(photo.id, await fitting(file), photos)
  return photo
}
export const readPhoto = (id: string): Promise<Blob | undefined> => get<Blob>(id, photos)
export const dropPhotos = (ids: readonly string[]): Promise<void> => delMany([...ids], photos)

/** Without an answer, or while nobody is signed in, it is sent again; what was refused is not. */
export const isUnanswered = (error: unknown): boolean =>
  !(error instanceof ApiError) || [0, 401, 503].includes(error.code)

/** Sends a picture: as it stands then, or null where a browser that ran out of room has thrown it away. */
export async function sendPhoto(photo: DraftPhoto): Promise<DraftPhoto | null> {
  const bytes = await readPhoto(photo.id)
  if (!bytes) return null
  try {
    return { ...photo, ...(await upload<{ key: string }>(filesApi.upload, bytes)) }
  } catch (error) {
    if (isUnanswered(error)) throw error
    return { ...photo, why: (error as Error).message }
  }
}
