const TRIES = [
  { side: 1_600, quality: 0.8 },
  { side: 1_280, quality: 0.7 },
  { side: 960, quality: 0.6 },
] as const
/** The size that a server takes from somebody without an account, with room for headers. */
const MOST_BYTES = 1_000_000

const jpegOf = (canvas: HTMLCanvasElement, quality: number): Promise<Blob | null> =>
  new Promise((resolve) => canvas.toBlob(resolve, 'image/jpeg', quality))

/** A photo as a weak network can carry it: upright, smaller, JPEG. Undefined where it is no picture. */
export async function shrink(photo: Blob): Promise<Blob | undefined> {
  const picture = await createImageBitmap(photo, { imageOrientation: 'from-image' }).catch(() => undefined)
  if (!picture) return undefined
  try {
    for (const { quality, side } of TRIES) {
      const scale = Math.min(1, side / Math.max(picture.width, picture.height))
      const canvas = document.createElement('canvas')
      canvas.width = Math.round(picture.width * scale)
      canvas.height = Math.round(picture.height * scale)
      canvas.getContext('2d')?.drawImage(picture, 0, 0, canvas.width, canvas.height)
      const jpeg = await jpegOf(canvas, quality)
      if (jpeg && jpeg.size <= MOST_BYTES) return jpeg
    }
    return undefined
  } finally {
    picture.close()
  }
}
