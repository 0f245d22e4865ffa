import { inflateRawSync } from 'node:zlib'

const END = 0x06054b50
const ENTRY = 0x02014b50

/** The files of a zip by its central directory; written apart from the reader that the product has. */
export function unzip(bytes: Buffer): Record<string, string> {
  let end = bytes.length - 22
  while (end >= 0 && bytes.readUInt32LE(end) !== END) end -= 1
  const files: Record<string, string> = {}
  let at = end < 0 ? -1 : bytes.readUInt32LE(end + 16)
  while (at >= 0 && bytes.readUInt32LE(at) === ENTRY) {
    const [packed, name, extra, comment] = [
      bytes.readUInt32LE(at + 20),
      bytes.readUInt16LE(at + 28),
      bytes.readUInt16LE(at + 30),
      bytes.readUInt16LE(at + 32),
    ]
    const local = bytes.readUInt32LE(at + 42)
    const from = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28)
    const raw = bytes.subarray(from, from + packed)
    const text = bytes.readUInt16LE(at + 10) === 0 ? raw : inflateRawSync(raw)
    files[bytes.toString('utf8', at + 46, at + 46 + name)] = text.toString('utf8')
    at += 46 + name + extra + comment
  }
  return files
}
