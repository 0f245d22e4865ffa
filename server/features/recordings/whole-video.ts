import { unlessAway } from '../../kit/refuse.ts'
import type { FileStore } from '../files/files.service.ts'

/** A fragment has two boxes; nothing that a camera sends in eight megabytes has more. */
const MOST_BOXES = 20_000
const HEAD = 16

async function bytesAt(file: Awaited<ReturnType<FileStore['open']>>, at: number): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of file.part(at, Math.min(at + HEAD, file.size) - 1)) pieces.push(piece as Buffer)
  return Buffer.concat(pieces)
}

/**
 * Why a file cannot be played, in words: it is gone, was cut off or holds no index. The boxes of an MP4 say how long
 * they are, so the file is walked through without reading it.
 */
export async function brokenVideo(files: FileStore, key: string): Promise<string | undefined> {
  const file = await files.open(key).catch(unlessAway)
  if (!file) return '这段录像的文件已经不在了，无法播放'
  const broken = '这段录像的文件已损坏，无法播放'
  let hasIndex = false
  let at = 0
  for (let box = 0; at < file.size && box < MOST_BOXES; box += 1) {
    const head = await bytesAt(file, at)
    if (head.length < 8) return broken
    const short = head.readUInt32BE(0)
    const kind = head.toString('latin1', 4, 8)
    if (short === 1 && head.length < HEAD) return broken
    const long = short === 1 ? Number(head.readBigUInt64BE(8)) : short
    const size = short === 0 ? file.size - at : long
    if (size < 8 || at + size > file.size) return broken
    if (kind === 'moov') hasIndex = true
    at += size
  }
  return hasIndex ? undefined : broken
}
