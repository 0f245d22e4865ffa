import { filesApi } from '@zhuguan/contract/features/files/files.api.ts'

import { upload } from '../../kit/api.ts'

const QUALITY = 0.9

/** The frame of a video at this moment, handed in as a picture; answers its key. */
export async function handIn(video: HTMLVideoElement): Promise<string> {
  const canvas = new OffscreenCanvas(video.videoWidth, video.videoHeight)
  canvas.getContext('2d')!.drawImage(video, 0, 0)
  const picture = await canvas.convertToBlob({ type: 'image/jpeg', quality: QUALITY })
  return (await upload<{ key: string }>(filesApi.upload, picture)).key
}
