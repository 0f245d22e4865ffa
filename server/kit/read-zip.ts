import { crc32, createInflateRaw } from 'node:zlib'

import { invalid } from './refuse.ts'

export const NOT_EXCEL = '这不是 Excel 文件，请选择 .xlsx 文件'
const OLD_EXCEL = '这是旧版或加了密码的 Excel 文件，请在 Excel 里去掉密码，另存为 .xlsx 再上传'
export const BROKEN = '这个 Excel 文件已损坏，请重新保存一次再上传'
export const bad = (why: string) => invalid('file', why)

export interface Entry {
  method: number
  packed: Buffer
  crc: number
}
/** The directory at the end of a zip; the bytes are in memory already. */
export function entriesOf(zip: Buffer): Map<string, Entry> {
  if (zip.length > 8 && zip.readUInt32BE(0) === 0xd0cf11e0) throw bad(OLD_EXCEL)
  if (zip.length < 22 || zip.readUInt32LE(0) !== 0x04034b50) throw bad(NOT_EXCEL)
  let end = zip.length - 22
  while (end > Math.max(0, zip.length - 66_000) && zip.readUInt32LE(end) !== 0x06054b50) end -= 1
  if (zip.readUInt32LE(end) !== 0x06054b50) throw bad(BROKEN)
  const entries = new Map<string, Entry>()
  try {
    let at = zip.readUInt32LE(end + 16)
    for (let i = zip.readUInt16LE(end + 10); i > 0; i -= 1) {
      if (zip.readUInt32LE(at) !== 0x02014b50) throw bad(BROKEN)
      if (zip.readUInt16LE(at + 8) & 1) throw bad(OLD_EXCEL)
      const [size, nameLength, extra, comment, local] = [
        zip.readUInt32LE(at + 20),
        zip.readUInt16LE(at + 28),
        zip.readUInt16LE(at + 30),
        zip.readUInt16LE(at + 32),
        zip.readUInt32LE(at + 42),
      ]
      const from = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28)
      entries.set(zip.toString('utf8', at + 46, at + 46 + nameLength).replace(/^\//, ''), {
        method: zip.readUInt16LE(at + 10),
        packed: zip.subarray(from, from + size),
        crc: zip.readUInt32LE(at + 16),
      })
      at += 46 + nameLength + extra + comment
    }
  } catch (error) {
    throw error instanceof RangeError ? bad(BROKEN) : error
  }
  return entries
}

/** The way in which an entry is packed. */
const STORED = 0
const DEFLATED = 8

/** The text of an entry in pieces, inflated off the main thread; the pieces of all entries share one allowance. */
export async function* textOf(entry: Entry, allowance: { left: number }): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  if (entry.method !== DEFLATED && entry.method !== STORED) throw bad(BROKEN)
  const source = entry.method === DEFLATED ? createInflateRaw() : undefined
  source?.end(entry.packed)
  let crc = 0
  try {
    for await (const chunk of (source ?? [entry.packed]) as AsyncIterable<Buffer>) {
      allowance.left -= chunk.length
      if (allowance.left < 0) throw bad('文件内容太大，请分成几个文件上传')
      crc = crc32(chunk, crc)
      yield decoder.decode(chunk, { stream: true })
    }
  } catch (error) {
    throw String((error as NodeJS.ErrnoException).code).startsWith('Z_') ? bad(BROKEN) : error
  }
  if (crc !== entry.crc) throw bad(BROKEN)
}
