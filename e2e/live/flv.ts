import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Eight seconds of a test picture (ffmpeg's testsrc, H.264 without B-frames, a whole picture every second). */
const MOVIE = readFileSync(join(import.meta.dirname, 'live.flv'))
const HEAD_BYTES = 13
const TAG_BYTES = 11
const VIDEO = 9

interface Tag {
  bytes: Buffer
  ms: number
}
/** The head of an FLV stream, and its tags with their times. */
export function flvTags(): { head: Buffer; tags: Tag[] } {
  const tags: Tag[] = []
  let at = HEAD_BYTES
  while (at + TAG_BYTES < MOVIE.length) {
    const length = TAG_BYTES + MOVIE.readUIntBE(at + 1, 3) + 4
    tags.push({
      bytes: MOVIE.subarray(at, at + length),
      ms: MOVIE.readUIntBE(at + 4, 3) + MOVIE.readUInt8(at + 7) * 2 ** 24,
    })
    at += length
  }
  return { head: MOVIE.subarray(0, HEAD_BYTES), tags }
}

/** The H.264 units of each picture; the first of a whole picture are its parameters. */
export function h264Pictures(): { units: Buffer[]; ms: number }[] {
  const parameters: Buffer[] = []
  const pictures: { units: Buffer[]; ms: number }[] = []
  for (const { bytes, ms } of flvTags().tags) {
    if (bytes.readUInt8(0) !== VIDEO) continue
    const body = bytes.subarray(TAG_BYTES, -4)
    const isWhole = body.readUInt8(0) >> 4 === 1
    if (body.readUInt8(1) === 0) parameters.push(...parametersIn(body.subarray(5)))
    if (body.readUInt8(1) !== 1) continue
    const units: Buffer[] = isWhole ? [...parameters] : []
    for (let at = 5; at < body.length;) {
      const length = body.readUInt32BE(at)
      units.push(body.subarray(at + 4, at + 4 + length))
      at += 4 + length
    }
    pictures.push({ units, ms })
  }
  return pictures
}
/** Of an AVCDecoderConfigurationRecord: sequence and picture parameters. */
function parametersIn(record: Buffer): Buffer[] {
  const found: Buffer[] = []
  let at = 5
  for (let list = 0; list < 2; list += 1) {
    const count = record.readUInt8(at) & 0x1f
    at += 1
    for (let i = 0; i < count; i += 1) {
      const length = record.readUInt16BE(at)
      found.push(record.subarray(at + 2, at + 2 + length))
      at += 2 + length
    }
  }
  return found
}
