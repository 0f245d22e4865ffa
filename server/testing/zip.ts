import { crc32, deflateRawSync } from 'node:zlib'

/** A zip of these files, packed as Excel packs them. */
export function zip(files: Record<string, string>, spoil: (b: Buffer) => Buffer = (b) => b): Buffer {
  const [parts, directory]: [Buffer[], Buffer[]] = [[], []]
  let offset = 0
  for (const [path, text] of Object.entries(files)) {
    const [name, bytes] = [Buffer.from(path), Buffer.from(text)]
    const packed = spoil(deflateRawSync(bytes))
    const head = (central: boolean) => {
      const b = Buffer.alloc(central ? 46 : 30)
      b.writeUInt32LE(central ? 0x02014b50 : 0x04034b50, 0)
      const at = central ? 10 : 8
      b.writeUInt16LE(8, at)
      b.writeUInt32LE(crc32(bytes), at + 6)
      b.writeUInt32LE(packed.length, at + 10)
      b.writeUInt32LE(bytes.length, at + 14)
      b.writeUInt16LE(name.length, at + 18)
      if (central) b.writeUInt32LE(offset, 42)
      return Buffer.concat([b, name])
    }
    directory.push(head(true))
    parts.push(head(false), packed)
    offset += 30 + name.length + packed.length
  }
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(directory.length, 10)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...parts, ...directory, end])
}
