import h264 from 'h264-mp4-encoder'
import { BufferSource, BufferTarget, Conversion, Input, MP4, Mp4OutputFormat, Output } from 'mediabunny'

import { chance } from './days.ts'
import { drawMark } from './frame-mark.ts'
import { pixelsOf } from './pictures.ts'

const WIDTH = 640
const HEIGHT = 360
export const FRAMES_A_SECOND = 2
/** A key frame every so many seconds: no seek decodes more than that. */
const KEY_S = 5
const QUALITY = 36
const FASTEST = 10
const SHANGHAI_MS = 8 * 3_600_000

/** A stretch of what one camera sees, from a Unix second on. */
export interface Stretch {
  sn: string
  from: number
  seconds: number
}

/** To and fro across the room, so that each frame differs from the one before. */
function walked(sn: string, from: number, frame: number): number {
  const way = 620
  const gone = (Math.floor(chance(sn, from) * 2 * way) + frame * 7) % (2 * way)
  return 170 + Math.min(gone, 2 * way - gone)
}

/** The encoder's files play but cannot be sought in; with their index first, browsers find every frame. */
async function withIndex(bytes: Uint8Array): Promise<Buffer> {
  const target = new BufferTarget()
  const copy = await Conversion.init({
    input: new Input({ source: new BufferSource(bytes), formats: [MP4] }),
    output: new Output({ format: new Mp4OutputFormat({ fastStart: 'in-memory' }), target }),
  })
  await copy.execute()
  return Buffer.from(target.buffer!)
}

/** An MP4 (H.264) of somebody at work on the camera's site; each frame bears the camera and its second (`readMark`). */
export async function film({ sn, from, seconds }: Stretch): Promise<Buffer> {
  const encoder = await h264.createH264MP4Encoder()
  Object.assign(encoder, {
    outputFilename: `${sn}-${from}.mp4`,
    width: WIDTH,
    height: HEIGHT,
    frameRate: FRAMES_A_SECOND,
    groupOfPictures: KEY_S * FRAMES_A_SECOND,
    quantizationParameter: QUALITY,
    speed: FASTEST,
  })
  encoder.initialize()
  try {
    for (let frame = 0; frame < seconds * FRAMES_A_SECOND; frame += 1) {
      const second = from + Math.floor(frame / FRAMES_A_SECOND)
      const pixels = await pixelsOf(
        {
          type: 'working',
          variant: Math.floor(chance(sn, 'room') * 1_000),
          camera: sn,
          time: new Date(second * 1_000 + SHANGHAI_MS).toISOString().slice(0, 19).replace('T', ' '),
          at: walked(sn, from, frame),
        },
        WIDTH,
      )
      drawMark({ pixels, width: WIDTH, height: HEIGHT }, { sn, second })
      encoder.addFrameRgba(pixels)
    }
    encoder.finalize()
    const bytes = encoder.FS.readFile(encoder.outputFilename)
    encoder.FS.unlink(encoder.outputFilename)
    return await withIndex(bytes)
  } finally {
    encoder.delete()
  }
}
